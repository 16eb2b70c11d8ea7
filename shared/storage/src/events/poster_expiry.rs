//! Expiry records of posters.
//!
//! A poster is stored before its event, so a failure in between leaves an orphan. Therefore an expiry record
//! is stored first; when it expires, `posters-cleanup` removes the poster. Adding or restoring an event deletes
//! the record in its transaction, deleting an event stores it again, and replacing a poster does both. So a poster
//! belongs to an event that is live or a draft, or has an expiry record.

use std::time::Duration;

use crate::{
    keys::{self, EXPIRES, PARTITION},
    table::{Item, Table, condition_met, epoch_seconds},
    write::Write,
};
use domain::{clock::Clock, error::Error};

/// Lifetime of a poster without an event.
///
/// The function that stores both runs at most 45 seconds (template.yaml), so no poster expires meanwhile.
pub const ORPHAN_LIFETIME: Duration = Duration::from_hours(1);

/// Store of the expiry records.
#[derive(Clone, Debug)]
pub struct PosterExpiry {
    table: Table,
}

impl PosterExpiry {
    /// Opens the expiry records in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Makes a poster expire in an hour, unless its event is added before.
    ///
    /// Must be called before the poster is stored.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn schedule(&self, thumbnail: &str) -> Result<(), Error> {
        let mut record = keys::poster(thumbnail).attributes();
        record.insert(EXPIRES.to_owned(), epoch_seconds(Clock::default().now() + ORPHAN_LIFETIME));
        let put = self
            .table
            .client
            .put_item()
            .table_name(&self.table.name)
            .set_item(Some(record))
            // A delayed attempt must not replace the later expiry that a deletion has stored meanwhile.
            .condition_expression("attribute_not_exists(pk)")
            .send()
            .await;
        // If the first response was lost, the SDK retries and finds the record.
        condition_met(put).map(drop)
    }
}

/// Builds the write that makes a poster expire at a time since 1970.
pub(super) fn put_record(thumbnail: &str, at: Duration) -> Write {
    Write::put(keys::poster(thumbnail), Item::from([(EXPIRES.to_owned(), epoch_seconds(at))]))
}

/// Builds the write that deletes an expiry record, only if it exists.
pub(super) fn delete_record(thumbnail: &str) -> Write {
    Write::delete(keys::poster(thumbnail)).if_present(PARTITION)
}
