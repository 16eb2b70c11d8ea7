//! Seats of a show: who may get which, and when.
//!
//! Each function here decides a request as a pure function of what was read. Its result is a [`Plan`](plan::Plan), which
//! the store commits only if everything is still as it was read, or an error.

pub mod blocking;
pub mod holder;
pub mod holding;
pub mod plan;
pub mod selling;
