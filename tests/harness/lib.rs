//! What the tests stand on: the running service, and words to talk to it with.
//!
//! The service is started once for all tests of a binary, in memory; with
//! `BASE_URL` set, the tests talk to the service there instead. With `DYNAMODB_ENDPOINT` set, the
//! service keeps its records in the DynamoDB there, such as Amazon's DynamoDB local.

#![expect(clippy::missing_panics_doc, reason = "a test fails by panicking")]

mod answer;
mod api;
mod corpus;
pub mod fault;
pub mod form;
pub mod function;
pub mod issuer;
mod proxy;
pub mod sample;
mod stack;
mod verified;

pub use answer::Answer;
pub use api::Api;
pub use corpus::corpus;
pub use proxy::{Backends, Proxy, Usage};
pub use stack::{
    add_member, add_member_to, dynamodb_at, hasty_stack_at, new_hasty_stack, new_stack, stack, table,
    table_with,
};
pub use verified::Verified;
