//! Edits of live events.

use aws_sdk_dynamodb::types::{AttributeValue, Update};
use uuid::Uuid;

use crate::{
    attempt::{Attempt, until_decided},
    event::{Events, LOCKS, Parts, VERSION, parse_parts, search_record, take_string, unchanged, version_attribute},
    expiry::since_epoch,
    keys::{self, SEARCH, SUMMARY},
    poster_expiry::{self, REPLACED_POSTER_RETENTION},
    show_locks::ShowLocks,
    transaction::{Outcome, Transaction, update},
};
use domain::{
    error::Error,
    event::{Details, Status},
};

/// New content of an event.
#[derive(Clone, Debug)]
pub struct Edit {
    /// JSON that clients receive.
    pub summary: String,
    /// Data of the event, with its shows.
    pub details: Details,
    /// File name of the poster that replaces the one of before; none if that stays.
    pub thumbnail: Option<String>,
}

/// Makes the new content of an event from its summary and its new version; none if nothing changes.
pub type Change<'a> = &'a (dyn Fn(&str, u64) -> Result<Option<Edit>, Error> + Sync);

impl Events {
    /// Edits a live event, with one read and one transaction, and returns its summary.
    ///
    /// A new poster must be stored, and scheduled to expire; the old one expires after a day.
    /// No version occurs twice. Read and transaction both check the owner, if one is given. If a simultaneous change
    /// comes first, the edit is retried on the new content.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns `NoSuchEvent` if no live event has the id, `PermissionDenied` if it belongs to
    /// another manager, the error of `change`, `PosterExpired` if the new poster is not scheduled to expire,
    /// `AlreadyRegistered` if another live event has one of the shows, or `TooManyShows` if a lock item is full.
    /// Returns `Database` if the outcome is unknown.
    pub async fn edit(&self, id: Uuid, owner: Option<Uuid>, change: Change<'_>) -> Result<String, Error> {
        until_decided(&self.table, move || self.try_edit(id, owner, change)).await?
    }

    async fn try_edit(
        &self,
        id: Uuid,
        owner: Option<Uuid>,
        change: Change<'_>,
    ) -> Result<Attempt<Result<String, Error>>, Error> {
        let mut event = self.live_event(id, owner).await?;
        let Parts { locks, version, thumbnail: old_thumbnail, .. } = parse_parts(&event)?;
        let current = take_string(&mut event, SUMMARY)?;
        let new_version = version + 1;
        let Some(Edit { summary, details, thumbnail }) = change(&current, new_version)? else {
            return Ok(Attempt::Decided(Ok(current)));
        };
        let new_locks = ShowLocks::new(&details);

        // If several conditions fail, the first one decides: the shows are compared only if the event is unchanged.
        let mut transaction = Transaction::new(&self.table);
        let edited = Update::builder()
            .table_name(&self.table.name)
            .set_key(Some(keys::event(id).attributes()))
            .update_expression("SET #summary = :summary, #search = :search, #locks = :locks, #version = :new_version")
            .expression_attribute_names("#summary", SUMMARY)
            .expression_attribute_names("#search", SEARCH)
            .expression_attribute_names("#locks", LOCKS)
            .expression_attribute_names("#version", VERSION)
            .expression_attribute_values(":summary", AttributeValue::S(summary.clone()))
            .expression_attribute_values(":search", search_record(&details))
            .expression_attribute_values(":locks", AttributeValue::S(new_locks.partition.clone()))
            .expression_attribute_values(":new_version", version_attribute(new_version));
        transaction.add_conditional(update(unchanged(edited, Status::Live, version, owner))?, Attempt::Lost);
        if let Some(thumbnail) = thumbnail {
            let kept = poster_expiry::delete_record(&self.table, &thumbnail)?;
            transaction.add_conditional(kept, Attempt::Decided(Err(Error::PosterExpired)));
            let expires = since_epoch()? + REPLACED_POSTER_RETENTION;
            transaction.add_unconditional(poster_expiry::put_record(&self.table, &old_thumbnail, expires)?);
        }
        locks.replace(&new_locks, id, &mut transaction, || Attempt::Decided(Err(Error::AlreadyRegistered)))?;
        match transaction.commit().await? {
            Outcome::Written => Ok(Attempt::Decided(Ok(summary))),
            Outcome::ConditionFailed(attempt) => Ok(attempt),
        }
    }
}
