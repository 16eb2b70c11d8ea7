//! Seats of a show that a member has.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    hold::{MAX_OWN_HOLDS, RETENTION},
    hold_limits::RecentHolds,
};

/// Maximum number of cancelled orders of a show that are listed for their member, and so are kept with the holds.
const MAX_CANCELLED: usize = MAX_OWN_HOLDS;

/// Holds of a member in a show, as they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// Number of changes so far; 0 if the member never held a seat of the show.
    pub version: u64,
    /// Holds that count for the limit of an hour, whatever became of them.
    pub recent: RecentHolds,
    /// The holds that are not released. A cancelled one has no seats.
    pub holds: Vec<(Uuid, HeldSeats)>,
}

/// Number of seats of a hold, and the time at which it expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldSeats {
    /// Number of seats; 0 once the order is cancelled.
    pub seats: u8,
    /// End since 1970 in seconds; `None` while the hold is confirmed. A cancelled one ends when it is no longer listed.
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

    /// Iterates over the holds that another cancelled order replaces: those that have expired, and the cancelled orders
    /// that were cancelled before the others, if there are too many.
    pub fn replaced(&self, now: Duration) -> impl Iterator<Item = Uuid> {
        let mut cancelled: Vec<_> =
            self.holds.iter().filter(|(_, held)| held.seats == 0 && held.is_current(now)).collect();
        cancelled.sort_unstable_by_key(|(id, held)| (held.until, *id));
        let surplus = (cancelled.len() + 1).saturating_sub(MAX_CANCELLED);
        self.expired(now).chain(cancelled.into_iter().take(surplus).map(|(id, _)| *id))
    }

    /// Returns true if the member has a hold.
    #[must_use]
    pub fn has(&self, hold: Uuid) -> bool {
        self.holds.iter().any(|(id, _)| *id == hold)
    }

    /// Returns true if the member has a confirmed hold, in addition to this one.
    #[must_use]
    pub fn has_sold(&self, except: Option<Uuid>) -> bool {
        self.holds.iter().any(|(id, held)| held.until.is_none() && Some(*id) != except)
    }
}

impl HeldSeats {
    /// Creates what remains of an order that is cancelled at a time since 1970.
    #[must_use]
    pub fn cancelled(now: Duration) -> Self {
        Self { seats: 0, until: Some(u32::try_from((now + RETENTION).as_secs()).unwrap_or(u32::MAX)) }
    }

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

    #[test]
    fn oldest_cancelled_orders_are_replaced() {
        let at = Duration::from_secs;
        let order = |number: u64| (Uuid::from_u128(number.into()), HeldSeats::cancelled(at(number)));
        let holder = |count| Holder { holds: (1..=count).map(order).collect(), ..Holder::default() };
        let replaced = |count, now| holder(count).replaced(now).count();
        assert_eq!(holder(100).seats(at(200)), 0);
        assert_eq!((replaced(99, at(200)), replaced(100, at(200))), (0, 1));
        assert_eq!(holder(101).replaced(at(200)).collect::<Vec<_>>(), [1, 2].map(Uuid::from_u128));
        // Those of more than 30 days ago have expired.
        assert_eq!(replaced(100, RETENTION + at(40)), 40);
    }
}
