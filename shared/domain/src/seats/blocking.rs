//! Seats that the manager of an event keeps from sale.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    error::Error,
    hold::Taken,
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
        state: Some(Taken::Blocked { block: Uuid::new_v4() }),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::TakenSeat;

    #[test]
    fn free_and_blocked_seats_are_blocked() {
        let now = Duration::from_secs(200);
        let blocked = Taken::Blocked { block: Uuid::nil() };
        let expired = Taken::Held { hold: Uuid::nil(), until: 200 };
        let states = States::from([(1, blocked), (2, expired), (3, Taken::Sold { hold: Uuid::nil() })]);
        let plan = block(&[0, 1, 2], &states, now).unwrap();
        assert_eq!(
            plan.seats,
            [(0, Expected::Is(None)), (1, Expected::Is(Some(blocked))), (2, Expected::Is(Some(expired)))]
        );
        assert!(matches!(plan.state, Some(Taken::Blocked { .. })));
        let Err(Error::SeatsTaken(taken)) = block(&[0, 3], &states, now) else { panic!("blocked a sold seat") };
        assert_eq!(taken, [TakenSeat { index: 1, is_own: false }]);

        let freed = unblock(&[0, 1, 2, 3], &states).unwrap();
        assert_eq!((freed.seats, freed.state), (vec![(1, Expected::Is(Some(blocked)))], None));
        assert_eq!(unblock(&[0, 2, 3], &states), None);
    }
}
