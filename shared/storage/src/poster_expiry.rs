//! Posters' expiry in the table.
//!
//! A poster is stored before the event that shows it, so whatever goes wrong in between would leave
//! it for ever. So a record is written before the poster: when that expires, `posters-cleanup` removes
//! the poster. The transaction that adds the event takes the record away, the one that deletes the
//! event puts it back, and the one that restores the event takes it away again: at any moment a
//! poster has a live event or a record.

use std::time::Duration;

use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem};

use crate::{
    expiry::{epoch_seconds, since_epoch},
    keys::{self, EXPIRES, PARTITION},
    table::{Item, Table, condition_met},
};
use domain::error::Error;

/// How long a poster waits for its event: far longer than the 40 seconds after which template.yaml
/// ends the function that stores both, so that no creation is overtaken by its poster's expiry.
pub const ORPHAN_LIFETIME: Duration = Duration::from_hours(1);

/// Records by which posters expire.
#[derive(Clone, Debug)]
pub struct PosterExpiry {
    table: Table,
}

impl PosterExpiry {
    /// Opens the records in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Lets a poster of this file name expire in an hour, unless its event is added before. To be
    /// called before the poster is stored.
    ///
    /// # Errors
    ///
    /// `Database` where it cannot be told whether it will expire.
    pub async fn schedule(&self, thumbnail: &str) -> Result<(), Error> {
        let expires = since_epoch()? + ORPHAN_LIFETIME;
        let put = self
            .table
            .client
            .put_item()
            .table_name(&self.table.name)
            .set_item(Some(expiry_record(thumbnail, expires)))
            // A try that was delayed on its way must not shorten what a deletion has put meanwhile.
            .condition_expression("attribute_not_exists(#pk)")
            .expression_attribute_names("#pk", PARTITION)
            .send()
            .await;
        // If the response to the first try was lost, the SDK tries again and finds the record.
        condition_met(put).map(drop)
    }
}

/// The write that lets a poster expire at a time since 1970.
pub(super) fn put_record(table: &Table, thumbnail: &str, at: Duration) -> Result<TransactWriteItem, Error> {
    let put = Put::builder()
        .table_name(&table.name)
        .set_item(Some(expiry_record(thumbnail, at)))
        .build()
        .map_err(Error::unexpected)?;
    Ok(TransactWriteItem::builder().put(put).build())
}

/// The write that keeps a poster; it holds if the poster has not expired.
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
