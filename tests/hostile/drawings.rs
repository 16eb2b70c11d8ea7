//! Drawings in the files of the corpus.

use tests::corpus;

use crate::{
    case::Case,
    service::{assert_accepted, assert_rejected},
};

#[tokio::test(flavor = "multi_thread")]
async fn hostile_drawings_are_rejected() {
    assert_rejected(&rejected(), 686).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_drawings_are_accepted() {
    assert_accepted(&accepted(), 103).await;
}

fn rejected() -> Vec<Case> {
    cases("svg/hostile", "C_001")
}

fn accepted() -> Vec<Case> {
    cases("svg/inert", "0")
}

fn cases(folder: &str, code: &'static str) -> Vec<Case> {
    let case = |(file, text)| Case::drawing(format!("drawing {file}"), &String::from_utf8(text).unwrap(), code);
    corpus(folder).into_iter().map(case).collect()
}
