//! Names that nearly every test of the API uses.

pub use insta::assert_snapshot;
pub use reqwest::Method;
pub use serde_json::{Value, json};

pub use crate::{
    Api, Operation, Response, Sale, Service, VerifiedService, faults, named, now, outcomes,
    sample::{self, MANAGER, OTHER_MANAGER, PASSWORD},
    set, statuses, summaries,
};
