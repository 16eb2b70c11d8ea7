//! Items in DynamoDB and posters in S3; the only crate that knows keys and attributes.

pub mod changes;
mod items;
pub mod keys;
mod request_key;
mod stored_time;
pub mod table;
mod transaction;
mod write;

/// Members, their sessions, and the mails to them.
pub mod members {
    pub mod login_failures;
    pub mod mail_counts;
    pub mod member_store;
    pub mod public_keys;
    pub mod sessions;
}

/// Events with their halls and posters.
pub mod events {
    mod change_commit;
    pub mod event_lists;
    pub(crate) mod event_record;
    pub mod event_store;
    pub(crate) mod hall_cache;
    pub mod idempotency_claims;
    pub mod poster_expiry;
    pub mod poster_store;
    pub mod removed_events;
    pub(crate) mod sales_pause;
    mod search_index;
    pub mod show_locks;
}

/// Notices to buyers, and their sending.
pub mod notices {
    pub(crate) mod notice_record;
    pub mod notice_store;
    mod progress_record;
    pub mod sending;
}

/// Seats of shows: their states, holds and sales.
pub mod seats {
    pub mod admissions;
    pub mod best_seats;
    mod block_labels;
    pub mod blocks;
    pub mod door;
    pub(crate) mod fence;
    pub mod gates;
    mod gates_record;
    pub(crate) mod hold_record;
    pub(crate) mod holder_record;
    pub mod holds;
    pub mod own_holds;
    pub mod sales;
    pub mod seat_plan;
    pub mod seat_state_bytes;
    pub mod seat_states;
    pub mod shows;
    pub mod tickets;
}

pub use transaction::TransactionError;
