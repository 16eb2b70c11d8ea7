//! Readers of the template and other files of the project.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use serde_yaml_ng::Value;

/// Returns the absolute path of a path in the project.
pub fn path_of(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

pub fn read(path: &str) -> String {
    fs::read_to_string(path_of(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn list(path: &str) -> BTreeSet<String> {
    fs::read_dir(path_of(path))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect()
}

pub fn slugs() -> BTreeSet<String> {
    list("functions/src/bin").iter().map(|file| file.trim_end_matches(".rs").to_owned()).collect()
}

pub fn slugs_without_route() -> BTreeSet<String> {
    let has_route = |slug: &str| {
        let events = &properties(&logical_id(slug))["Events"];
        events.get("Route").is_some()
    };
    slugs().into_iter().filter(|slug| !has_route(slug)).collect()
}

/// Returns the template; tags such as `!Ref` are kept.
pub fn template() -> &'static Value {
    static TEMPLATE: LazyLock<Value> =
        LazyLock::new(|| serde_yaml_ng::from_str(&read("template.yaml")).expect("template in YAML"));
    &TEMPLATE
}

/// Returns the properties of a resource.
pub fn properties(id: &str) -> &'static Value {
    &template()["Resources"][id]["Properties"]
}

/// Returns the logical id of a function: `MembersJoin` for `members-join`.
pub fn logical_id(slug: &str) -> String {
    let capitalised = |word: &str| word[..1].to_uppercase() + &word[1..];
    slug.split('-').map(capitalised).collect()
}

/// Returns the slug of a logical id: `members-join` for `MembersJoin`.
pub fn slug_of(logical_id: &str) -> String {
    let mut slug = String::new();
    for character in logical_id.chars() {
        if character.is_ascii_uppercase() && !slug.is_empty() {
            slug.push('-');
        }
        slug.push(character.to_ascii_lowercase());
    }
    slug
}

/// Returns the keys of a mapping; none if it is missing.
pub fn keys(mapping: &Value) -> BTreeSet<String> {
    let keys = mapping.as_mapping().into_iter().flat_map(|mapping| mapping.keys());
    keys.map(|key| key.as_str().unwrap().to_owned()).collect()
}

/// Returns a text, without a tag such as `!Sub` and its variables; the last choice of an `!If`.
pub fn text(value: &Value) -> &str {
    match value {
        Value::String(text) => text,
        Value::Sequence(parts) => text(&parts[0]),
        Value::Tagged(tagged) if tagged.tag == "If" => text(&tagged.value[2]),
        Value::Tagged(tagged) => text(&tagged.value),
        other => panic!("not a text: {other:?}"),
    }
}
