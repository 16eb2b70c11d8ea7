//! Items in DynamoDB and posters in S3; the only crate that knows keys and attributes.

pub mod best_seats;
pub mod blocks;
pub mod event;
pub mod event_change;
mod event_record;
mod expiry;
mod fence;
mod hall;
mod hold_key;
mod hold_record;
mod holder;
pub mod holds;
pub mod idempotency;
pub mod keys;
pub mod login_failures;
pub mod mail_counts;
pub mod managed;
pub mod member;
pub mod own_holds;
pub mod poster;
pub mod poster_expiry;
pub mod public_key;
pub mod removed_event;
pub mod sales;
pub mod search;
pub mod seat_plan;
pub mod seat_state_bytes;
pub mod seat_states;
pub mod session;
pub mod show_locks;
pub mod shows;
mod stored_time;
pub mod table;
mod transaction;
mod write;

pub use transaction::TransactionError;
