//! Seats that the manager of an event keeps from sale.

use std::time::Duration;

use crate::{
    error::Error,
    hold::{Taken, block_id},
    seats::plan::{Expected, Plan, States, expect_not_taken},
};

/// Plans that seats become blocked, at a time since 1970. Those that are blocked already stay so.
///
/// # Errors
///
/// Returns `SeatsTaken` if seats are held or sold.
pub fn block(seats: &[u32], states: &States, now: Duration) -> Result<Plan, Error> {
    expect_not_taken(seats, states, now, true, None)?;
    Ok(Plan {
        seats: seats.iter().map(|seat| (*seat, Expected::Is(states.get(seat).copied()))).collect(),
        state: Some(Taken::Blocked { block: block_id() }),
        hold: None,
    })
}

/// Plans that those of the seats become free that are blocked; `None` if none is.
#[must_use]
pub fn unblock(seats: &[u32], states: &States) -> Option<Plan> {
    let blocked = seats.iter().filter_map(|seat| Some((*seat, *states.get(seat)?)));
    let blocked = blocked.filter(|(_, state)| matches!(state, Taken::Blocked { .. }));
    let seats: Vec<_> = blocked.map(|(seat, state)| (seat, Expected::Is(Some(state)))).collect();
    (!seats.is_empty()).then_some(Plan { seats, state: None, hold: None })
}
