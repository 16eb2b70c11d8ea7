//! Restoration of deleted events.

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update, builders::UpdateBuilder};
use uuid::Uuid;

use crate::{
    attempt::{Attempt, until_decided},
    event::{Events, Parts, expect_owner, is_restorable, parse_parts, take_string, unchanged},
    expiry::{epoch_seconds, since_epoch},
    keys::{self, EXPIRES, Key, LISTING, LIVE, PARTITION, SUMMARY},
    poster_expiry,
    show_locks::ShowLocks,
    transaction::{self, Outcome, Transaction},
};
use domain::{error::Error, event::Status};

impl Events {
    /// Restores a deleted event, with one read and one transaction, and returns its summary.
    ///
    /// Restores the event with its seats, shows and poster, or nothing; a live event stays as it is. Read and
    /// transaction both check the owner, if one is given. Retries if a simultaneous change comes first.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns `NoSuchEvent` if no event has the id, or if a part of it has expired,
    /// `PermissionDenied` if it belongs to another manager, `AlreadyRegistered` if another live event has one of
    /// the shows, or `TooManyShows` if a lock item is full. Returns `Database` if the outcome is unknown.
    pub async fn restore(&self, id: Uuid, owner: Option<Uuid>) -> Result<String, Error> {
        until_decided(&self.table, move || self.try_restore(id, owner)).await?
    }

    async fn try_restore(&self, id: Uuid, owner: Option<Uuid>) -> Result<Attempt<Result<String, Error>>, Error> {
        use Attempt::{Decided, Lost};
        let mut event = self.table.get(&keys::event(id)).await?.ok_or(Error::NoSuchEvent)?;
        let is_live = event.contains_key(LISTING);
        if !is_live && !is_restorable(&event, since_epoch()?) {
            return Err(Error::NoSuchEvent);
        }
        expect_owner(&event, owner)?;
        if is_live {
            return Ok(Decided(take_string(&mut event, SUMMARY)));
        }
        let Parts { chunks, locks, thumbnail, version } = parse_parts(&event)?;

        // If several conditions fail, the first one decides the outcome.
        let mut transaction = Transaction::new(&self.table);
        transaction.add_conditional(self.mark_live(&keys::event(id), version, owner)?, Lost);
        for index in 0..chunks {
            let chunk = self.clear_expiry(&keys::chunk(id, index))?;
            transaction.add_conditional(chunk, Decided(Err(Error::NoSuchEvent)));
        }
        let kept = poster_expiry::delete_record(&self.table, &thumbnail)?;
        transaction.add_conditional(kept, Decided(Err(Error::NoSuchEvent)));
        ShowLocks::none().replace(&locks, id, &mut transaction, || Decided(Err(Error::AlreadyRegistered)))?;
        match transaction.commit().await? {
            Outcome::Written => Ok(Decided(take_string(&mut event, SUMMARY))),
            Outcome::ConditionFailed(attempt) => Ok(attempt),
        }
    }

    /// Lists an event again, on condition that it is restorable, has this version and is the owner's.
    fn mark_live(&self, key: &Key, version: u64, owner: Option<Uuid>) -> Result<TransactWriteItem, Error> {
        let update = self
            .update_item(key)
            .update_expression("SET #listing = :live REMOVE #expires")
            .expression_attribute_values(":live", AttributeValue::S(LIVE.to_owned()))
            .expression_attribute_values(":now", epoch_seconds(since_epoch()?));
        transaction::update(unchanged(update, Status::Deleted, version, owner))
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
