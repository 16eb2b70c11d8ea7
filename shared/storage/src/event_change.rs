//! Changes, deletions and restorations of events.

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
    show_locks::{LockCounts, ShowLocks},
    transaction::{Attempts, Transaction, TransactionError, until_decided},
    write::Write,
};
use domain::{
    error::Error,
    event::{Change, Event, SalesEffect},
    hold::Taken,
    manager::EventScope,
    show::{Notice, Show, ShowChange, ShowId},
};

/// Time for which a deleted event can be restored; its items expire afterwards.
pub const DELETED_EVENT_RETENTION: Duration = Duration::from_hours(30 * 24);

impl Events {
    /// Edits an event, with one read and one transaction, and returns the event as it then is.
    ///
    /// If it removes shows, or hides the event, it also reads the fences of the event, and the states of seats that were
    /// ever taken.
    ///
    /// A new poster must be stored, and scheduled to expire; the old one expires after a day. No version of an event
    /// occurs twice. Read and transaction both check the scope. If a simultaneous change comes first,
    /// the edit is retried on the new version. `expected` are the versions that the client may change; any version if
    /// it is `None`.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns `NoSuchEvent` if no event has the id, `PermissionDenied` if it belongs to
    /// another manager, `PreconditionFailed` if it has another version than the expected ones, `TooManyChanges`,
    /// `SeatsOfEventTaken` if a
    /// seat of a removed show is taken, or one that keeps the event from being hidden, `PosterExpired` if the new poster is
    /// not scheduled to expire, `AlreadyRegistered` if another event has one of the shows, or `TooManyShows` if a lock item
    /// is full. Returns `Database` if the outcome is unknown.
    pub async fn edit(
        &self,
        id: Uuid,
        scope: EventScope,
        expected: Option<&[u64]>,
        change: &Change,
    ) -> Result<Event, Error> {
        self.change(id, scope, expected, |event, _| event.edited(change)).await
    }

    /// Changes a show of an event, with one read and one transaction, and returns the event as it then is.
    ///
    /// Seats of the show stay as they are. Otherwise like [`edit`](Self::edit).
    ///
    /// # Errors
    ///
    /// Returns those of [`edit`](Self::edit), `NoSuchEvent` if the event has no such show, `ShowTimeTaken` if another show
    /// of the event has the new time, and `NoticesTooLong`.
    pub async fn edit_show(
        &self,
        show: ShowId,
        scope: EventScope,
        expected: Option<&[u64]>,
        change: &ShowChange,
    ) -> Result<Event, Error> {
        self.change(show.event, scope, expected, |event, _| event.with_show(show.show, change)).await
    }

    /// Cancels every show of an event that has not begun, with one read and one transaction, and returns the event as it
    /// then is.
    ///
    /// `notice` replaces or removes the notices of these shows. Otherwise like [`edit`](Self::edit).
    ///
    /// # Errors
    ///
    /// Returns those of [`edit`](Self::edit), and `NoticesTooLong`.
    pub async fn cancel(
        &self,
        id: Uuid,
        scope: EventScope,
        expected: Option<&[u64]>,
        notice: Option<&Option<Notice>>,
    ) -> Result<Event, Error> {
        self.change(id, scope, expected, |event, now| event.cancelled(notice.cloned(), now)).await
    }

    async fn change(
        &self,
        id: Uuid,
        scope: EventScope,
        expected: Option<&[u64]>,
        edited: impl Fn(&Event, Duration) -> Result<Option<Event>, Error>,
    ) -> Result<Event, Error> {
        let attempts = &Attempts::default();
        until_decided(&self.table, || self.try_change(id, scope, expected, &edited, attempts)).await
    }

    async fn try_change(
        &self,
        id: Uuid,
        scope: EventScope,
        expected: Option<&[u64]>,
        edited: impl Fn(&Event, Duration) -> Result<Option<Event>, Error>,
        attempts: &Attempts,
    ) -> Result<Event, TransactionError> {
        let record = self.kept_record(id).await?;
        let (event, now) = (record.clone().into_event(), self.clock.now());
        let edited = match edited(&event, now) {
            // An unknown show comes before what the manager may do.
            Err(Error::NoSuchEvent) => return Err(Error::NoSuchEvent.into()),
            edited => edited,
        };
        scope.expect(&event)?;
        if expected.is_some_and(|versions| !versions.contains(&event.version)) {
            return Err(Error::PreconditionFailed.into());
        }
        let Some(edited) = edited? else { return Ok(event) };

        // If several conditions fail, the first one decides: the shows are compared only if the event is unchanged.
        let mut transaction = Transaction::new(&self.table);
        let new_record = EventRecord::new(&edited, record.chunks);
        transaction.add(record.replace(&new_record, scope)?, TransactionError::Lost);
        self.stop_sales(&event, &edited, now, &mut transaction).await?;
        if edited.thumbnail != event.thumbnail {
            transaction.add(poster_expiry::delete_record(&edited.thumbnail), Error::PosterExpired);
            let expires = now + REPLACED_POSTER_RETENTION;
            transaction.add_unconditional(poster_expiry::put_record(&event.thumbnail, expires));
        }
        self.replace_locks(&event, &ShowLocks::new(&edited), attempts, &mut transaction).await?;
        transaction.commit().await?;
        Ok(edited)
    }

    /// Makes sure that simultaneous requests take no seats of shows that are not on sale any more as they read them.
    ///
    /// No seat of a show that is removed may be taken, and none that keeps an event from being hidden.
    async fn stop_sales(
        &self,
        before: &Event,
        after: &Event,
        now: Duration,
        transaction: &mut Transaction<'_>,
    ) -> Result<(), TransactionError> {
        match before.effect_on_sales(after) {
            SalesEffect::None => {}
            SalesEffect::Changes => fence::raise(after, transaction),
            SalesEffect::Ends(shows) => {
                let prevents = |show: &Show, state: Taken| after.is_prevented_by(state, show, now);
                let fences = self.expect_free(before, &shows, prevents).await?;
                fences.raise_if_unused(after, &shows, transaction);
            }
        }
        Ok(())
    }

    /// Deletes an event, with two reads and one transaction; with more reads if a seat was ever taken.
    ///
    /// Removes it from the listing, removes its locks and makes it expire with its poster. Read and transaction
    /// both check the scope. Retries if a simultaneous change comes first.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event has the id, `PermissionDenied` if it belongs to another manager,
    /// `SeatsOfEventTaken` if a taken seat prevents it, `Database` if the outcome is unknown.
    pub async fn delete(&self, id: Uuid, scope: EventScope) -> Result<(), Error> {
        let attempts = &Attempts::default();
        until_decided(&self.table, move || self.try_delete(id, scope, attempts)).await
    }

    async fn try_delete(&self, id: Uuid, scope: EventScope, attempts: &Attempts) -> Result<(), TransactionError> {
        let record = self.kept_record(id).await?;
        let event = record.clone().into_event();
        scope.expect(&event)?;
        let now = self.clock.now();
        let expires = now + DELETED_EVENT_RETENTION;
        let deleted = record.clone().deleted(expires);

        let mut transaction = Transaction::new(&self.table);
        transaction.add(record.replace(&deleted, scope)?, TransactionError::Lost);
        for index in 0..record.chunks {
            let chunk = Write::update(keys::chunk(id, index)).set(EXPIRES, epoch_seconds(expires));
            transaction.add_unconditional(chunk);
        }
        let fences = self.expect_free(&event, &event.shows, |show, state| show.keeps_event(state, now)).await?;
        fences.raise_if_unused(&deleted.into_event(), &event.shows, &mut transaction);
        self.replace_locks(&event, &ShowLocks::none(), attempts, &mut transaction).await?;
        transaction.add_unconditional(poster_expiry::put_record(&event.thumbnail, expires));
        transaction.commit().await
    }

    /// Adds the writes that replace the locks of an event.
    ///
    /// The first attempt supposes that lock items which the event leaves have no shows of other events.
    async fn replace_locks(
        &self,
        event: &Event,
        locks: &ShowLocks,
        attempts: &Attempts,
        transaction: &mut Transaction<'_>,
    ) -> Result<(), Error> {
        let changes = ShowLocks::new(event).changes(locks);
        let counts = if attempts.is_first() { LockCounts::new() } else { changes.read_counts(&self.table).await? };
        changes.write(event.id, &counts, transaction);
        Ok(())
    }

    /// Checks that no seat of these shows is in a state that prevents a change, and returns the fences that it read before.
    ///
    /// Returns `Lost` if the event has changed since it was read, so that the seat may not prevent it any more.
    async fn expect_free(
        &self,
        event: &Event,
        shows: &[Show],
        prevents: impl Fn(&Show, Taken) -> bool,
    ) -> Result<Fences, TransactionError> {
        let fences = Fences::read(&self.table, event.id).await?;
        let known: Vec<_> = shows.iter().filter(|show| fences.know(show.id)).collect();
        if !known.is_empty() {
            let (_, seats) = self.get_including_deleted(event.id).await?;
            let states = SeatStates::new(self.table.clone());
            for show in known {
                let states = states.of_show(show.id, seats.seat_count()).await?;
                if states.into_iter().flatten().any(|state| prevents(show, state)) {
                    let is_same = self.kept_record(event.id).await?.into_event().version == event.version;
                    return Err(if is_same { Error::SeatsOfEventTaken.into() } else { TransactionError::Lost });
                }
            }
        }
        Ok(fences)
    }

    /// Reads an event that is not deleted.
    async fn kept_record(&self, id: Uuid) -> Result<EventRecord, Error> {
        self.record(id).await?.filter(|record| !record.is_deleted()).ok_or(Error::NoSuchEvent)
    }

    /// Restores a deleted event, with one read and one transaction, and returns it.
    ///
    /// Restores the event with its seats, shows and poster, or nothing; an event that is not deleted stays as it is. Read and
    /// transaction both check the scope. Retries if a simultaneous change comes first.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns `NoSuchEvent` if no event has the id, or if a part of it has expired,
    /// `PermissionDenied` if it belongs to another manager, `AlreadyRegistered` if another event has one of
    /// the shows, or `TooManyShows` if a lock item is full. Returns `Database` if the outcome is unknown.
    pub async fn restore(&self, id: Uuid, scope: EventScope) -> Result<Event, Error> {
        until_decided(&self.table, move || self.try_restore(id, scope)).await
    }

    async fn try_restore(&self, id: Uuid, scope: EventScope) -> Result<Event, TransactionError> {
        let record = self.record(id).await?.ok_or(Error::NoSuchEvent)?;
        if record.is_deleted() && !record.is_restorable(self.clock.now()) {
            return Err(Error::NoSuchEvent.into());
        }
        let event = record.clone().into_event();
        scope.expect(&event)?;
        if !record.is_deleted() {
            return Ok(event);
        }

        // If several conditions fail, the first one decides the outcome.
        let mut transaction = Transaction::new(&self.table);
        transaction.add(record.replace(&EventRecord::new(&event, record.chunks), scope)?, TransactionError::Lost);
        for index in 0..record.chunks {
            let chunk = Write::update(keys::chunk(id, index)).remove(EXPIRES).if_present(PARTITION);
            transaction.add(chunk, Error::NoSuchEvent);
        }
        transaction.add(poster_expiry::delete_record(&event.thumbnail), Error::NoSuchEvent);
        ShowLocks::none().changes(&ShowLocks::new(&event)).write(id, &LockCounts::new(), &mut transaction);
        transaction.commit().await?;
        Ok(event)
    }
}
