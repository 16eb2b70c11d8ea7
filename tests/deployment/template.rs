//! The files of the deployment, read.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde_yaml_ng::Value;

/// Where a path from the root of the project leads.
pub fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The content of a file that is there.
pub fn read(path: &str) -> String {
    fs::read_to_string(at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names of what is in a folder.
pub fn list(path: &str) -> BTreeSet<String> {
    fs::read_dir(at(path))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect()
}

/// The slugs of all functions.
pub fn slugs() -> BTreeSet<String> {
    list("functions")
}

/// The slugs of the functions that no route leads to.
pub fn slugs_without_route() -> BTreeSet<String> {
    let template = template();
    let has_route = |slug: &str| {
        let events = &template["Resources"][logical_id(slug).as_str()]["Properties"]["Events"];
        events.get("Route").is_some()
    };
    slugs().into_iter().filter(|slug| !has_route(slug)).collect()
}

/// The template, with its tags such as `!Ref` kept as tags.
pub fn template() -> Value {
    serde_yaml_ng::from_str(&read("template.yaml")).unwrap()
}

/// The logical id of a function: `MembersJoin` for `members-join`.
pub fn logical_id(slug: &str) -> String {
    let capitalised = |word: &str| word[..1].to_uppercase() + &word[1..];
    slug.split('-').map(capitalised).collect()
}

/// The keys of a mapping; none where there is no mapping.
pub fn keys(mapping: &Value) -> BTreeSet<String> {
    let keys = mapping.as_mapping().into_iter().flat_map(|mapping| mapping.keys());
    keys.map(|key| key.as_str().unwrap().to_owned()).collect()
}

/// A text, or what is in its place once a tag such as `!Sub` is taken off.
pub fn text(value: &Value) -> &str {
    match value {
        Value::String(text) => text,
        Value::Tagged(tagged) => text(&tagged.value),
        other => panic!("a text: {other:?}"),
    }
}
