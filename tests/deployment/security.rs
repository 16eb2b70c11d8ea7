//! What `SECURITY.md` names as proof is there.

use std::collections::BTreeSet;

use crate::template::{at, read};

/// The texts between backquotes, and the targets of links, in a line.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    let linked = line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    quoted.chain(linked)
}

/// Whether a text is a path from the root of the project: it has a slash or an extension, and nothing
/// that a file's name has not.
fn is_path(text: &str) -> bool {
    let is_of_a_path = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    text.contains(['/', '.']) && !text.starts_with('/') && text.chars().all(is_of_a_path)
}

/// Whether a text is the name of a test: words in small letters, joined by underscores.
fn is_test(text: &str) -> bool {
    let is_of_a_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.contains('_') && text.split('_').all(|word| !word.is_empty() && word.chars().all(is_of_a_word))
}

#[test]
fn what_security_names_is_there() {
    let (mut files, mut tests) = (BTreeSet::new(), BTreeSet::new());
    let mut missing = Vec::new();
    for (number, line) in (1..).zip(read("SECURITY.md").lines()) {
        let mut file = None;
        for name in named(line) {
            if is_path(name) {
                file = Some(name.to_owned());
                files.insert(name.to_owned());
                if !at(name).exists() {
                    missing.push(format!("line {number}: {name} is not there"));
                }
            } else if is_test(name) {
                tests.insert(name.to_owned());
                let source = file.as_deref().filter(|file| at(file).is_file()).map(read).unwrap_or_default();
                if !source.contains(&format!("fn {name}(")) {
                    missing.push(format!("line {number}: {name} is no function of {file:?}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(!files.is_empty() && !tests.is_empty());
}

#[test]
fn every_risk_and_every_chapter_is_spoken_of() {
    let security = read("SECURITY.md");
    for risk in 1..=10 {
        assert!(security.contains(&format!("\n| API{risk} ")), "API{risk}");
    }
    for chapter in 1..=17 {
        let name = format!("V{chapter}");
        let is_named = |line: &str| line.split([' ', ',', '|']).any(|word| word == name);
        let mut named = security.lines().filter(|line| line.starts_with("### V") || line.starts_with("| V"));
        assert!(named.any(is_named), "{name}");
    }
}
