//! What is kept in DynamoDB and S3; the only place that knows keys and attributes.

pub mod event;
mod expiry;
mod failure;
pub mod idempotency;
pub mod keys;
mod login_failures;
pub mod member;
pub mod metering;
pub mod poster;
pub mod poster_expiry;
pub mod restoration;
pub mod seat_map;
pub mod table;
