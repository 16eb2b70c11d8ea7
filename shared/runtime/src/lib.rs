//! The process around a function: its settings, its HTTPS connections, and the metrics of a request.

pub mod config;
pub mod https;
pub mod request_metrics;
