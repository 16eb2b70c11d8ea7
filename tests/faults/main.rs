//! Faults of the storage: every call of an operation, broken in every way.
//!
//! An operation is carried out once to see its calls, so that a new one is covered too. Each operation has a
//! test and a stack of its own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::unused_async, reason = "operations are made alike, whatever they need first")]

mod cleanup;
mod create;
mod delete;
mod exercise;
mod join;
mod login;
mod read;
mod restore;
mod stored;
