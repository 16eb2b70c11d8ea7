//! Items that remain of an event after its record has expired.
//!
//! Gates, fences, states of seats, labels of blocked ones, confirmed holds, and holders with such a hold stay as long
//! as the event. They have no time to live, because a show can be moved at any time. So they are removed after the
//! event.

use domain::{clock::Clock, error::Error, hold::Taken};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use seating::seat_map::MAX_HALL_SEATS;
use uuid::Uuid;

use crate::{
    items::Items,
    keys::{self, Key, SEATS_OF_PARTITION},
    seats::{
        fence::Fences,
        hold_record::read_hold,
        seat_states::{self, SeatStates},
    },
    table::{Table, failure},
};

/// Maximum number of simultaneous deletions.
const DELETIONS: usize = 16;

/// Store of what remains of removed events.
#[derive(Debug)]
pub struct RemovedEvents {
    table: Table,
    states: SeatStates,
}

impl RemovedEvents {
    /// Opens the remains in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { states: SeatStates::new(table.clone()), table }
    }

    /// Removes the items that remain of an event, unless the event still exists.
    ///
    /// The fences go last, because they name the shows with taken seats. So a repetition continues where this failed.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a call fails.
    pub async fn remove(&self, event: Uuid) -> Result<(), Error> {
        if self.table.get(&keys::event(event)).await?.is_some() {
            tracing::warn!(%event, "expired event still exists");
            return Ok(());
        }
        self.remove_gates(event).await?;
        for show in Fences::read(&self.table, event).await?.shows(event) {
            for first in (0..MAX_HALL_SEATS).step_by(SEATS_OF_PARTITION as usize) {
                self.remove_part(show, u32::try_from(first).map_err(Error::unexpected)?).await?;
            }
            self.table.delete(&keys::block_labels(show)).await?;
        }
        self.delete(Fences::keys(event)).await
    }

    /// Removes the gates of all shows of an event.
    async fn remove_gates(&self, event: Uuid) -> Result<(), Error> {
        let gates = self.table.query(keys::gates_partition(event)).into_paginator().items();
        let gates: Result<Vec<_>, _> = gates.send().collect().await;
        self.delete(gates.map_err(failure)?.iter().filter_map(Key::of).collect()).await
    }

    /// Removes the states of seats in the part of the hall that begins with a seat, after the confirmed holds that they
    /// name and the holders of these.
    async fn remove_part(&self, show: Uuid, first: u32) -> Result<(), Error> {
        let items = self.states.items(show, first).await?;
        let mut sold = Vec::new();
        for item in &items {
            sold.extend(seat_states::read(item)?.into_iter().filter_map(|(_, state)| match state {
                Taken::Sold { hold } => Some(hold),
                Taken::Held { .. } | Taken::Blocked { .. } => None,
            }));
        }
        sold.sort_unstable();
        sold.dedup();
        let mut holds = Items::read(&self.table, sold.iter().map(|id| keys::hold(*id))).await?;
        let mut remains = Vec::new();
        for id in sold {
            let Some(item) = holds.take(&keys::hold(id)) else { continue };
            let member = read_hold(id, item, Clock::default().now())?.and_then(|hold| hold.member);
            remains.extend(member.map(|member| keys::holder(show, member)));
            remains.push(keys::hold(id));
        }
        self.delete(remains).await?;
        self.delete(items.iter().filter_map(Key::of).collect()).await
    }

    async fn delete(&self, keys: Vec<Key>) -> Result<(), Error> {
        let delete = async |key: Key| self.table.delete(&key).await;
        stream::iter(keys).map(delete).buffer_unordered(DELETIONS).try_collect().await
    }
}
