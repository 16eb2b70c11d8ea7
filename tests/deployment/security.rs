//! Files and tests that the security documents name as proof exist.

use std::{collections::BTreeSet, path::Path};

use crate::template::{path_of, read};

/// Documents that name files and tests as proof.
const DOCUMENTS: [&str; 4] = ["SECURITY.md", "docs/threat-model.md", "docs/asvs.md", "docs/privacy.md"];

/// Returns the texts between backquotes in a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns the targets of the links in a line, without their anchors.
fn linked(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()).filter(|target| !target.is_empty())
}

/// Returns true if a text is a relative path: it has a slash or a dot, and only characters of file names.
fn is_path(text: &str) -> bool {
    let is_path_char = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    text.contains(['/', '.']) && !text.starts_with('/') && text.chars().all(is_path_char)
}

/// Returns true if a text is the name of a test: lowercase words, joined by underscores.
fn is_test(text: &str) -> bool {
    let is_word_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.contains('_') && text.split('_').all(|word| !word.is_empty() && word.chars().all(is_word_char))
}

#[test]
fn named_files_and_tests_exist() {
    let (mut files, mut tests) = (BTreeSet::new(), BTreeSet::new());
    let mut missing = Vec::new();
    for document in DOCUMENTS {
        let folder = Path::new(document).parent().unwrap();
        // A test belongs to the last file named before it in the same list.
        let mut file = None;
        for (number, line) in (1..).zip(read(document).lines()) {
            if line.is_empty() {
                file = None;
            }
            let targets = linked(line).map(|target| folder.join(target));
            let targets = targets.map(|target| target.to_str().unwrap().to_owned());
            let paths = quoted(line).filter(|name| is_path(name)).map(str::to_owned);
            for path in paths.chain(targets) {
                if !path_of(&path).exists() {
                    missing.push(format!("{document}:{number}: {path} does not exist"));
                }
                files.insert(path);
            }
            for name in quoted(line) {
                if is_path(name) {
                    file = Some(name.to_owned());
                } else if is_test(name) {
                    tests.insert(name.to_owned());
                    let source = file.as_deref().filter(|file| path_of(file).is_file()).map(read).unwrap_or_default();
                    if !source.contains(&format!("fn {name}(")) {
                        missing.push(format!("{document}:{number}: {name} is not a function of {file:?}"));
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(!files.is_empty() && !tests.is_empty());
}

#[test]
fn risks_and_chapters_are_covered() {
    let threats = read("docs/threat-model.md");
    for risk in 1..=10 {
        assert!(threats.contains(&format!("\n### API{risk} ")), "API{risk}");
    }
    let asvs = read("docs/asvs.md");
    for chapter in 1..=17 {
        let name = format!("V{chapter}");
        let is_named = |line: &str| line.split([' ', ',']).any(|word| word == name);
        let mut named = asvs.lines().filter(|line| line.starts_with("### V") || line.starts_with("- V"));
        assert!(named.any(is_named), "{name}");
    }
}
