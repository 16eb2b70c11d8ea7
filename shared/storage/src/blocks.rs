//! Seats that the manager of an event blocks, so that nobody can hold them, and frees again.

use domain::{
    clock::Clock,
    error::{Error, TakenSeat},
    hold::{Taken, block_id},
    manager::EventScope,
    show::ShowId,
};
use uuid::Uuid;

use crate::{
    fence::{self, Fence},
    hall::{Halls, ShowOfEvent},
    seat_states::{Condition, SeatStates, by_item, change},
    table::Table,
    transaction::{Transaction, TransactionError, until_decided},
};

/// Maximum number of items with states of seats in one transaction. DynamoDB allows 100 writes, and a block also
/// counts in a fence.
const ITEMS: usize = 98;

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
        if by_item(&seats).len() > ITEMS {
            return Err(Error::SeatsTooScattered.into());
        }
        scope.expect(&show.event)?;
        let (states, now) = (self.states.of_seats(show_id.show, &seats).await?, self.clock.now());
        let is_taken = |seat: &u32| match states.get(seat) {
            None | Some(Taken::Blocked { .. }) => false,
            Some(state) => state.is_current(now),
        };
        let taken: Vec<_> = (0..)
            .zip(&seats)
            .filter(|(_, seat)| is_taken(seat))
            .map(|(index, _)| TakenSeat { index, is_own: false })
            .collect();
        if !taken.is_empty() {
            return Err(Error::SeatsTaken(taken).into());
        }
        let block = block_id();
        let mut transaction = Transaction::new(&self.table);
        transaction.add(fence::count(&show.event, show_id.show, Fence::any()), TransactionError::Lost);
        let unchanged = |seat| Condition::Is(states.get(&seat).copied());
        for write in change(show_id.show, &seats, Some(Taken::Blocked { block }), unchanged) {
            transaction.add(write, TransactionError::Lost);
        }
        transaction.commit().await
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
        for items in by_item(&seats).chunks(ITEMS) {
            let seats = items.concat();
            freed += until_decided(&self.table, || self.try_free(show_id.show, &seats)).await?;
        }
        Ok(freed)
    }

    async fn try_free(&self, show: Uuid, seats: &[u32]) -> Result<usize, TransactionError> {
        let mut states = self.states.of_seats(show, seats).await?;
        states.retain(|_, state| matches!(state, Taken::Blocked { .. }));
        let blocked: Vec<_> = states.keys().copied().collect();
        if !blocked.is_empty() {
            let mut transaction = Transaction::new(&self.table);
            let unchanged = |seat| Condition::Is(states.get(&seat).copied());
            for write in change(show, &blocked, None, unchanged) {
                transaction.add(write, TransactionError::Lost);
            }
            transaction.commit().await?;
        }
        Ok(blocked.len())
    }

    async fn seats(&self, show_id: ShowId, scope: EventScope, ids: &[Uuid]) -> Result<(ShowOfEvent, Vec<u32>), Error> {
        let show = self.halls.read(show_id.event, []).await?.show(show_id.show, scope)?;
        let seats = show.numbers(ids)?;
        Ok((show, seats))
    }
}
