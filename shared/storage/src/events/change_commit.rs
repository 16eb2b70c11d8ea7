//! Commits changes of events: all their writes in one transaction, under the conditions that were read.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use uuid::Uuid;

use crate::{
    events::{
        event_record::EventRecord,
        event_store::Events,
        poster_expiry,
        sales_pause::TRIES_OF_PAUSE,
        show_locks::{LockChanges, LockCounts, ShowLocks},
    },
    keys::{self, EXPIRES, PARTITION},
    notices::{notice_record::put_notice, notice_store},
    seats::{
        fence::{self, Fences},
        seat_states::SeatStates,
    },
    table::epoch_seconds,
    transaction::{Attempts, Transaction, TransactionError, until_decided},
    write::Write,
};
use domain::{
    error::Error,
    event::Event,
    event_change::{self, Edit, ExpectedVersion, Plan, SalesEffect},
    manager::EventScope,
    notice::{BuyerNotice, Telling, WINDOW},
    show::Show,
};

/// Outcomes of the earlier attempts of a change.
#[derive(Debug, Default)]
struct Earlier {
    attempts: Attempts,
    /// True if transactions that took seats left no moment for one of them.
    met_conflict: AtomicBool,
}

impl Events {
    /// Edits an event, with one read and one transaction, and returns the event as it then is.
    ///
    /// If buyers of its shows are told, it also reads the notices of a day, and stores one.
    ///
    /// If it removes shows, or hides the event, it also reads the fences of the event, and the states of seats that
    /// were ever taken.
    ///
    /// A new poster must be stored, and scheduled to expire; the old one expires after a day. No version of an event
    /// occurs twice. If a simultaneous change comes first, the edit is retried on the new version.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns an error of [`event_change::edit`], `SeatsOfEventTaken` if a seat of a removed show
    /// is taken, or one that keeps the event from being hidden, `PosterExpired` if the new poster is not scheduled to
    /// expire, `AlreadyRegistered` if another event has one of the shows, `TooManyShows` if a lock item is full, or
    /// `TooManyNotices`. Returns `Database` if the outcome is unknown.
    pub async fn edit(
        &self,
        id: Uuid,
        scope: EventScope,
        expected: &ExpectedVersion,
        edit: Edit<'_>,
        telling: Telling,
    ) -> Result<Event, Error> {
        self.change(id, scope, |event, now| event_change::edit(event, scope, expected, edit, telling, now)).await
    }

    /// Deletes an event, with two reads and one transaction; with more reads if a seat was ever taken.
    ///
    /// Removes it from the listing, removes its locks and makes it expire with its poster.
    ///
    /// # Errors
    ///
    /// Returns an error of [`event_change::delete`], `SeatsOfEventTaken` if a taken seat prevents it, `Database` if the
    /// outcome is unknown.
    pub async fn delete(&self, id: Uuid, scope: EventScope) -> Result<(), Error> {
        self.change(id, scope, |event, now| event_change::delete(event, scope, now)).await.map(drop)
    }

    /// Restores a deleted event, with one read and one transaction, and returns it.
    ///
    /// Restores the event with its seats, shows and poster, or nothing; an event that is not deleted stays as it is.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns an error of [`event_change::restore`], `NoSuchEvent` also if a part of the event has
    /// expired, `AlreadyRegistered` if another event has one of the shows, or `TooManyShows` if a lock item is full.
    /// Returns `Database` if the outcome is unknown.
    pub async fn restore(&self, id: Uuid, scope: EventScope) -> Result<Event, Error> {
        self.change(id, scope, |event, now| event_change::restore(event, scope, now)).await
    }

    /// Reads an event, plans its change and commits the plan; again, if a simultaneous change comes first.
    ///
    /// If the change needs a moment in which nobody takes seats, and there was none, it pauses the sales. Both the plan
    /// and the transaction check the scope.
    async fn change(
        &self,
        id: Uuid,
        scope: EventScope,
        plan: impl Fn(&Event, Duration) -> Result<Option<Plan>, Error>,
    ) -> Result<Event, Error> {
        let earlier = &Earlier::default();
        let plan = &plan;
        until_decided(&self.table, || async move {
            let record = self.record(id).await?.ok_or(Error::NoSuchEvent)?;
            let (event, now) = (record.clone().into_event(), self.clock.now());
            match plan(&event, now)? {
                Some(plan) => self.commit(&record, &event, plan, scope, now, earlier).await,
                None => Ok(event),
            }
        })
        .await
    }

    async fn commit(
        &self,
        record: &EventRecord,
        before: &Event,
        plan: Plan,
        scope: EventScope,
        now: Duration,
        earlier: &Earlier,
    ) -> Result<Event, TransactionError> {
        let locks = ShowLocks::new(before).changes(&ShowLocks::new(&plan.event));
        let notice = if plan.tells_buyers { Some(self.notice(before, &plan, &locks, now).await?) } else { None };
        let is_paused = plan.sales != SalesEffect::None && earlier.met_conflict.load(Ordering::Relaxed);
        if is_paused {
            self.pause_sales(before.id, before.version, now).await?;
        }
        // If several conditions fail, the first one decides: the shows are compared only if the event is unchanged.
        let mut transaction = Transaction::new(&self.table);
        let new_record = EventRecord::new(&plan.event, record.chunks);
        transaction.add(record.replace(&new_record, scope, now)?, TransactionError::Lost);
        if let Some(notice) = &notice {
            transaction.add(put_notice(notice)?, Error::unexpected("new notice already exists"));
        }
        write_chunks(before, &plan, record.chunks, &mut transaction);
        match &plan.sales {
            SalesEffect::None => {}
            SalesEffect::Changes => fence::raise(&plan.event, &mut transaction),
            SalesEffect::Ends(shows) => {
                let fences = self.expect_not_prevented(before, &plan, shows, now).await?;
                fences.raise_if_unused(&plan.event, shows, &mut transaction);
            }
        }
        write_posters(before, &plan, &mut transaction);
        // The first attempt supposes that lock items which the event leaves have no shows of other events.
        let counts =
            if earlier.attempts.is_first() { LockCounts::new() } else { locks.read_counts(&self.table).await? };
        locks.write(before.id, &counts, &mut transaction);
        if plan.sales == SalesEffect::None {
            transaction.commit().await?;
        } else if !transaction.commit_within(if is_paused { TRIES_OF_PAUSE } else { Duration::ZERO }).await? {
            earlier.met_conflict.store(true, Ordering::Relaxed);
            return Err(TransactionError::Lost);
        }
        Ok(plan.event)
    }

    /// Builds the notice to the buyers of the changed shows. Its limit is the last check of a change.
    ///
    /// The notices that it reads cannot become more before the transaction, since each also changes the event.
    async fn notice(
        &self,
        before: &Event,
        plan: &Plan,
        locks: &LockChanges,
        now: Duration,
    ) -> Result<BuyerNotice, Error> {
        let recent = notice_store::since(&self.table, before.id, now.saturating_sub(WINDOW), now).await?;
        let notice = BuyerNotice::of_change(before, &plan.event, &recent, now);
        if notice.is_err() {
            locks.expect_free(&self.table).await?;
        }
        notice
    }

    /// Checks that no seat of the shows that end prevents a plan, and returns the fences that it read before.
    ///
    /// Returns `Lost` if the event has changed since it was read, so that the seat may not prevent it any more.
    async fn expect_not_prevented(
        &self,
        before: &Event,
        plan: &Plan,
        shows: &[Show],
        now: Duration,
    ) -> Result<Fences, TransactionError> {
        let fences = Fences::read(&self.table, before.id).await?;
        let known: Vec<_> = shows.iter().filter(|show| fences.know(show.id)).collect();
        if !known.is_empty() {
            let (_, seats) = self.get_including_deleted(before.id).await?;
            let states = SeatStates::new(self.table.clone());
            for show in known {
                let states = states.of_show(show.id, seats.seat_count()).await?;
                if states.into_iter().flatten().any(|state| plan.is_prevented_by(state, show, now)) {
                    let newest = self.record(before.id).await?.map(EventRecord::into_event);
                    let is_same = newest.is_some_and(|newest| newest.version == before.version);
                    return Err(if is_same { Error::SeatsOfEventTaken.into() } else { TransactionError::Lost });
                }
            }
        }
        Ok(fences)
    }
}

/// Adds the writes that make the chunks of a seat map expire with a deleted event, or stay with a restored one.
fn write_chunks(before: &Event, plan: &Plan, count: usize, transaction: &mut Transaction) {
    for index in 0..count {
        let chunk = Write::update(keys::chunk(before.id, index));
        match plan.event.restorable_until {
            Some(expires) => transaction.add_unconditional(chunk.set(EXPIRES, epoch_seconds(expires))),
            None if before.is_deleted() => {
                transaction.add(chunk.remove(EXPIRES).if_present(PARTITION), Error::NoSuchEvent);
            }
            None => {}
        }
    }
}

/// Adds the writes by which the new poster stays, and the old one expires.
fn write_posters(before: &Event, plan: &Plan, transaction: &mut Transaction) {
    if let Some(poster) = &plan.new_poster {
        let if_expired = if before.is_deleted() { Error::NoSuchEvent } else { Error::PosterExpired };
        transaction.add(poster_expiry::delete_record(poster), if_expired);
    }
    if let Some((poster, expires)) = &plan.old_poster {
        transaction.add_unconditional(poster_expiry::put_record(poster, *expires));
    }
}
