//! Imports between the crates under `shared/`, and their release profile.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    process::Command,
};

use serde_json::Value;

use crate::template::{list, read};

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the graph of the table "Crates" in ARCHITECTURE.md, in the order of its lines.
fn documented() -> Vec<(String, BTreeSet<String>)> {
    let page = read("ARCHITECTURE.md");
    let section = page.split("\n## Crates\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split('|').collect();
        (names(cells[0]).pop_first().unwrap(), names(cells[2]))
    })
    .collect()
}

/// Returns the graph of the dependencies in the manifests, without those of tests.
fn declared() -> Graph {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let metadata = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root)
        .output()
        .expect("cargo metadata");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("metadata in JSON");
    let shared: BTreeSet<_> = list("shared").into_iter().collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .filter(|package| shared.contains(package["name"].as_str().unwrap()))
        .map(|package| {
            let all = package["dependencies"].as_array().unwrap().iter();
            let names = all.filter(|used| used["kind"].is_null()).map(|used| used["name"].as_str().unwrap());
            let ours = names.filter(|name| shared.contains(*name)).map(str::to_owned).collect();
            (package["name"].as_str().unwrap().to_owned(), ours)
        })
        .collect()
}

#[test]
fn imports_match_architecture() {
    let documented: Graph = documented().into_iter().collect();
    assert_eq!(documented, declared());
    assert_eq!(documented.len(), 6);
}

#[test]
fn crates_import_downwards() {
    let mut above = BTreeSet::new();
    for (name, imports) in documented() {
        above.insert(name.clone());
        assert!(imports.is_disjoint(&above), "{name} imports a crate above it");
    }
}

/// By default, cargo-lambda compiles a panic to an abort of the process.
#[test]
fn release_profile_unwinds() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    assert_eq!(manifest["profile"]["release"]["panic"].as_str(), Some("unwind"));
}
