//! Items with the seats of a show that a member has.
//!
//! Such an item stays as long as the event while the member has a confirmed hold. Otherwise it expires as the last hold.

use std::time::Duration;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::{
    hold::{Hold, RETENTION},
    hold_limits::RecentHolds,
};
use uuid::Uuid;

use crate::{
    expiry::epoch_seconds,
    keys::{self, EXPIRES},
    table::{Item, number},
    write::Write,
};

/// Seats of a show that a member has: an attribute for each hold, with its number of seats and its end.
#[derive(Debug, Default)]
pub(crate) struct Holder {
    version: Option<u64>,
    /// Holds that count for the limit of an hour, whatever became of them.
    pub recent: RecentHolds,
    holds: Vec<(String, HeldSeats)>,
}

/// Number of seats of a hold, and the time at which it expires; none once it is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HeldSeats {
    seats: u8,
    until: Option<u32>,
}

/// Attribute with the number of changes.
const VERSION: &str = "version";
/// Attributes with the holds of the last hour.
const RECENT_SINCE: &str = "recentSince";
const RECENT_COUNT: &str = "recentCount";

impl Holder {
    pub fn read(item: Option<&Item>) -> Self {
        let Some(item) = item else { return Self::default() };
        let number = |name| item.get(name).and_then(|value: &AttributeValue| value.as_n().ok()?.parse().ok());
        let count = number(RECENT_COUNT).and_then(|count| u32::try_from(count).ok());
        let recent = RecentHolds { since: number(RECENT_SINCE).unwrap_or(0), count: count.unwrap_or(0) };
        let held = |(name, value): (&String, &AttributeValue)| {
            Some((name.clone(), HeldSeats::decode(value.as_b().ok()?.as_ref())?))
        };
        Self { version: number(VERSION), recent, holds: item.iter().filter_map(held).collect() }
    }

    /// Returns the number of seats that the member has at a time since 1970.
    pub fn seats(&self, now: Duration) -> usize {
        let current = self.holds.iter().filter(|(_, held)| held.is_current(now));
        current.map(|(_, held)| usize::from(held.seats)).sum()
    }

    /// Returns true if nothing changed between two reads.
    pub fn is_same(&self, later: &Self) -> bool {
        self.version == later.version
    }

    /// Returns the holds that have not expired at a time since 1970.
    pub fn current(&self, now: Duration) -> impl Iterator<Item = Uuid> {
        self.holds.iter().filter(move |(_, held)| held.is_current(now)).filter_map(|(id, _)| id.parse().ok())
    }

    /// Returns whether the member has a hold.
    pub fn has(&self, hold: Uuid) -> bool {
        let id = hold.to_string();
        self.holds.iter().any(|(name, _)| *name == id)
    }

    /// Builds the write that adds a hold and removes expired ones, only if nothing changed since the read.
    ///
    /// `recent` are the holds of the last hour with this one.
    pub fn add(&self, member: Uuid, hold: &Hold, recent: RecentHolds, now: Duration) -> Write {
        let write = self
            .change(member, hold.show)
            .set(&hold.id.to_string(), HeldSeats::of(hold, Some(hold.expires)).encode())
            .set(RECENT_SINCE, number(recent.since))
            .set(RECENT_COUNT, number(recent.count));
        let write = if self.has_sold(None) {
            write
        } else {
            write.set(EXPIRES, epoch_seconds(Duration::from_secs(hold.expires) + RETENTION))
        };
        let expired = self.holds.iter().filter(|(_, held)| !held.is_current(now));
        expired.fold(write, |write, (name, _)| write.remove(name))
    }

    /// Builds the write that removes a confirmed hold, only if nothing changed since the read.
    pub fn remove_sold(&self, member: Uuid, hold: &Hold, now: Duration) -> Write {
        let write = self.change(member, hold.show).remove(&hold.id.to_string());
        if self.has_sold(Some(hold.id)) { write } else { write.set(EXPIRES, epoch_seconds(now + RETENTION)) }
    }

    fn change(&self, member: Uuid, show: Uuid) -> Write {
        let write = Write::update(keys::holder(show, member)).increase(VERSION, 1);
        match self.version {
            Some(version) => write.only_if(VERSION, "=", number(version)),
            None => write.if_absent(VERSION),
        }
    }

    /// Returns whether the member has a confirmed hold, in addition to this one.
    fn has_sold(&self, except: Option<Uuid>) -> bool {
        let except = except.map(|id| id.to_string());
        self.holds.iter().any(|(name, held)| held.until.is_none() && Some(name) != except.as_ref())
    }
}

/// Builds the write that keeps the seats of a confirmed hold of a member, as long as the event.
pub(crate) fn keep(member: Uuid, hold: &Hold) -> Write {
    let write = Write::update(keys::holder(hold.show, member)).increase(VERSION, 1);
    write.set(&hold.id.to_string(), HeldSeats::of(hold, None).encode()).remove(EXPIRES)
}

/// Builds the write that removes the seats of a hold of a member that is not confirmed.
pub(crate) fn remove(member: Uuid, hold: &Hold) -> Write {
    Write::update(keys::holder(hold.show, member)).increase(VERSION, 1).remove(&hold.id.to_string())
}

impl HeldSeats {
    fn of(hold: &Hold, until: Option<u64>) -> Self {
        let seats = u8::try_from(hold.seats.len()).unwrap_or(u8::MAX);
        Self { seats, until: until.map(|until| u32::try_from(until).unwrap_or(u32::MAX)) }
    }

    fn is_current(self, now: Duration) -> bool {
        self.until.is_none_or(|until| now.as_secs() < u64::from(until))
    }

    fn encode(self) -> AttributeValue {
        let until = self.until.map_or([0; 4], u32::to_be_bytes);
        AttributeValue::B(Blob::new([&[self.seats][..], &until].concat()))
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (&[seats], until) = bytes.split_first_chunk()?;
        let until = u32::from_be_bytes(until.try_into().ok()?);
        Some(Self { seats, until: (until != 0).then_some(until) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_seats_are_read_as_written() {
        for until in [None, Some(1_800_000_000)] {
            let held = HeldSeats { seats: 4, until };
            assert_eq!(HeldSeats::decode(held.encode().as_b().unwrap().as_ref()), Some(held));
        }
        assert_eq!((HeldSeats::decode(&[]), HeldSeats::decode(&[1, 2])), (None, None));
    }
}
