//! Seats that the manager of an event blocks, so that nobody can hold them, and frees again.

use std::time::Duration;

use domain::{
    clock::Clock,
    error::Error,
    manager::EventScope,
    seats::{blocking, holder::Holder, plan::Plan},
    show::ShowId,
};
use uuid::Uuid;

use crate::{
    events::hall_cache::{Halls, ShowOfEvent},
    seats::{
        fence::Fence,
        seat_plan::{Commit, MAX_BLOCKED_ITEMS},
        seat_states::{SeatStates, by_item},
    },
    table::Table,
    transaction::{TransactionError, until_decided},
};

/// Store of blocked seats.
#[derive(Clone, Debug)]
pub struct Blocks {
    table: Table,
    halls: Halls,
    states: SeatStates,
    clock: Clock,
}

impl Blocks {
    /// Opens the blocked seats in this table.
    #[must_use]
    pub fn new(table: Table, clock: Clock) -> Self {
        Self { halls: Halls::new(table.clone()), states: SeatStates::new(table.clone()), table, clock }
    }

    /// Blocks seats, with one transaction: all of them or none. Those that are blocked already stay blocked.
    ///
    /// # Errors
    ///
    /// Blocks nothing and returns `NoSuchEvent`, also for a draft of others, `NoSuchSeats`, `SeatsTooScattered` if the
    /// seats are in more than 98 items of neighbouring seats, `PermissionDenied` if the scope excludes the event, or
    /// `SeatsTaken` if seats are held or sold. Returns `Database` if the outcome is unknown.
    pub async fn add(&self, show_id: ShowId, scope: EventScope, seats: &[Uuid]) -> Result<(), Error> {
        until_decided(&self.table, move || self.try_add(show_id, scope, seats)).await
    }

    async fn try_add(&self, show_id: ShowId, scope: EventScope, ids: &[Uuid]) -> Result<(), TransactionError> {
        let (show, seats) = self.seats(show_id, scope, ids).await?;
        if by_item(&seats).len() > MAX_BLOCKED_ITEMS {
            return Err(Error::SeatsTooScattered.into());
        }
        scope.expect(&show.event)?;
        let (states, now) = (self.states.of_seats(show_id.show, &seats).await?, self.clock.now());
        let plan = blocking::block(&seats, &states, now)?;
        self.commit(&show, &plan, now).await
    }

    /// Frees those of the seats that are blocked, and returns their number. Scattered seats take several transactions.
    ///
    /// # Errors
    ///
    /// Frees nothing and returns `NoSuchEvent`, also for a draft of others, `NoSuchSeats`, or `PermissionDenied` if the
    /// scope excludes the event. Returns `Database` if the outcome is unknown.
    pub async fn remove(&self, show_id: ShowId, scope: EventScope, ids: &[Uuid]) -> Result<usize, Error> {
        let (show, seats) = self.seats(show_id, scope, ids).await?;
        scope.expect(&show.event)?;
        let mut freed = 0;
        for items in by_item(&seats).chunks(MAX_BLOCKED_ITEMS) {
            let seats = items.concat();
            freed += until_decided(&self.table, || self.try_remove(&show, &seats)).await?;
        }
        Ok(freed)
    }

    async fn try_remove(&self, show: &ShowOfEvent, seats: &[u32]) -> Result<usize, TransactionError> {
        let states = self.states.of_seats(show.show.id, seats).await?;
        let Some(plan) = blocking::unblock(seats, &states) else { return Ok(0) };
        self.commit(show, &plan, self.clock.now()).await?;
        Ok(plan.seats.len())
    }

    async fn commit(&self, show: &ShowOfEvent, plan: &Plan, now: Duration) -> Result<(), TransactionError> {
        let commit = Commit {
            event: &show.event,
            show: show.show.id,
            plan,
            holder: &Holder::default(),
            key: None,
            fence: Fence::any(),
            now,
        };
        commit.transaction(&self.table)?.commit().await
    }

    async fn seats(&self, show_id: ShowId, scope: EventScope, ids: &[Uuid]) -> Result<(ShowOfEvent, Vec<u32>), Error> {
        let show = self.halls.read(show_id.event, []).await?.show(show_id.show, scope)?;
        let seats = show.numbers(ids)?;
        Ok((show, seats))
    }
}
