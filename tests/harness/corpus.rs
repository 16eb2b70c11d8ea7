//! Files to try: `tests/corpus` keeps a folder for what is accepted and one for what is not.

use std::{fs, path::Path};

/// The name and content of every file in a folder of the corpus, by name.
#[must_use]
pub fn corpus(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(folder);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("a folder of the corpus")
        .map(|entry| {
            let entry = entry.expect("a file of the corpus");
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("its content"))
        })
        .collect();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files.sort();
    files
}
