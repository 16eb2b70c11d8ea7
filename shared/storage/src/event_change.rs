//! Edits, deletions and restorations of events.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    event::Events,
    event_record::EventRecord,
    expiry::epoch_seconds,
    fence::{self, Fences},
    keys::{self, EXPIRES, PARTITION},
    poster_expiry::{self, REPLACED_POSTER_RETENTION},
    seat_states::SeatStates,
    show_locks::ShowLocks,
    transaction::{Transaction, TransactionError, until_decided},
    write::Write,
};
use domain::{
    error::Error,
    event::{Change, Event, Show},
    manager::EventScope,
};

/// Time after its begin from which a show does not prevent the deletion of its event.
const FINISHED: Duration = Duration::from_hours(24);

/// Time for which a deleted event can be restored; its items expire afterwards.
pub const DELETED_EVENT_RETENTION: Duration = Duration::from_hours(30 * 24);

impl Events {
    /// Edits a live event, with one read and one transaction, and returns the event as it then is.
    ///
    /// If it removes shows, it also reads the fences of the event, and the states of seats that were ever taken.
    ///
    /// A new poster must be stored, and scheduled to expire; the old one expires after a day. No version of an event
    /// occurs twice. Read and transaction both check the scope. If a simultaneous change comes first,
    /// the edit is retried on the new version. `expected` are the versions that the client may change; any version if
    /// it is `None`.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns `NoSuchEvent` if no live event has the id, `PermissionDenied` if it belongs to
    /// another manager, `PreconditionFailed` if it has another version than the expected ones, `SeatsOfEventTaken` if a
    /// seat of a removed show is taken, `PosterExpired` if the new poster is not scheduled to expire, `AlreadyRegistered`
    /// if another live event has one of the shows, or `TooManyShows` if a lock item is full. Returns `Database` if the
    /// outcome is unknown.
    pub async fn edit(
        &self,
        id: Uuid,
        scope: EventScope,
        expected: Option<&[u64]>,
        change: &Change,
    ) -> Result<Event, Error> {
        until_decided(&self.table, move || self.try_edit(id, scope, expected, change)).await
    }

    async fn try_edit(
        &self,
        id: Uuid,
        scope: EventScope,
        expected: Option<&[u64]>,
        change: &Change,
    ) -> Result<Event, TransactionError> {
        let record = self.live_record(id, scope).await?;
        let event = record.clone().into_event();
        if expected.is_some_and(|versions| !versions.contains(&event.version)) {
            return Err(Error::PreconditionFailed.into());
        }
        let Some(edited) = event.edited(change) else { return Ok(event) };

        // If several conditions fail, the first one decides: the shows are compared only if the event is unchanged.
        let mut transaction = Transaction::new(&self.table);
        let new_record = EventRecord::live(&edited, record.chunks);
        transaction.add(record.replace(&new_record, scope)?, TransactionError::Lost);
        let removed: Vec<_> = event.shows.iter().filter(|show| !edited.shows.contains(show)).copied().collect();
        if !removed.is_empty() {
            let fences = self.expect_free(id, &removed).await?;
            let shows: Vec<_> = removed.iter().map(|show| show.id).collect();
            fences.remove_shows(&shows, &edited, &mut transaction);
        }
        if edited.thumbnail != event.thumbnail {
            transaction.add(poster_expiry::delete_record(&edited.thumbnail), Error::PosterExpired);
            let expires = self.clock.now() + REPLACED_POSTER_RETENTION;
            transaction.add_unconditional(poster_expiry::put_record(&event.thumbnail, expires));
        }
        ShowLocks::new(&event).replace(&ShowLocks::new(&edited), id, &mut transaction);
        transaction.commit().await?;
        Ok(edited)
    }

    /// Deletes a live event, with two reads and one transaction; with more reads if a seat was ever taken.
    ///
    /// Removes it from the listing, removes its locks and makes it expire with its poster. Read and transaction
    /// both check the scope. Retries if a simultaneous change comes first.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `PermissionDenied` if it belongs to another manager,
    /// `SeatsOfEventTaken` if a seat is taken of a show that has not begun more than a day ago, `Database` if the outcome
    /// is unknown.
    pub async fn delete(&self, id: Uuid, scope: EventScope) -> Result<(), Error> {
        until_decided(&self.table, move || self.try_delete(id, scope)).await
    }

    async fn try_delete(&self, id: Uuid, scope: EventScope) -> Result<(), TransactionError> {
        let record = self.live_record(id, scope).await?;
        let expires = self.clock.now() + DELETED_EVENT_RETENTION;
        let deleted = record.clone().deleted(expires);

        let mut transaction = Transaction::new(&self.table);
        transaction.add(record.replace(&deleted, scope)?, TransactionError::Lost);
        for index in 0..record.chunks {
            let chunk = Write::update(keys::chunk(id, index)).set(EXPIRES, epoch_seconds(expires));
            transaction.add_unconditional(chunk);
        }
        let event = record.into_event();
        let now = self.clock.now();
        let is_open = |show: &&Show| now <= show.instant.since_epoch() + FINISHED;
        let open: Vec<_> = event.shows.iter().filter(is_open).copied().collect();
        self.expect_free(id, &open).await?.close(expires, &mut transaction);
        ShowLocks::new(&event).replace(&ShowLocks::none(), id, &mut transaction);
        transaction.add_unconditional(poster_expiry::put_record(&event.thumbnail, expires));
        transaction.commit().await
    }

    /// Checks that no seat of these shows is taken, and returns the fences that it read before.
    async fn expect_free(&self, id: Uuid, shows: &[Show]) -> Result<Fences, Error> {
        let fences = Fences::read(&self.table, id).await?;
        let known: Vec<_> = shows.iter().filter(|show| fences.know(show.id)).collect();
        if !known.is_empty() {
            let (_, seats) = self.get_including_deleted(id).await?;
            let states = SeatStates::new(self.table.clone());
            for show in known {
                if states.is_any_taken(show.id, seats.seat_count(), self.clock.now()).await? {
                    return Err(Error::SeatsOfEventTaken);
                }
            }
        }
        Ok(fences)
    }

    /// Restores a deleted event, with one read and one transaction, and returns it.
    ///
    /// Restores the event with its seats, shows and poster, or nothing; a live event stays as it is. Read and
    /// transaction both check the scope. Retries if a simultaneous change comes first.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns `NoSuchEvent` if no event has the id, or if a part of it has expired,
    /// `PermissionDenied` if it belongs to another manager, `AlreadyRegistered` if another live event has one of
    /// the shows, or `TooManyShows` if a lock item is full. Returns `Database` if the outcome is unknown.
    pub async fn restore(&self, id: Uuid, scope: EventScope) -> Result<Event, Error> {
        until_decided(&self.table, move || self.try_restore(id, scope)).await
    }

    async fn try_restore(&self, id: Uuid, scope: EventScope) -> Result<Event, TransactionError> {
        let record = self.record(id).await?.ok_or(Error::NoSuchEvent)?;
        if !record.is_live() && !record.is_restorable(self.clock.now()) {
            return Err(Error::NoSuchEvent.into());
        }
        scope.expect(record.manager)?;
        if record.is_live() {
            return Ok(record.into_event());
        }
        let event = record.clone().into_event();

        // If several conditions fail, the first one decides the outcome.
        let mut transaction = Transaction::new(&self.table);
        transaction.add(record.replace(&EventRecord::live(&event, record.chunks), scope)?, TransactionError::Lost);
        for index in 0..record.chunks {
            let chunk = Write::update(keys::chunk(id, index)).remove(EXPIRES).if_present(PARTITION);
            transaction.add(chunk, Error::NoSuchEvent);
        }
        transaction.add(poster_expiry::delete_record(&event.thumbnail), Error::NoSuchEvent);
        ShowLocks::none().replace(&ShowLocks::new(&event), id, &mut transaction);
        fence::open(id, &mut transaction);
        transaction.commit().await?;
        Ok(event)
    }
}
