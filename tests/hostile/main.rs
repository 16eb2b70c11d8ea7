//! Hostile requests, each with its expected response.
//!
//! Drawings and posters that are files are in `tests/corpus`; the others are made here. A rejected request
//! stores nothing and makes no call to a backend. An accepted one is returned unchanged, and
//! `.ci/browser_hostile.py` opens it in Chromium. Each kind of input has its own tests and stacks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accounts;
mod bodies;
mod case;
mod fields;
mod forms;
mod gzip;
mod headers;
mod posters;
mod service;
mod smuggling;
mod work;
