//! The process around a function: its settings, its HTTPS connections, and the time of password hashes.

pub mod config;
pub mod hashing_time;
pub mod https;
