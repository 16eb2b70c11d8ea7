//! Test harness: starts the service, sends requests, injects faults and prints snapshots.
//!
//! All tests of a binary share one service in memory. If `BASE_URL` is set, they use the service there instead.
//! If `DYNAMODB_ENDPOINT` is set, the service uses the DynamoDB there, for example Amazon's DynamoDB local.

#![expect(clippy::missing_panics_doc, reason = "a test fails by panicking")]

mod api;
mod changes;
mod conflicts;
mod contents;
mod corpus;
pub mod fault;
mod fault_table;
pub mod form;
pub mod function;
pub mod issuer;
pub mod log;
pub mod mail;
pub mod notice;
mod operation;
pub mod permissions;
pub mod prelude;
mod proxy;
mod response;
mod sale;
pub mod sample;
mod service;
mod snapshot;
mod stack;
pub mod token;
mod verified_service;

pub use api::Api;
pub use changes::{Changes, Post, Receiver, Reply};
pub use contents::{Contents, now, set};
pub use corpus::corpus;
pub use fault_table::faults;
pub use operation::Operation;
pub use proxy::{Proxy, Usage};
pub use response::{Response, outcomes, statuses, summaries};
pub use sale::Sale;
pub use service::{Effect, Service};
pub use snapshot::named;
pub use stack::{add_member, dynamodb_at, environment, new_stack, new_stack_with, stack, stack_at, table};
pub use verified_service::VerifiedService;
