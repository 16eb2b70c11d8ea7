//! Drawings: the files of the corpus.

use tests::corpus;

use crate::case::Case;

pub fn refused() -> Vec<Case> {
    of("svg/hostile", "C_001")
}

pub fn accepted() -> Vec<Case> {
    of("svg/inert", "0")
}

fn of(folder: &str, code: &'static str) -> Vec<Case> {
    let case =
        |(file, text)| Case::drawing(format!("drawing {file}"), &String::from_utf8(text).unwrap(), code);
    corpus(folder).into_iter().map(case).collect()
}
