//! Items of holds.

use std::time::Duration;

use domain::{
    error::Error,
    hold::{Hold, HoldState, OrderId, RETENTION},
    price::Price,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    keys::{self, EXPIRES},
    table::{Item, epoch_seconds, from_item, text, to_item},
    write::Write,
};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<Uuid>,
    seats: Vec<u32>,
    /// Amount in hundredths.
    amount: u64,
    /// Time at which the hold expires, in seconds.
    until: u64,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<String>,
    /// End of the time in which a hold that is not confirmed can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<u64>,
}

/// Builds the write that stores a new hold, which is held or sold.
pub(crate) fn put_hold(hold: &Hold) -> Result<Write, Error> {
    let record = HoldRecord {
        event: hold.event,
        show: hold.show,
        member: hold.member,
        seats: hold.seats.clone(),
        amount: hold.amount.hundredths(),
        until: hold.expires,
        state: if hold.order().is_some() { CONFIRMED } else { HELD }.to_owned(),
        order: hold.order().map(|order| order.as_str().to_owned()),
        expires_at: hold.order().is_none().then(|| hold.expires + RETENTION.as_secs()),
    };
    Ok(Write::put_new(keys::hold(hold.id), to_item(&record)?))
}

/// Reads a hold; `None` if its item has expired.
pub(crate) fn read_hold(id: Uuid, item: Item, now: Duration) -> Result<Option<Hold>, Error> {
    let record: HoldRecord = from_item(item)?;
    if record.expires_at.is_some_and(|end| end <= now.as_secs()) {
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

/// Builds the write by which an order gets the seats of a hold, only if the hold has the state that was read. The item
/// then stays as long as the event.
pub(crate) fn confirm_hold(hold: &Hold, order: &OrderId) -> Write {
    change_hold(hold).set(STATE, text(CONFIRMED)).set(ORDER, text(order.as_str())).remove(EXPIRES)
}

/// Builds the write that releases a hold, or cancels its order, only if it has the state that was read.
pub(crate) fn release_hold(hold: &Hold, now: Duration) -> Write {
    change_hold(hold).set(STATE, text(RELEASED)).set(EXPIRES, epoch_seconds(now + RETENTION))
}

fn change_hold(hold: &Hold) -> Write {
    let state = match hold.state {
        HoldState::Held => HELD,
        HoldState::Confirmed(_) => CONFIRMED,
        HoldState::Released | HoldState::Cancelled(_) => RELEASED,
    };
    Write::update(keys::hold(hold.id)).only_if(STATE, "=", text(state))
}
