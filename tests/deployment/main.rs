//! The deployment matches the code.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod alarms;
mod backups;
mod caching;
mod client;
mod managers;
mod names;
mod openapi;
mod openapi_examples;
mod permissions;
mod profile;
mod settings;
mod stream;
mod template;
