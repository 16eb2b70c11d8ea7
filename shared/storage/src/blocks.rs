//! Seats that the manager of an event blocks, so that nobody can hold them, and frees again.

use std::{collections::BTreeMap, time::Duration};

use domain::{
    clock::Clock,
    error::Error,
    hold::{Taken, block_id, kept_until},
};
use uuid::Uuid;

use crate::{
    fence,
    hall::{Halls, ShowOfEvent},
    holds::ShowId,
    keys::SEATS_OF_ITEM,
    seat_states::{Condition, SeatStates, change},
    table::Table,
    transaction::{Transaction, TransactionError, until_decided},
};

/// Maximum number of items with states of seats that one transaction writes; DynamoDB allows 100 writes.
const ITEMS: usize = 99;

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

    /// Blocks seats: all of them or none. Those that are blocked already stay blocked.
    ///
    /// Seats in more than 99 items take several transactions. If a later one fails, the seats of the earlier ones are
    /// freed again, unless another request has blocked them meanwhile. Until then others see them blocked.
    ///
    /// # Errors
    ///
    /// Blocks nothing and returns `NoSuchEvent`, `NoSuchSeats`, `PermissionDenied` if the event belongs to another
    /// manager than the owner, or `SeatsTaken` if seats are held or sold. Returns `Database` if the outcome is unknown.
    pub async fn add(&self, place: ShowId, owner: Option<Uuid>, seats: &[Uuid]) -> Result<(), Error> {
        until_decided(&self.table, move || self.try_add(place, owner, seats)).await
    }

    async fn try_add(&self, place: ShowId, owner: Option<Uuid>, ids: &[Uuid]) -> Result<(), TransactionError> {
        let (show, seats) = self.seats(place, owner, ids).await?;
        let (states, now) = (self.states.of_seats(place.show, &seats).await?, self.clock.now());
        let is_blocked = |seat: &u32| matches!(states.get(seat), Some(Taken::Blocked { .. }));
        let is_taken = |seat: &u32| !is_blocked(seat) && states.get(seat).is_some_and(|state| state.is_current(now));
        let taken: Vec<_> = (0..).zip(&seats).filter(|(_, seat)| is_taken(seat)).map(|(index, _)| index).collect();
        if !taken.is_empty() {
            return Err(Error::SeatsTaken(taken).into());
        }
        // Those that are blocked already get the new block, too, so that the request that blocked them cannot free them.
        let block = block_id();
        let expires = kept_until(&show.show, now);
        let mut done = Vec::new();
        for batch in batches(&seats) {
            let mut transaction = Transaction::new(&self.table);
            transaction.add(fence::count(&show.event, place.show, block), TransactionError::Lost);
            let unchanged = |seat| Condition::Is(states.get(&seat).copied());
            for write in change(place.show, &batch, Some(Taken::Blocked { block }), unchanged, expires) {
                transaction.add(write, TransactionError::Lost);
            }
            if let Err(error) = transaction.commit().await {
                self.free(place.show, &done, Some(block)).await?;
                return Err(error);
            }
            done.extend(batch.into_iter().filter(|seat| !is_blocked(seat)));
        }
        Ok(())
    }

    /// Frees those of the seats that are blocked, and returns their number.
    ///
    /// # Errors
    ///
    /// Frees nothing and returns `NoSuchEvent`, `NoSuchSeats`, or `PermissionDenied` if the event belongs to another
    /// manager than the owner. Returns `Database` if the outcome is unknown.
    pub async fn remove(&self, place: ShowId, owner: Option<Uuid>, seats: &[Uuid]) -> Result<usize, Error> {
        let (_, seats) = self.seats(place, owner, seats).await?;
        self.free(place.show, &seats, None).await
    }

    /// Frees those of the seats that a block has, or any block, and returns their number.
    async fn free(&self, show: Uuid, seats: &[u32], block: Option<Uuid>) -> Result<usize, Error> {
        let mut freed = 0;
        for batch in batches(seats) {
            freed += until_decided(&self.table, || self.try_free(show, &batch, block)).await?;
        }
        Ok(freed)
    }

    async fn try_free(&self, show: Uuid, seats: &[u32], block: Option<Uuid>) -> Result<usize, TransactionError> {
        let mut states = self.states.of_seats(show, seats).await?;
        states.retain(
            |_, state| matches!(state, Taken::Blocked { block: own } if block.is_none_or(|block| block == *own)),
        );
        let blocked: Vec<_> = states.keys().copied().collect();
        if !blocked.is_empty() {
            let mut transaction = Transaction::new(&self.table);
            let unchanged = |seat| Condition::Is(states.get(&seat).copied());
            for write in change(show, &blocked, None, unchanged, Duration::ZERO) {
                transaction.add(write, TransactionError::Lost);
            }
            transaction.commit().await?;
        }
        Ok(blocked.len())
    }

    async fn seats(&self, place: ShowId, owner: Option<Uuid>, ids: &[Uuid]) -> Result<(ShowOfEvent, Vec<u32>), Error> {
        let show = self.halls.read(place.event, []).await?.show(place.show)?;
        let seats = show.numbers(ids)?;
        show.expect_owner(owner)?;
        Ok((show, seats))
    }
}

/// Divides seats so that those of each part are in at most [`ITEMS`] items.
fn batches(seats: &[u32]) -> Vec<Vec<u32>> {
    let mut items = BTreeMap::<_, Vec<_>>::new();
    for &seat in seats {
        items.entry(seat / SEATS_OF_ITEM).or_default().push(seat);
    }
    let items: Vec<_> = items.into_values().collect();
    items.chunks(ITEMS).map(<[_]>::concat).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_of_99_items() {
        let seats: Vec<_> = (0..500).map(|row| row * SEATS_OF_ITEM).collect();
        let sizes: Vec<_> = batches(&seats).iter().map(Vec::len).collect();
        assert_eq!(sizes, [99, 99, 99, 99, 99, 5]);
        assert_eq!(batches(&(0..500).collect::<Vec<_>>()).len(), 1);
        assert!(batches(&[]).is_empty());
    }
}
