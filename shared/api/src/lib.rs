//! Requests and responses: from a gateway event to domain values, and from those to an envelope.
//!
//! The only crate that knows HTTP, status codes and the texts for users.

pub mod access_log;
pub mod account;
pub mod authorizer;
pub mod client;
pub mod conditional;
pub mod content_encoding;
pub mod cors;
pub mod edit;
pub mod envelope;
pub mod error;
pub mod event;
pub mod fields;
pub mod form;
pub mod gzip;
pub mod hold;
pub mod if_match;
pub mod json;
pub mod log;
pub mod managed;
pub mod manager;
pub mod messages;
pub mod multipart;
pub mod page;
pub mod proxy;
pub mod registration;
pub mod representation;
pub mod request;
pub mod search;
pub mod seat_state;
pub mod serve;
pub mod session;
pub mod status;
pub mod svg_response;
