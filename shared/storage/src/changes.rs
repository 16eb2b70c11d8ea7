//! Changes that other systems are told, read from the images of an item in the table's stream.

use std::time::Duration;

use domain::{
    change::{self, CommittedChange},
    error::Error,
    hold::Hold,
    seats::admission::SoldSeat,
    show::ShowId,
};
use uuid::Uuid;

use crate::{
    events::event_record::EventRecord,
    keys::{self, EVENT_SORT, HOLD_SORT, Key, LOGIN_SORT, SEATS_PREFIX},
    members::member_store::read_member,
    seats::{
        hold_record::read_hold,
        seat_states::{event_of, read_sold},
    },
    table::{Item, from_item},
};

/// Returns the changes of a write that replaced an item by another one; `None` is no item.
///
/// Only a member is removed by a request. Everything else is removed by its time to live, or after its event, which
/// tells nothing.
///
/// # Errors
///
/// Returns `Unexpected` if an item cannot be read.
pub fn of_item(before: Option<Item>, after: Option<Item>) -> Result<Vec<CommittedChange>, Error> {
    let Some(key) = after.as_ref().or(before.as_ref()).and_then(Key::of) else { return Ok(Vec::new()) };
    let told = match (&*key.sort, after) {
        (LOGIN_SORT, after) => {
            let [before, after] = [before.map(read_member).transpose()?, after.map(read_member).transpose()?];
            change::of_member(before.as_ref(), after.as_ref()).into_iter().collect()
        }
        (EVENT_SORT, Some(after)) => {
            let event = |item| from_item(item).map(EventRecord::into_event);
            change::of_event(before.map(event).transpose()?.as_ref(), &event(after)?)
        }
        (HOLD_SORT, Some(after)) => {
            let before = before.map(|item| hold(&key, item)).transpose()?;
            change::of_hold(before.as_ref(), &hold(&key, after)?).into_iter().collect()
        }
        (sort, Some(after)) if sort.starts_with(SEATS_PREFIX) => tickets(&key, before.as_ref(), &after)?,
        _ => Vec::new(),
    };
    Ok(told)
}

/// Returns the ids of the event and of the notice if a new item is a notice to buyers.
#[must_use]
pub fn new_notice(item: &Item) -> Option<[Uuid; 2]> {
    let key = Key::of(item)?;
    keys::notice_ids(&key.partition, &key.sort)
}

/// Returns the changes of the tickets of the seats of an item.
fn tickets(key: &Key, before: Option<&Item>, after: &Item) -> Result<Vec<CommittedChange>, Error> {
    // As long as no ticket was admitted, the event is unknown.
    let Some(event) = event_of(after) else { return Ok(Vec::new()) };
    let show = keys::show_of_states(&key.partition).ok_or_else(|| Error::unexpected("seats of an unknown show"))?;
    let before = before.map(read_sold).transpose()?.unwrap_or_default();
    let change =
        |(seat, sold): (&u32, &SoldSeat)| change::of_seat((ShowId { event, show }, *seat), before.get(seat), sold);
    Ok(read_sold(after)?.iter().filter_map(change).collect())
}

fn hold(key: &Key, item: Item) -> Result<Hold, Error> {
    let id = keys::hold_id(&key.partition).ok_or_else(|| Error::unexpected("hold without an id"))?;
    // At this time nothing has expired.
    let hold = read_hold(id, item, Duration::ZERO)?;
    hold.ok_or_else(|| Error::unexpected("hold that has expired"))
}
