//! Expiry records of posters.
//!
//! A poster is stored before its event, so a failure in between leaves an orphan. Therefore an expiry record
//! is stored first; when it expires, `posters-cleanup` removes the poster. Adding or restoring an event deletes
//! the record in its transaction, deleting an event stores it again, and replacing a poster does both. So a poster
//! always is that of a live event, or has an expiry record.

use std::time::Duration;

use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem};

use crate::{
    expiry::{epoch_seconds, since_epoch},
    keys::{self, EXPIRES, PARTITION},
    table::{Item, Table, condition_met},
};
use domain::error::Error;

/// Lifetime of a poster without an event.
///
/// The function that stores both runs at most 45 seconds (template.yaml), so no poster expires meanwhile.
pub const ORPHAN_LIFETIME: Duration = Duration::from_hours(1);

/// Lifetime of a poster that another one replaced.
///
/// Meanwhile clients may still show it from a response of before.
pub const REPLACED_POSTER_RETENTION: Duration = Duration::from_hours(24);

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
        let expires = since_epoch()? + ORPHAN_LIFETIME;
        let put = self
            .table
            .client
            .put_item()
            .table_name(&self.table.name)
            .set_item(Some(expiry_record(thumbnail, expires)))
            // A delayed attempt must not replace the later expiry that a deletion has stored meanwhile.
            .condition_expression("attribute_not_exists(#pk)")
            .expression_attribute_names("#pk", PARTITION)
            .send()
            .await;
        // If the first response was lost, the SDK retries and finds the record.
        condition_met(put).map(drop)
    }
}

/// Builds the write that makes a poster expire at a time since 1970.
pub(super) fn put_record(table: &Table, thumbnail: &str, at: Duration) -> Result<TransactWriteItem, Error> {
    let put = Put::builder()
        .table_name(&table.name)
        .set_item(Some(expiry_record(thumbnail, at)))
        .build()
        .map_err(Error::unexpected)?;
    Ok(TransactWriteItem::builder().put(put).build())
}

/// Builds the write that deletes an expiry record, on condition that it exists.
pub(super) fn delete_record(table: &Table, thumbnail: &str) -> Result<TransactWriteItem, Error> {
    let delete = Delete::builder()
        .table_name(&table.name)
        .set_key(Some(keys::poster(thumbnail).attributes()))
        .condition_expression("attribute_exists(#pk)")
        .expression_attribute_names("#pk", PARTITION)
        .build()
        .map_err(Error::unexpected)?;
    Ok(TransactWriteItem::builder().delete(delete).build())
}

fn expiry_record(thumbnail: &str, expires: Duration) -> Item {
    let mut item: Item = keys::poster(thumbnail).attributes();
    item.insert(EXPIRES.to_owned(), epoch_seconds(expires));
    item
}
