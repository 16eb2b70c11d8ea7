//! The process around a function: its settings, its HTTPS connections, and the metrics of a request.

pub mod config;
pub mod hashing_time;
pub mod https;
