//! Shows with the states of their seats.

use std::{sync::Arc, time::Duration};

use domain::{clock::Clock, error::Error, event::Event, hold::Taken, manager::EventScope, show::ShowId};
use seating::seat_map::SeatMap;

use crate::{
    events::hall_cache::{Halls, ShowOfEvent},
    seats::seat_states::SeatStates,
    table::Table,
    transaction::{TransactionError, until_decided},
};

/// Store of the shows.
#[derive(Clone, Debug)]
pub struct Shows {
    table: Table,
    halls: Halls,
    states: SeatStates,
    clock: Clock,
}

/// Show with the states of its seats at a time.
#[derive(Debug)]
pub struct ShowSeats {
    /// The event.
    pub event: Event,
    /// Areas and seats of the event.
    pub hall: Arc<SeatMap>,
    /// State of each seat of the hall; `None` is free.
    pub states: Vec<Option<Taken>>,
    /// Time since 1970.
    pub now: Duration,
}

impl Shows {
    /// Opens the shows in this table.
    #[must_use]
    pub fn new(table: Table, clock: Clock) -> Self {
        Self { halls: Halls::new(table.clone()), states: SeatStates::new(table.clone()), table, clock }
    }

    /// Returns a show with the states of its seats, with one read and a query for each 2,048 seats.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no live event has the show, `Database` if a read fails.
    pub async fn get(&self, show_id: ShowId) -> Result<ShowSeats, Error> {
        let found = self.halls.read(show_id.event, []).await?.show(show_id.show, EventScope::PUBLIC)?;
        self.seats(found).await
    }

    /// Returns a show with the states of its seats for those who sell them, also of a draft.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event with the show exists for the scope, `PermissionDenied` if it excludes the
    /// event, `Database` if a read fails.
    pub async fn get_for_seller(&self, show_id: ShowId, scope: EventScope) -> Result<ShowSeats, Error> {
        let found = self.halls.read(show_id.event, []).await?.show_in_scope(show_id.show, scope)?;
        self.seats(found).await
    }

    async fn seats(&self, found: ShowOfEvent) -> Result<ShowSeats, Error> {
        let (states, now) = until_decided(&self.table, || self.states_of(&found)).await?;
        Ok(ShowSeats { event: found.event, hall: found.hall, states, now })
    }

    /// Returns the states of the seats of a show, and a time at which they were so.
    async fn states_of(&self, found: &ShowOfEvent) -> Result<(Vec<Option<Taken>>, Duration), TransactionError> {
        let before = self.clock.now();
        let states = self.states.of_show(found.show.id, found.hall.seat_count()).await?;
        let now = self.clock.now();
        // A hold that expired during the read may have been replaced after it.
        let is_same = states.iter().flatten().all(|state| state.is_current(before) == state.is_current(now));
        if is_same { Ok((states, now)) } else { Err(TransactionError::Lost) }
    }
}
