//! Hostile requests, each with its expected response.
//!
//! A rejected request stores nothing and makes no call to a backend. Each kind of input has its own tests and stacks.
//! Cases for all routes come from the `OpenAPI` document, so a new route is tested without a change here. Values of
//! fields, drawings and posters are tested in `shared/domain` and `shared/seating`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bodies;
mod case;
mod forms;
mod gzip;
mod headers;
mod service;
mod smuggling;
mod work;
