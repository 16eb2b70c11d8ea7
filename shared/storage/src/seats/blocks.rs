//! Seats that the manager of an event blocks, so that nobody can hold them, and frees again.

use std::time::Duration;

use domain::{
    clock::Clock,
    error::Error,
    manager::EventScope,
    seats::{
        blocking::{self, Labels, UNLABELLED},
        holder::Holder,
        plan::{Plan, States},
    },
    show::ShowId,
    text::Label,
};
use uuid::Uuid;

use crate::{
    events::hall_cache::{Halls, ShowOfEvent},
    items::Items,
    keys,
    seats::{
        block_labels::BlockLabels,
        fence::Fence,
        seat_plan::{Commit, MAX_BLOCKED_ITEMS},
        seat_states::{SeatStates, by_item},
    },
    table::Table,
    transaction::{TransactionError, until_decided},
    write::Write,
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
    /// All of them get the label, if there is one; it takes a query for each 2,048 seats of the hall.
    ///
    /// # Errors
    ///
    /// Blocks nothing and returns `NoSuchEvent`, also for a draft of others, `NoSuchSeats`, `SeatsTooScattered` if the
    /// seats are in more than 98 items of neighbouring seats, `PermissionDenied` if the scope excludes the event,
    /// `TooManyLabels` if the show would have more than 100, or `SeatsTaken` if seats are held or sold. Returns
    /// `Database` if the outcome is unknown.
    pub async fn add(
        &self,
        show_id: ShowId,
        scope: EventScope,
        seats: &[Uuid],
        label: Option<&Label>,
    ) -> Result<(), Error> {
        until_decided(&self.table, move || self.try_add(show_id, scope, seats, label)).await
    }

    async fn try_add(
        &self,
        show_id: ShowId,
        scope: EventScope,
        ids: &[Uuid],
        label: Option<&Label>,
    ) -> Result<(), TransactionError> {
        let labels = label.map(|_| keys::block_labels(show_id.show));
        let mut read = self.halls.read(show_id.event, labels).await?;
        let show = read.show(show_id.show, scope)?;
        let seats = show.numbers(ids)?;
        if by_item(&seats).len() > MAX_BLOCKED_ITEMS {
            return Err(Error::SeatsTooScattered.into());
        }
        scope.expect(&show.event)?;
        let Some(label) = label else {
            let (states, now) = (self.states.of_seats(show_id.show, &seats).await?, self.clock.now());
            return self.commit(&show, &blocking::block(&seats, &states, now)?, None, now).await;
        };
        let before = BlockLabels::take(&mut read.items, show_id.show)?;
        let (states, now) = (self.all_states(&show).await?, self.clock.now());
        let (plan, labels) = blocking::block_with_label(&seats, &states, &before.labels(), label, now)?;
        self.commit(&show, &plan, Some(before.replace(show_id.show, &labels)?), now).await
    }

    /// Frees those of the seats that are blocked, and returns their number. Scattered seats take several transactions.
    ///
    /// # Errors
    ///
    /// Frees nothing and returns `NoSuchEvent`, also for a draft of others, `NoSuchSeats`, or `PermissionDenied` if the
    /// scope excludes the event. Returns `Database` if the outcome is unknown.
    pub async fn remove(&self, show_id: ShowId, scope: EventScope, ids: &[Uuid]) -> Result<usize, Error> {
        let show = self.halls.read(show_id.event, []).await?.show(show_id.show, scope)?;
        let seats = show.numbers(ids)?;
        scope.expect(&show.event)?;
        self.free(&show, &seats, None).await
    }

    /// Frees all seats that are blocked with a label, and returns their number. Scattered seats take several
    /// transactions.
    ///
    /// # Errors
    ///
    /// Frees nothing and returns `NoSuchEvent`, also for a draft of others, or `PermissionDenied` if the scope excludes
    /// the event. Returns `Database` if the outcome is unknown.
    pub async fn remove_label(&self, show_id: ShowId, scope: EventScope, label: &Label) -> Result<usize, Error> {
        let show = self.halls.read(show_id.event, []).await?.show_in_scope(show_id.show, scope)?;
        let block = blocking::block_of(label);
        let states = self.all_states(&show).await?;
        let seats = states.into_iter().filter(|(_, state)| state.block() == Some(block)).map(|(seat, _)| seat);
        self.free(&show, &seats.collect::<Vec<_>>(), Some(block)).await
    }

    /// Returns a show with the states of its seats, and the labels of those that are blocked.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent`, also for a draft of others, `PermissionDenied` if the scope excludes the event, or
    /// `Database` if a read fails.
    pub async fn list(&self, show_id: ShowId, scope: EventScope) -> Result<(ShowOfEvent, States, Labels), Error> {
        let show = self.halls.read(show_id.event, []).await?.show_in_scope(show_id.show, scope)?;
        let (states, labels) = until_decided(&self.table, || self.labelled_states(&show)).await?;
        Ok((show, states, labels))
    }

    /// Reads the states of all seats, and then their labels. Returns `Lost` if a label has been replaced in between.
    async fn labelled_states(&self, show: &ShowOfEvent) -> Result<(States, Labels), TransactionError> {
        let states = self.all_states(show).await?;
        let mut items = Items::read(&self.table, [keys::block_labels(show.show.id)]).await?;
        let labels = BlockLabels::take(&mut items, show.show.id)?.labels();
        let is_known = |block| block == UNLABELLED || labels.contains_key(&block);
        if states.values().filter_map(|state| state.block()).all(is_known) {
            Ok((states, labels))
        } else {
            Err(TransactionError::Lost)
        }
    }

    async fn all_states(&self, show: &ShowOfEvent) -> Result<States, Error> {
        let states = self.states.of_show(show.show.id, show.hall.seat_count()).await?;
        Ok((0..).zip(states).filter_map(|(seat, state)| Some((seat, state?))).collect())
    }

    /// Frees those of the seats that are blocked, or that have this block.
    async fn free(&self, show: &ShowOfEvent, seats: &[u32], block: Option<Uuid>) -> Result<usize, Error> {
        let mut freed = 0;
        for items in by_item(seats).chunks(MAX_BLOCKED_ITEMS) {
            let seats = items.concat();
            freed += until_decided(&self.table, || self.try_free(show, &seats, block)).await?;
        }
        Ok(freed)
    }

    async fn try_free(
        &self,
        show: &ShowOfEvent,
        seats: &[u32],
        block: Option<Uuid>,
    ) -> Result<usize, TransactionError> {
        let states = self.states.of_seats(show.show.id, seats).await?;
        let Some(plan) = blocking::unblock(seats, &states, block) else { return Ok(0) };
        self.commit(show, &plan, None, self.clock.now()).await?;
        Ok(plan.seats.len())
    }

    async fn commit(
        &self,
        show: &ShowOfEvent,
        plan: &Plan,
        labels: Option<Write>,
        now: Duration,
    ) -> Result<(), TransactionError> {
        let (fence, holder) = (Fence::any(), &Holder::default());
        let commit = Commit { show, plan, holder, key: None, fence, now };
        let mut transaction = commit.transaction(&self.table)?;
        if let Some(labels) = labels {
            transaction.add(labels, TransactionError::Lost);
        }
        transaction.commit().await
    }
}
