//! Seats that the manager of an event keeps from sale, and the labels that say for whom.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{
    error::Error,
    hold::Taken,
    seats::plan::{Expected, Plan, States, expect_free_or_blocked},
    text::Label,
};

/// Maximum number of seats that one request blocks or frees.
pub const MAX_BLOCKED_SEATS: usize = 500;

/// Maximum number of different labels that the blocked seats of a show have at a time.
pub const MAX_LABELS: usize = 100;

/// Id of the blocks without a label: a UUID of version 8.
pub const UNLABELLED: Uuid = Uuid::from_u128(0x0000_0000_0000_8000_8000_0000_0000_0000);

/// Labels of the blocked seats of a show, by the ids of their blocks. There may be others that no seat has any more.
pub type Labels = BTreeMap<Uuid, Label>;

/// Returns the id of the blocks with a label: a UUID of version 8.
///
/// # Panics
///
/// Never: a digest has 32 bytes.
#[must_use]
pub fn block_of(label: &Label) -> Uuid {
    let digest = Sha256::digest(label.as_str());
    Uuid::new_v8(*digest.first_chunk().expect("32 bytes"))
}

/// Plans that seats become blocked, at a time since 1970. Those that are blocked already stay so, with their labels.
///
/// # Errors
///
/// Returns `SeatsTaken` if seats are held or sold.
pub fn block(seats: &[u32], states: &States, now: Duration) -> Result<Plan, Error> {
    expect_free_or_blocked(seats, states, now)?;
    let expected = |seat: &u32| match states.get(seat).copied() {
        Some(blocked @ Taken::Blocked { .. }) => Expected::Stays(blocked),
        state => Expected::Is(state),
    };
    Ok(plan(seats, expected, UNLABELLED))
}

/// Plans that seats become blocked with a label, at a time since 1970, and returns the labels that the show then has.
///
/// `states` and `labels` are those of the whole show.
///
/// # Errors
///
/// Returns `TooManyLabels` if the show would have more than 100, and `SeatsTaken` if seats are held or sold.
pub fn block_with_label(
    seats: &[u32],
    states: &States,
    labels: &Labels,
    label: &Label,
    now: Duration,
) -> Result<(Plan, Labels), Error> {
    let block = block_of(label);
    let chosen: BTreeSet<_> = seats.iter().collect();
    let others = states.iter().filter(|(seat, _)| !chosen.contains(seat));
    let mut used: BTreeSet<_> = others.filter_map(|(_, state)| state.block()).filter(|id| *id != UNLABELLED).collect();
    used.insert(block);
    if used.len() > MAX_LABELS {
        return Err(Error::TooManyLabels(MAX_LABELS));
    }
    expect_free_or_blocked(seats, states, now)?;
    let mut labels = labels.clone();
    labels.retain(|id, _| used.contains(id));
    labels.insert(block, label.clone());
    Ok((plan(seats, |seat| Expected::Is(states.get(seat).copied()), block), labels))
}

fn plan(seats: &[u32], expected: impl Fn(&u32) -> Expected, block: Uuid) -> Plan {
    Plan {
        seats: seats.iter().map(|seat| (*seat, expected(seat))).collect(),
        state: Some(Taken::Blocked { block }),
        hold: None,
    }
}

/// Plans that those of the seats become free that are blocked, or that have this block; `None` if none is.
#[must_use]
pub fn unblock(seats: &[u32], states: &States, block: Option<Uuid>) -> Option<Plan> {
    let blocked = seats.iter().filter_map(|seat| Some((*seat, *states.get(seat)?)));
    let blocked = blocked.filter(|(_, state)| state.block().is_some_and(|id| block.is_none_or(|block| block == id)));
    let seats: Vec<_> = blocked.map(|(seat, state)| (seat, Expected::Is(Some(state)))).collect();
    (!seats.is_empty()).then_some(Plan { seats, state: None, hold: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::TakenSeat;

    const NOW: Duration = Duration::from_secs(200);

    fn label(text: &str) -> Label {
        Label::parse(text).unwrap()
    }

    fn blocked(text: &str) -> Taken {
        Taken::Blocked { block: block_of(&label(text)) }
    }

    #[test]
    fn free_and_blocked_seats_are_blocked() {
        let press = blocked("press");
        let expired = Taken::Held { hold: Uuid::nil(), until: 200 };
        let states = States::from([(1, press), (2, expired), (3, Taken::Sold { hold: Uuid::nil() })]);
        let plan = block(&[0, 1, 2], &states, NOW).unwrap();
        let expected = [(0, Expected::Is(None)), (1, Expected::Stays(press)), (2, Expected::Is(Some(expired)))];
        assert_eq!((&plan.seats[..], plan.state), (&expected[..], Some(Taken::Blocked { block: UNLABELLED })));
        let Err(Error::SeatsTaken(taken)) = block(&[0, 3], &states, NOW) else { panic!("blocked a sold seat") };
        assert_eq!(taken, [TakenSeat { index: 1, is_own: false }]);

        let freed = unblock(&[0, 1, 2, 3], &states, None).unwrap();
        assert_eq!((freed.seats, freed.state), (vec![(1, Expected::Is(Some(press)))], None));
        assert_eq!(unblock(&[0, 2, 3], &states, None), None);
    }

    #[test]
    fn seats_get_another_label() {
        let (press, sponsor) = (blocked("press"), blocked("sponsor"));
        let labels = Labels::from([(block_of(&label("press")), label("press")), (Uuid::max(), label("of nobody"))]);
        let states = States::from([(1, press), (2, Taken::Blocked { block: UNLABELLED })]);
        let (plan, after) = block_with_label(&[0, 1, 2], &states, &labels, &label("sponsor"), NOW).unwrap();
        assert_eq!((plan.seats[1], plan.state), ((1, Expected::Is(Some(press))), Some(sponsor)));
        assert_eq!(after.into_values().collect::<Vec<_>>(), [label("sponsor")], "no other seat has the label `press`");
        assert!(matches!(
            block_with_label(&[3], &States::from([(3, Taken::Sold { hold: Uuid::nil() })]), &labels, &label("a"), NOW),
            Err(Error::SeatsTaken(_))
        ));
    }

    #[test]
    fn show_has_at_most_100_labels() {
        let numbered = |number: u32| label(&number.to_string());
        let states: States = (0..100).map(|seat| (seat, blocked(&seat.to_string()))).collect();
        let labels: Labels = (0..100).map(|seat| (block_of(&numbered(seat)), numbered(seat))).collect();
        let add = |seats: &[u32], number| block_with_label(seats, &states, &labels, &numbered(number), NOW);
        assert!(matches!(add(&[200], 100), Err(Error::TooManyLabels(100))));
        assert_eq!(add(&[200], 99).unwrap().1.len(), 100, "a known label");
        let (_, after) = add(&[0], 100).unwrap();
        assert!(after.len() == 100 && !after.contains_key(&block_of(&numbered(0))), "as it would be after the request");
    }

    #[test]
    fn only_seats_with_the_label_become_free() {
        let states =
            States::from([(1, blocked("press")), (2, blocked("sponsor")), (3, Taken::Blocked { block: UNLABELLED })]);
        let freed = unblock(&[1, 2, 3], &states, Some(block_of(&label("press")))).unwrap();
        assert_eq!(freed.seats, [(1, Expected::Is(Some(blocked("press"))))]);
        assert_eq!(unblock(&[1, 2, 3], &states, Some(block_of(&label("other")))), None);
    }

    #[test]
    fn unlabelled_block_is_no_label() {
        assert_eq!(Uuid::new_v8([0; 16]), UNLABELLED);
        assert_ne!(block_of(&label("a")), block_of(&label("A")), "labels are compared as sent");
    }
}
