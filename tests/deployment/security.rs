//! Files and tests that SECURITY.md names as proof exist.

use std::collections::BTreeSet;

use crate::template::{path_of, read};

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
    // A test belongs to the last file named before it in the same row or paragraph.
    let mut file = None;
    for (number, line) in (1..).zip(read("SECURITY.md").lines()) {
        if line.is_empty() || line.starts_with('|') {
            file = None;
        }
        let paths = quoted(line).filter(|name| is_path(name));
        for path in paths.chain(linked(line)) {
            if !path_of(path).exists() {
                missing.push(format!("{number}: {path} does not exist"));
            }
            files.insert(path.to_owned());
        }
        for name in quoted(line) {
            if is_path(name) {
                file = Some(name.to_owned());
            } else if is_test(name) {
                tests.insert(name.to_owned());
                let source = file.as_deref().filter(|file| path_of(file).is_file()).map(read).unwrap_or_default();
                if !source.contains(&format!("fn {name}(")) {
                    missing.push(format!("{number}: {name} is not a function of {file:?}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(!files.is_empty() && !tests.is_empty());
}

/// Each kind of route has a table of threats, and each threat has a measure and a proof.
#[test]
fn threats_have_measures_and_proof() {
    let document = read("SECURITY.md");
    let section = document.split("\n## Threats\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).collect::<Vec<_>>();
    assert!(!rows.is_empty());
    for row in rows {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        assert!(cells.len() == 3 && cells.iter().all(|cell| !cell.is_empty()), "{row}");
        let is_heading = matches!(cells[2], "Test" | "File");
        assert!(is_heading || quoted(cells[2]).any(is_path), "{row}");
    }
}
