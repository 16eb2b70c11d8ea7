//! Seats of a show that a member has.

use std::time::Duration;

use uuid::Uuid;

use crate::hold_limits::RecentHolds;

/// Holds of a member in a show, as they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// Number of changes so far; `None` if the member never held a seat of the show.
    pub version: Option<u64>,
    /// Holds that count for the limit of an hour, whatever became of them.
    pub recent: RecentHolds,
    /// The holds that are neither released nor cancelled.
    pub holds: Vec<(Uuid, HeldSeats)>,
}

/// Number of seats of a hold, and the time at which it expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldSeats {
    /// Number of seats.
    pub seats: u8,
    /// Time since 1970 in seconds; `None` once the hold is confirmed.
    pub until: Option<u32>,
}

impl Holder {
    /// Returns the number of seats that the member has at a time since 1970.
    #[must_use]
    pub fn seats(&self, now: Duration) -> usize {
        let current = self.holds.iter().filter(|(_, held)| held.is_current(now));
        current.map(|(_, held)| usize::from(held.seats)).sum()
    }

    /// Iterates over the holds that have not expired at a time since 1970.
    pub fn current(&self, now: Duration) -> impl Iterator<Item = Uuid> {
        self.holds.iter().filter(move |(_, held)| held.is_current(now)).map(|(id, _)| *id)
    }

    /// Iterates over the holds that have expired at a time since 1970.
    pub fn expired(&self, now: Duration) -> impl Iterator<Item = Uuid> {
        self.holds.iter().filter(move |(_, held)| !held.is_current(now)).map(|(id, _)| *id)
    }

    /// Returns whether the member has a hold.
    #[must_use]
    pub fn has(&self, hold: Uuid) -> bool {
        self.holds.iter().any(|(id, _)| *id == hold)
    }

    /// Returns whether the member has a confirmed hold, in addition to this one.
    #[must_use]
    pub fn has_sold(&self, except: Option<Uuid>) -> bool {
        self.holds.iter().any(|(id, held)| held.until.is_none() && Some(*id) != except)
    }
}

impl HeldSeats {
    fn is_current(self, now: Duration) -> bool {
        self.until.is_none_or(|until| now.as_secs() < u64::from(until))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expired_holds_do_not_count() {
        let [held, sold] = [1, 2].map(Uuid::from_u128);
        let holds = vec![(held, HeldSeats { seats: 3, until: Some(100) }), (sold, HeldSeats { seats: 1, until: None })];
        let holder = Holder { holds, ..Holder::default() };
        let at = Duration::from_secs;
        assert_eq!((holder.seats(at(99)), holder.seats(at(100))), (4, 1));
        assert_eq!(holder.current(at(100)).collect::<Vec<_>>(), [sold]);
        assert_eq!(holder.expired(at(100)).collect::<Vec<_>>(), [held]);
        assert!(holder.has(held) && !holder.has(Uuid::nil()));
        assert!(holder.has_sold(None) && !holder.has_sold(Some(sold)));
    }
}
