//! From a request to domain values, and from those to an envelope; the only
//! place that knows status codes.

pub mod authorizer;
pub mod client;
pub mod conditional;
pub mod envelope;
pub mod event;
pub mod fields;
pub mod json;
pub mod log;
pub mod member;
pub mod messages;
pub mod metrics;
pub mod multipart;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod picture;
pub mod proxy;
pub mod request;
pub mod serve;
mod shown;
pub mod status;
pub mod view;
