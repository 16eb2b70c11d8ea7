//! The values of the service and their rules; knows neither HTTP nor AWS.
//!
//! A value is made by parsing alone, so whoever holds one need not check it again.

pub mod client_address;
pub mod coordinate;
pub mod cursor;
pub mod decimal;
pub mod drawing;
pub mod email;
pub mod error;
pub mod event;
pub mod id;
pub mod idempotency;
pub mod instant;
pub mod manager;
pub mod member;
pub mod nickname;
pub mod password;
pub mod poster;
pub mod price;
pub mod seat_map;
pub mod seating_plan;
pub mod svg;
pub mod text;
pub mod throttling;
pub mod violation;
