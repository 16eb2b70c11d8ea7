//! Plans: decisions about seats of a show that a store commits as a whole or not at all.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    error::{Error, TakenSeat},
    hold::{Hold, HoldState, OrderId, Taken},
    hold_limits::RecentHolds,
    seats::holder::Holder,
};

/// States of those seats that were taken once, by the numbers of the seats; any other seat is free.
pub type States = BTreeMap<u32, Taken>;

/// Change of seats of a show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Numbers of the seats, and what each of them must be at the moment of the write.
    pub seats: Vec<(u32, Expected)>,
    /// State that the seats get, unless they stay as they are; `None` frees them.
    pub state: Option<Taken>,
    /// Change of their hold; `None` if they are blocked or freed by the manager.
    pub hold: Option<HoldChange>,
}

impl Plan {
    /// Returns the hold after the change.
    ///
    /// # Panics
    ///
    /// Panics if the plan has no hold, as that of a manager who blocks seats.
    #[must_use]
    pub fn into_hold(self) -> Hold {
        match self.hold.expect("plan of a hold") {
            HoldChange::Held(hold, _) | HoldChange::SoldAtOnce(hold) => hold,
            HoldChange::Confirmed(hold, order) => Hold { state: HoldState::Confirmed(order), ..hold },
            HoldChange::Released(hold) => Hold { state: HoldState::Released, ..hold },
            HoldChange::Cancelled(hold, order) => Hold { state: HoldState::Cancelled(order), ..hold },
        }
    }
}

/// States that a seat may have at the moment of the write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Free at this time since 1970: never taken, or held until an earlier time.
    Free(Duration),
    /// Free at this time since 1970, or in this state, which may have expired.
    FreeOr(Duration, Taken),
    /// In the state that was read.
    Is(Option<Taken>),
    /// In the state that was read, in which it stays.
    Stays(Taken),
}

/// Change of a hold, together with its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldChange {
    /// A member holds the seats. These are the member's holds of the last hour, with this one.
    Held(Hold, RecentHolds),
    /// The box office sold the seats.
    SoldAtOnce(Hold),
    /// An order gets the seats of this hold.
    Confirmed(Hold, OrderId),
    /// The member releases this hold.
    Released(Hold),
    /// This order, which has the seats of the hold, is cancelled.
    Cancelled(Hold, OrderId),
}

/// Checks that all seats are free at a time since 1970, for the member with these holds.
///
/// # Errors
///
/// Returns `SeatsTaken` with the indexes of the others.
pub fn expect_free(seats: &[u32], states: &States, now: Duration, holder: &Holder) -> Result<(), Error> {
    let taken_seat = |index, state: &Taken| {
        let is_own = state.hold().is_some_and(|hold| holder.has(hold));
        Some(TakenSeat { index, is_own })
    };
    expect_none_taken(seats, states, now, taken_seat)
}

/// Checks that all seats are free or blocked at a time since 1970.
///
/// # Errors
///
/// Returns `SeatsTaken` with the indexes of the others.
pub fn expect_free_or_blocked(seats: &[u32], states: &States, now: Duration) -> Result<(), Error> {
    let taken_seat =
        |index, state: &Taken| (!matches!(state, Taken::Blocked { .. })).then_some(TakenSeat { index, is_own: false });
    expect_none_taken(seats, states, now, taken_seat)
}

fn expect_none_taken(
    seats: &[u32],
    states: &States,
    now: Duration,
    taken_seat: impl Fn(usize, &Taken) -> Option<TakenSeat>,
) -> Result<(), Error> {
    let current = |seat| states.get(seat).filter(|state| state.is_current(now));
    let taken: Vec<_> =
        seats.iter().enumerate().filter_map(|(index, seat)| taken_seat(index, current(seat)?)).collect();
    if taken.is_empty() { Ok(()) } else { Err(Error::SeatsTaken(taken)) }
}
