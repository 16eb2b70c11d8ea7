//! What the tests stand on: the running service, and words to talk to it with.
//!
//! The service is started once for all tests of a binary, in memory; with
//! `BASE_URL` set, the tests talk to the service there instead. With `DYNAMODB_ENDPOINT` set, the
//! service keeps its records in the DynamoDB there, such as Amazon's DynamoDB local.

#![expect(clippy::missing_panics_doc, reason = "a test fails by panicking")]

mod answer;
mod api;
mod conflict;
mod corpus;
pub mod fault;
pub mod form;
pub mod function;
mod handover;
pub mod issuer;
mod meter;
mod overtaken;
mod proxy;
pub mod sample;
mod stack;
mod unread;
mod verified;

pub use answer::Answer;
pub use api::Api;
pub use conflict::{conflicting, conflicting_puts, throttling};
pub use corpus::corpus;
pub use handover::handing_over;
pub use meter::{Meter, Usage};
pub use overtaken::overtaken;
pub use proxy::{Backend, Proxy, operation, start as start_proxy};
pub use stack::{add_member, dynamodb_at, hasty_stack_at, new_hasty_stack, new_stack, stack, table};
pub use unread::unread;
pub use verified::Verified;
