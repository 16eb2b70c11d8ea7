//! Admissions: each is a write of the state of its seat, on condition that the seat is sold as it was read.

use std::collections::BTreeMap;

use domain::{
    error::Error,
    manager::EventScope,
    seats::admission::{self, Outcome, Scan, SoldSeat, SoldSeats},
    show::ShowId,
};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use uuid::Uuid;

use crate::{
    events::hall_cache::ShowOfEvent,
    items::Items,
    keys::{self, SEATS_OF_ITEM},
    seats::{
        door::{Door, OpenGate},
        seat_states,
    },
    transaction::{Transaction, TransactionError, until_decided},
    write::Write,
};

/// Maximum number of simultaneous writes.
const WRITES: usize = 16;

impl Door {
    /// Decides scans at a gate, each by itself, and returns their results in their order.
    ///
    /// Makes one read and one write for each item with states of these seats.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome of a scan is unknown. A repetition of scans with ids tells it.
    pub async fn admit(&self, gate: &OpenGate, scans: &[Scan]) -> Result<Vec<Outcome>, Error> {
        let ShowOfEvent { event, show, hall, .. } = &gate.show;
        let mut outcomes = vec![Outcome::Invalid; scans.len()];
        let mut of_items: BTreeMap<u32, Vec<(usize, u32)>> = BTreeMap::new();
        for (index, scan) in scans.iter().enumerate() {
            match admission::seat_of(&scan.ticket, event, show, hall.seat_count()) {
                Ok(seat) => of_items.entry(seat / SEATS_OF_ITEM).or_default().push((index, seat)),
                Err(outcome) => outcomes[index] = outcome,
            }
        }
        let items = of_items.into_iter().map(|(item, of_item)| async move {
            until_decided(&self.table, || self.try_admit(gate, scans, item, &of_item)).await
        });
        let decided: Vec<_> = stream::iter(items).buffer_unordered(WRITES).try_concat().await?;
        for (index, outcome) in decided {
            outcomes[index] = outcome;
        }
        Ok(outcomes)
    }

    /// Decides those scans whose seats are in one item, one after the other.
    async fn try_admit(
        &self,
        gate: &OpenGate,
        scans: &[Scan],
        item: u32,
        of_item: &[(usize, u32)],
    ) -> Result<Vec<(usize, Outcome)>, TransactionError> {
        let (show_id, now) = (gate.show.id(), self.clock.now());
        let before = self.sold_in(show_id.show, item).await?;
        let (mut seats, mut outcomes) = (before.clone(), Vec::new());
        for &(index, seat) in of_item {
            let scan = &scans[index];
            let (outcome, changed) = admission::admit((seat, seats.get(&seat)), scan, (gate.number, gate.gate()), now);
            seats.extend(changed.map(|changed| (seat, changed)));
            outcomes.push((index, outcome));
        }
        if let Some(write) = write(show_id, item, &before, &seats) {
            // After a lost response, the repetition finds the marks of these scans.
            self.table.update(write).await?;
        }
        Ok(outcomes)
    }

    /// Takes the admission of a seat's ticket back; returns false if it is not admitted.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchSeats` if the event has no such seat, `Database` if the outcome is unknown.
    pub async fn remove_admission(&self, gate: &OpenGate, seat: Uuid) -> Result<bool, Error> {
        let seat = gate.show.numbers(&[seat])?[0];
        until_decided(&self.table, || self.try_remove(gate.show.id(), seat)).await
    }

    async fn try_remove(&self, show: ShowId, seat: u32) -> Result<bool, TransactionError> {
        let item = seat / SEATS_OF_ITEM;
        let before = self.sold_in(show.show, item).await?;
        let Some(removed) = before.get(&seat).and_then(SoldSeat::removed) else { return Ok(false) };
        let mut seats = before.clone();
        seats.insert(seat, removed);
        // Unlike an update, a repeated transaction after a lost response tells that it removed the admission.
        let mut transaction = Transaction::new(&self.table);
        let Some(write) = write(show, item, &before, &seats) else { return Ok(false) };
        transaction.add(write, TransactionError::Lost);
        transaction.commit().await?;
        Ok(true)
    }

    async fn sold_in(&self, show: Uuid, item: u32) -> Result<SoldSeats, Error> {
        let key = keys::seat_states(show, item);
        let found = Items::read(&self.table, [key.clone()]).await?.take(&key);
        found.map_or_else(|| Ok(SoldSeats::new()), |item| seat_states::read_sold(&item))
    }

    /// Returns a show and its sold seats, for those who sell them, with one read and a query for each 2,048 seats.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event with the show exists for the scope, `PermissionDenied` if it excludes the
    /// event, or `Database` if a read fails.
    pub async fn count(&self, show_id: ShowId, scope: EventScope) -> Result<(ShowOfEvent, SoldSeats), Error> {
        let show = self.halls.read(show_id.event, []).await?.show_in_scope(show_id.show, scope)?;
        let seats = self.sold_seats(&show).await?;
        Ok((show, seats))
    }

    /// Returns the sold seats of a show, with a query for each 2,048 seats.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a query fails.
    pub async fn sold_seats(&self, show: &ShowOfEvent) -> Result<SoldSeats, Error> {
        self.states.sold(show.show.id, show.hall.seat_count()).await
    }
}

/// Builds the write of the seats that changed, if they are as they were read; `None` if none did.
fn write(show: ShowId, item: u32, before: &SoldSeats, seats: &SoldSeats) -> Option<Write> {
    let mut changed = seats.iter().filter(|(seat, sold)| before.get(seat) != Some(sold)).peekable();
    changed.peek()?;
    let write = seat_states::with_event(Write::update(keys::seat_states(show.show, item)), show.event);
    Some(changed.fold(write, |write, (seat, sold)| seat_states::replace_sold(write, *seat, &before[seat], sold)))
}
