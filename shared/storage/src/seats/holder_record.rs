//! Items with the seats of a show that a member has. Each attribute with the id of a hold as its name has the seats of
//! the hold, and its end.
//!
//! Such an item stays as long as the event while the member has a confirmed hold. Otherwise it expires as the last
//! hold.

use std::time::Duration;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::{
    hold::{Hold, RETENTION},
    hold_limits::RecentHolds,
    seats::holder::{HeldSeats, Holder},
};

use uuid::Uuid;

use crate::{
    keys::{self, EXPIRES, VERSION},
    table::{Item, epoch_seconds, number},
    write::Write,
};

/// Attributes with the holds of the last hour.
const RECENT_SINCE: &str = "recentSince";
const RECENT_COUNT: &str = "recentCount";

/// Reads an item; without one, the member never held a seat of the show.
pub(crate) fn read(item: Option<&Item>) -> Holder {
    let Some(item) = item else { return Holder::default() };
    let number = |name| item.get(name).and_then(|value: &AttributeValue| value.as_n().ok()?.parse().ok());
    let count = number(RECENT_COUNT).and_then(|count| u32::try_from(count).ok());
    let recent = RecentHolds { since: number(RECENT_SINCE).unwrap_or(0), count: count.unwrap_or(0) };
    let held =
        |(name, value): (&String, &AttributeValue)| Some((name.parse().ok()?, decode(value.as_b().ok()?.as_ref())?));
    Holder { version: number(VERSION).unwrap_or(0), recent, holds: item.iter().filter_map(held).collect() }
}

/// Builds the write that adds a hold and removes expired ones, only if nothing changed since the read.
///
/// `recent` are the holds of the last hour with this one.
pub(crate) fn add(holder: &Holder, hold: &Hold, recent: RecentHolds, now: Duration) -> Write {
    let member = hold.member.unwrap_or_default();
    let write = change(holder, member, hold.show)
        .set(&hold.id.to_string(), encode(seats_of(hold, Some(hold.expires))))
        .set(RECENT_SINCE, number(recent.since))
        .set(RECENT_COUNT, number(recent.count));
    let write = if holder.has_sold(None) {
        write
    } else {
        write.set(EXPIRES, epoch_seconds(Duration::from_secs(hold.expires) + RETENTION))
    };
    holder.expired(now).fold(write, |write, id| write.remove(&id.to_string()))
}

/// Builds the write that keeps the seats of a confirmed hold of a member, as long as the event.
pub(crate) fn keep(member: Uuid, hold: &Hold) -> Write {
    let write = Write::update(keys::holder(hold.show, member)).increase(VERSION, 1);
    write.set(&hold.id.to_string(), encode(seats_of(hold, None))).remove(EXPIRES)
}

/// Builds the write that removes the seats of a hold of a member that is not confirmed.
pub(crate) fn remove(member: Uuid, hold: &Hold) -> Write {
    Write::update(keys::holder(hold.show, member)).increase(VERSION, 1).remove(&hold.id.to_string())
}

/// Builds the write that takes the seats of a cancelled order, only if nothing changed since the read. The order stays
/// listed for a while.
pub(crate) fn cancel(holder: &Holder, member: Uuid, hold: &Hold, now: Duration) -> Write {
    let write = change(holder, member, hold.show).set(&hold.id.to_string(), encode(HeldSeats::cancelled(now)));
    let write = holder.replaced(now).fold(write, |write, id| write.remove(&id.to_string()));
    if holder.has_sold(Some(hold.id)) { write } else { write.set(EXPIRES, epoch_seconds(now + RETENTION)) }
}

fn change(holder: &Holder, member: Uuid, show: Uuid) -> Write {
    Write::update(keys::holder(show, member)).increase(VERSION, 1).if_version(holder.version)
}

fn seats_of(hold: &Hold, until: Option<u64>) -> HeldSeats {
    let seats = u8::try_from(hold.seats.len()).unwrap_or(u8::MAX);
    HeldSeats { seats, until: until.map(|until| u32::try_from(until).unwrap_or(u32::MAX)) }
}

fn encode(held: HeldSeats) -> AttributeValue {
    let until = held.until.map_or([0; 4], u32::to_be_bytes);
    AttributeValue::B(Blob::new([&[held.seats][..], &until].concat()))
}

fn decode(bytes: &[u8]) -> Option<HeldSeats> {
    let (&[seats], until) = bytes.split_first_chunk()?;
    let until = u32::from_be_bytes(until.try_into().ok()?);
    Some(HeldSeats { seats, until: (until != 0).then_some(until) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_seats_are_read_as_written() {
        for until in [None, Some(1_800_000_000)] {
            let held = HeldSeats { seats: 4, until };
            assert_eq!(decode(encode(held).as_b().unwrap().as_ref()), Some(held));
        }
        assert_eq!((decode(&[]), decode(&[1, 2])), (None, None));
    }
}
