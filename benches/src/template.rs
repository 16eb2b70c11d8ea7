//! Values that template.yaml sets for functions.

use std::fs;

use domain::error::Cause;

use crate::root;

/// Returns the memory of a function, in MB: its own setting, or that of all functions.
///
/// # Errors
///
/// Returns an error if template.yaml does not set it.
pub fn memory(slug: &str) -> Result<u32, Cause> {
    let of_all = &parsed()?["Globals"]["Function"]["MemorySize"];
    let memory = properties(slug)?["MemorySize"].as_u64().or_else(|| of_all.as_u64());
    Ok(memory.ok_or_else(|| format!("template.yaml has no memory of {slug}"))?.try_into()?)
}

/// Returns the glibc tunables of all functions.
///
/// # Errors
///
/// Returns an error if template.yaml does not set them.
pub fn tunables() -> Result<String, Cause> {
    let template = text()?;
    let value = template.lines().find_map(|line| line.trim().strip_prefix("GLIBC_TUNABLES: "));
    Ok(value.ok_or("template.yaml has no GLIBC_TUNABLES")?.to_owned())
}

/// Returns the properties of a function, or null if template.yaml does not have it.
///
/// # Errors
///
/// Returns an error if template.yaml cannot be read.
pub fn properties(slug: &str) -> Result<serde_yaml_ng::Value, Cause> {
    let capitalised = |word: &str| word[..1].to_uppercase() + &word[1..];
    let id: String = slug.split('-').map(capitalised).collect();
    Ok(parsed()?["Resources"][id.as_str()]["Properties"].clone())
}

fn parsed() -> Result<serde_yaml_ng::Value, Cause> {
    Ok(serde_yaml_ng::from_str(&text()?)?)
}

fn text() -> Result<String, Cause> {
    Ok(fs::read_to_string(root().join("template.yaml"))?)
}
