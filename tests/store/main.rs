//! What is stored for what callers ask, seen in the table and the bucket themselves.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod events;
mod lambda;
mod members;
mod seat_map_size;
