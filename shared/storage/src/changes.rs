//! Changes that other systems are told, read from the images of an item in the table's stream.

use std::time::Duration;

use domain::{
    change::{self, CommittedChange},
    error::Error,
    hold::Hold,
};

use crate::{
    events::event_record::EventRecord,
    keys::{self, EVENT_SORT, HOLD_SORT, Key, LOGIN_SORT},
    members::member_store::read_member,
    seats::hold_record::read_hold,
    table::{Item, from_item},
};

/// Returns the changes of a write that replaced an item by another one; `None` is no item.
///
/// Only a member is removed by a request. Everything else is removed by its time to live, or after its event, which tells
/// nothing.
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
        _ => Vec::new(),
    };
    Ok(told)
}

fn hold(key: &Key, item: Item) -> Result<Hold, Error> {
    let id = keys::hold_id(&key.partition).ok_or_else(|| Error::unexpected("hold without an id"))?;
    // At this time nothing has expired.
    let hold = read_hold(id, item, Duration::ZERO)?;
    hold.ok_or_else(|| Error::unexpected("hold that has expired"))
}
