//! The release profile of the functions.

use crate::template::read;

/// By default, cargo-lambda compiles a panic to an abort of the process.
#[test]
fn release_profile_unwinds() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    assert_eq!(manifest["profile"]["release"]["panic"].as_str(), Some("unwind"));
}
