//! Test files in `tests/corpus`, with separate folders for valid and invalid ones.

use std::{fs, path::Path};

/// Reads all files of a folder of the corpus, sorted by name: their names and contents.
#[must_use]
pub fn corpus(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(folder);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("folder of the corpus")
        .map(|entry| {
            let entry = entry.expect("file of the corpus");
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("readable file"))
        })
        .collect();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files.sort();
    files
}
