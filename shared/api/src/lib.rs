//! Requests and responses: from a gateway event to domain values, and from those to an envelope.
//!
//! The only crate that knows HTTP, status codes and the texts for users.

pub mod access_log;
pub mod authorizer;
pub mod client;
pub mod conditional;
pub mod content_encoding;
pub mod cors;
pub mod envelope;
pub mod error;
pub mod fields;
pub mod form;
pub mod gzip;
pub mod if_match;
pub mod json;
pub mod log;
pub mod mail;
pub mod manager;
pub mod messages;
pub mod multipart;
pub mod notice_mail;
pub mod page;
pub mod proxy;
pub mod representation;
pub mod request;
pub mod status;
