//! What the tests stand on: the running service, and words to talk to it with.
//!
//! The service is started once for all tests of a binary, in memory; with
//! `BASE_URL` set, the tests talk to the service there instead. With `DYNAMODB_ENDPOINT` set, the
//! service keeps its records in the DynamoDB there, such as Amazon's DynamoDB local.

#![expect(clippy::missing_panics_doc, reason = "a test fails by panicking")]

mod api;
mod corpus;
pub mod fault;
pub mod form;
pub mod function;
pub mod issuer;
mod proxy;
mod response;
pub mod sample;
mod stack;
mod verified_service;

pub use api::Api;
pub use corpus::corpus;
pub use proxy::{Backends, Proxy, Usage};
pub use response::Response;
pub use stack::{
    add_member, add_member_to, dynamodb_at, new_stack, new_stack_with_cheap_hash, stack,
    stack_with_cheap_hash_at, table, table_with_rule,
};
pub use verified_service::VerifiedService;
