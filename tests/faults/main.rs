//! Storage faults: every call of an operation, broken in every way.
//!
//! An operation first runs once to record its calls, so that new calls are covered too. Each operation has its
//! own test and stack.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::unused_async, reason = "constructors of all operations have the same signature")]

mod account;
mod cleanup;
mod create;
mod delete;
mod edit;
mod exercise;
mod join;
mod login;
mod read;
mod restore;
mod stored;
mod thumbnail;
