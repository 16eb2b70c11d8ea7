//! Effects of requests on the table and the bucket.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod connections;
mod events;
mod events_edit;
mod events_restore;
mod hashing_time;
mod idempotency;
mod items;
mod lambda;
mod listing;
mod log;
mod login_throttling;
mod managers_authorize;
mod managers_events;
mod members;
mod members_edit;
mod posters_cleanup;

mod round_trips;
mod search;
mod seat_map_size;
mod show_locks;
