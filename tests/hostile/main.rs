//! Requests that mean harm, each with the answer that it has to get.
//!
//! Drawings and posters that are files are in `tests/corpus`; the others are made here. What is
//! refused leaves nothing behind and costs no call to a backend; what is accepted comes back as it was
//! sent, and `.ci/browser` opens it in Chromium.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bodies;
mod case;
mod drawings;
mod fields;
mod forms;
mod headers;
mod posters;
mod service;
mod smuggling;
mod work;

use case::Case;
use service::{Keeping, Refusing};

#[tokio::test(flavor = "multi_thread")]
async fn what_means_harm_is_refused_by_its_code_and_leaves_nothing() {
    let cases: Vec<Case> = [
        bodies::refused(),
        drawings::refused(),
        fields::refused(),
        forms::refused(),
        headers::refused(),
        posters::refused(),
        work::refused(),
    ]
    .concat();
    Refusing::start().await.check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_looks_harmful_is_kept_as_it_is() {
    let cases: Vec<Case> = [
        bodies::accepted(),
        drawings::accepted(),
        fields::accepted(),
        forms::accepted(),
        headers::accepted(),
        posters::accepted(),
        work::accepted(),
    ]
    .concat();
    Keeping::start().await.check(&cases).await;
}
