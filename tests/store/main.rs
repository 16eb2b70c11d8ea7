//! What is stored for what callers ask, seen in the table and the bucket themselves.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod connections;
mod events;
mod events_restore;
mod idempotency;
mod items;
mod lambda;
mod listing;
mod log;
mod login_throttling;
mod managers_authorize;
mod members;
mod posters_cleanup;
mod round_trips;
mod seat_map_size;
mod usage;
