//! Items of holds, and of the seats that a member has of a show.

use std::time::Duration;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::{
    error::Error,
    event::Show,
    hold::{Hold, HoldState, OrderId, RETENTION, RecentHolds, kept_until},
    idempotency::Fingerprint,
    price::Price,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    expiry::epoch_seconds,
    keys::{self, EXPIRES},
    table::{Item, from_item, number, text, to_item},
    write::Write,
};

/// Time for which an idempotency key repeats a hold.
const KEY_LIFETIME: Duration = Duration::from_hours(24);

const STATE: &str = "state";
const ORDER: &str = "order";
const HELD: &str = "HELD";
const CONFIRMED: &str = "CONFIRMED";
const RELEASED: &str = "RELEASED";

/// Item of a hold, which docs/data.md describes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct HoldRecord {
    event: Uuid,
    show: Uuid,
    member: Uuid,
    seats: Vec<u32>,
    /// Amount in hundredths.
    amount: u64,
    /// Time at which the hold expires, in seconds.
    until: u64,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<String>,
    expires_at: u64,
}

/// Builds the write that stores a new hold.
pub(crate) fn put_hold(hold: &Hold) -> Result<Write, Error> {
    let record = HoldRecord {
        event: hold.event,
        show: hold.show,
        member: hold.member,
        seats: hold.seats.clone(),
        amount: hold.amount.hundredths(),
        until: hold.expires,
        state: HELD.to_owned(),
        order: None,
        expires_at: hold.expires + RETENTION.as_secs(),
    };
    Ok(Write::put_new(keys::hold(hold.id), to_item(&record)?))
}

/// Reads a hold; `None` if its item has expired.
pub(crate) fn read_hold(id: Uuid, item: Item, now: Duration) -> Result<Option<Hold>, Error> {
    let record: HoldRecord = from_item(item)?;
    if record.expires_at <= now.as_secs() {
        return Ok(None);
    }
    let state = match (&*record.state, record.order.map(OrderId::from_stored)) {
        (HELD, _) => HoldState::Held,
        (CONFIRMED, Some(order)) => HoldState::Confirmed(order),
        (RELEASED, None) => HoldState::Released,
        (RELEASED, Some(order)) => HoldState::Cancelled(order),
        _ => return Err(Error::unexpected("hold of unknown state")),
    };
    Ok(Some(Hold {
        id,
        event: record.event,
        show: record.show,
        member: record.member,
        seats: record.seats,
        amount: Price::from_stored(record.amount),
        expires: record.until,
        state,
    }))
}

/// Builds the write that gives a hold its next state, on condition that it has the one that was read.
pub(crate) fn change_hold(hold: &Hold, state: &HoldState, show: &Show, now: Duration) -> Write {
    let (name, expires) = match state {
        HoldState::Held => (HELD, Duration::from_secs(hold.expires) + RETENTION),
        HoldState::Confirmed(_) => (CONFIRMED, kept_until(show, now)),
        HoldState::Released | HoldState::Cancelled(_) => (RELEASED, now + RETENTION),
    };
    let write = Write::update(keys::hold(hold.id)).set(STATE, text(name)).set(EXPIRES, epoch_seconds(expires));
    let write = match state {
        HoldState::Confirmed(order) => write.set(ORDER, text(order.as_str())),
        _ => write,
    };
    write.only_if(
        STATE,
        "=",
        text(match hold.state {
            HoldState::Held => HELD,
            HoldState::Confirmed(_) => CONFIRMED,
            HoldState::Released | HoldState::Cancelled(_) => RELEASED,
        }),
    )
}

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

    /// Builds the write that adds a hold and removes expired ones, on condition that nothing changed since the read.
    ///
    /// `recent` are the holds of the last hour with this one.
    pub fn add(&self, hold: &Hold, recent: RecentHolds, show: &Show, now: Duration) -> Write {
        let write = Write::update(keys::holder(hold.show, hold.member))
            .increase(VERSION, 1)
            .set(&hold.id.to_string(), HeldSeats::of(hold, Some(hold.expires)).encode())
            .set(RECENT_SINCE, number(recent.since))
            .set(RECENT_COUNT, number(recent.count))
            .set(EXPIRES, epoch_seconds(kept_until(show, now)));
        let write = match self.version {
            Some(version) => write.only_if(VERSION, "=", number(version)),
            None => write.if_absent(VERSION),
        };
        let expired = self.holds.iter().filter(|(_, held)| !held.is_current(now));
        expired.fold(write, |write, (name, _)| write.remove(name))
    }
}

/// Builds the write that keeps the seats of a confirmed hold.
pub(crate) fn keep(hold: &Hold, show: &Show, now: Duration) -> Write {
    let write = Write::update(keys::holder(hold.show, hold.member)).increase(VERSION, 1);
    let write = write.set(&hold.id.to_string(), HeldSeats::of(hold, None).encode());
    write.set(EXPIRES, epoch_seconds(kept_until(show, now)))
}

/// Builds the write that removes the seats of a hold.
pub(crate) fn remove(hold: &Hold) -> Write {
    Write::update(keys::holder(hold.show, hold.member)).increase(VERSION, 1).remove(&hold.id.to_string())
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

/// Item of an idempotency key of a member, which docs/data.md describes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HoldKeyRecord {
    fingerprint: String,
    hold: Uuid,
    expires_at: u64,
}

impl HoldKeyRecord {
    pub fn new(fingerprint: &Fingerprint, hold: Uuid, now: Duration) -> Self {
        let expires_at = (now + KEY_LIFETIME).as_secs();
        Self { fingerprint: fingerprint.as_str().to_owned(), hold, expires_at }
    }

    /// Reads an item; `None` if it has expired.
    pub fn read(item: Item, now: Duration) -> Result<Option<Self>, Error> {
        let record: Self = from_item(item)?;
        Ok((now.as_secs() < record.expires_at).then_some(record))
    }

    /// Returns the hold of a request with the same content.
    pub fn hold(&self, fingerprint: &Fingerprint) -> Result<Uuid, Error> {
        if self.fingerprint == fingerprint.as_str() { Ok(self.hold) } else { Err(Error::KeyReused) }
    }

    /// Builds the write that stores the key, on condition that it is new or has expired.
    pub fn put(
        &self,
        member: Uuid,
        show: Uuid,
        key: &domain::idempotency::IdempotencyKey,
        now: Duration,
    ) -> Result<Write, Error> {
        let put = Write::put(keys::hold_idempotency(member, show, key), to_item(self)?);
        Ok(put.if_absent_or_less(EXPIRES, number(now.as_secs() + 1)))
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
