//! Hostile requests, each with its response.
//!
//! Drawings and posters that are files are in `tests/corpus`; the others are made here. A rejected request
//! leaves nothing behind and costs no call to a backend. An accepted one comes back as it was sent, and
//! `.ci/browser` opens it in Chromium. Each family of requests has tests and stacks of its own.

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
