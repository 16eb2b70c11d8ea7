//! Values of the service, their rules, their JSON Schemas and their errors; without HTTP or AWS.
//!
//! Parsing is the only way to make a value, so every value is valid. The exceptions are the
//! `from_stored` functions, which rebuild values that the service itself has stored.

pub mod change;
pub mod client_address;
pub mod clock;
pub mod coordinate;
pub mod cursor;
pub mod decimal;
pub mod email;
pub mod error;
pub mod event;
pub mod event_change;
pub mod gate;
pub mod hold;
pub mod hold_limits;
pub mod id;
pub mod idempotency;
pub mod image;
pub mod instant;
pub mod integer;
mod keyboard;
pub mod mail;
pub mod manager;
pub mod member;
pub mod metadata;
pub mod notice;
pub mod password;
pub mod patch;
pub mod poster;
pub mod price;
pub mod schema;
pub mod search;
pub mod seat_kind;
pub mod seats;
pub mod show;
pub mod text;
pub mod throttling;
pub mod ticket;
pub mod violation;
