//! Restoration of deleted events.

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update, builders::UpdateBuilder};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    event::{Events, Parts, VERSION, is_restorable, parse_parts, version_attribute},
    expiry::{epoch_seconds, since_epoch},
    keys::{self, EXPIRES, Key, LISTING, LIVE, PARTITION},
    poster_expiry,
    show_locks::ShowLocks,
    table::Item,
    transaction::{self, Attempt, Outcome, Transaction, until_decided},
};
use domain::error::Error;

/// Outcome of an attempt to restore a deleted event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Restoration {
    /// The event is live again, with its seats, shows and poster.
    Restored,
    /// The event is live and was not changed.
    NotDeleted,
    /// The event never existed or was deleted too long ago.
    Gone,
    /// Another live event now has the title and place at one of the instants.
    Claimed,
    /// Some of its seats or its poster have already expired.
    PartlyExpired,
}

impl Events {
    /// Restores a deleted event completely or not at all, with one read and one transaction.
    ///
    /// Retries if a simultaneous change comes first.
    ///
    /// # Errors
    ///
    /// Returns `TooManyShows` if a lock item is full, `Database` if the outcome is unknown.
    pub async fn restore(&self, id: Uuid) -> Result<Restoration, Error> {
        until_decided(&self.table, move || self.try_restore(id)).await
    }

    async fn try_restore(&self, id: Uuid) -> Result<Attempt<Restoration>, Error> {
        use Attempt::{Decided, Lost};
        let deleted = match self.restorable_event(id).await? {
            Ok(deleted) => deleted,
            Err(reason) => return Ok(Decided(reason)),
        };
        let Parts { chunks, locks, thumbnail, version } = parse_parts(&deleted)?;

        // If several conditions fail, the first one decides the outcome.
        let mut transaction = Transaction::new(&self.table);
        transaction.add_conditional(self.mark_live(&keys::event(id), version)?, Lost);
        for index in 0..chunks {
            let chunk = self.clear_expiry(&keys::chunk(id, index))?;
            transaction.add_conditional(chunk, Decided(Restoration::PartlyExpired));
        }
        let kept = poster_expiry::delete_record(&self.table, &thumbnail)?;
        transaction.add_conditional(kept, Decided(Restoration::PartlyExpired));
        ShowLocks::none().replace(&locks, id, &mut transaction, || Decided(Restoration::Claimed))?;
        match transaction.commit().await? {
            Outcome::Written => Ok(Decided(Restoration::Restored)),
            Outcome::ConditionFailed(attempt) => Ok(attempt),
        }
    }

    /// Returns the item of a restorable event, or the reason why there is none.
    async fn restorable_event(&self, id: Uuid) -> Result<Result<Item, Restoration>, Error> {
        let Some(event) = self.table.get(&keys::event(id)).await? else {
            return Ok(Err(Restoration::Gone));
        };
        if event.contains_key(LISTING) {
            return Ok(Err(Restoration::NotDeleted));
        }
        Ok(if is_restorable(&event, since_epoch()?) { Ok(event) } else { Err(Restoration::Gone) })
    }

    /// Lists an event again, on condition that it is restorable and has this version.
    fn mark_live(&self, key: &Key, version: u64) -> Result<TransactWriteItem, Error> {
        let update = self
            .update_item(key)
            .update_expression("SET #listing = :live REMOVE #expires")
            .condition_expression("attribute_not_exists(#listing) AND #expires > :now AND #version = :version")
            .expression_attribute_names("#listing", LISTING)
            .expression_attribute_names("#version", VERSION)
            .expression_attribute_values(":version", version_attribute(version))
            .expression_attribute_values(":live", AttributeValue::S(LIVE.to_owned()))
            .expression_attribute_values(":now", epoch_seconds(since_epoch()?));
        transaction::update(update)
    }

    /// Stops a chunk from expiring, on condition that it exists.
    fn clear_expiry(&self, key: &Key) -> Result<TransactWriteItem, Error> {
        let update = self
            .update_item(key)
            .update_expression("REMOVE #expires")
            .condition_expression("attribute_exists(#pk)")
            .expression_attribute_names("#pk", PARTITION);
        transaction::update(update)
    }

    fn update_item(&self, key: &Key) -> UpdateBuilder {
        Update::builder()
            .table_name(&self.table.name)
            .set_key(Some(key.attributes()))
            .expression_attribute_names("#expires", EXPIRES)
    }
}
