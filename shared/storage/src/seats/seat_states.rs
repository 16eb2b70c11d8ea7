//! States of the seats of a show.
//!
//! An item has the states of 64 neighbouring seats, with one attribute for each seat that is taken, and the items of
//! 2,048 neighbouring seats have the same partition key. A show without a taken seat has no items. A write takes a seat
//! only if it is free at that moment, so no seat is taken twice; a hold that has expired counts as free,
//! whether or not anything has removed it. The items stay as long as the event, wherever its shows are moved.

use std::collections::{BTreeMap, HashSet};

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::{
    error::Error,
    hold::Taken,
    seats::{
        admission::{SoldSeat, SoldSeats},
        plan::{Expected, Plan, States},
    },
};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use uuid::Uuid;

use crate::{
    keys::{self, SEATS_OF_ITEM, SEATS_OF_PARTITION, SORT},
    seats::seat_state_bytes::{self, decode_sold, encode, encode_sold, free_before},
    table::{Item, MAX_READS, Table, failure},
    write::Write,
};

/// Maximum number of simultaneous queries.
const QUERIES: usize = 16;

/// Store of the states of seats.
#[derive(Clone, Debug)]
pub struct SeatStates {
    table: Table,
}

impl SeatStates {
    /// Opens the states in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Returns the states of the first `count` seats of a show, with a query for each partition; `None` is free.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a query fails.
    pub async fn of_show(&self, show: Uuid, count: usize) -> Result<Vec<Option<Taken>>, Error> {
        let mut states = vec![None; count];
        let count = u32::try_from(count).map_err(Error::unexpected)?;
        let partitions = (0..count).step_by(SEATS_OF_PARTITION as usize);
        let queries = stream::iter(partitions).map(|first| self.partition(show, first)).buffered(QUERIES);
        for (seat, state) in queries.try_concat().await? {
            if let Some(of_seat) = states.get_mut(seat as usize) {
                *of_seat = Some(state);
            }
        }
        Ok(states)
    }

    /// Returns the sold seats among the first `count` seats of a show, with a query for each partition.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a query fails.
    pub(crate) async fn sold(&self, show: Uuid, count: usize) -> Result<SoldSeats, Error> {
        let count = u32::try_from(count).map_err(Error::unexpected)?;
        let partitions = (0..count).step_by(SEATS_OF_PARTITION as usize);
        let queries = stream::iter(partitions).map(|first| self.items(show, first)).buffered(QUERIES);
        let items: Vec<_> = queries.try_concat().await?;
        Ok(items.iter().map(read_sold).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Returns the states of some seats of a show that were taken once.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a read fails.
    pub async fn of_seats(&self, show: Uuid, seats: &[u32]) -> Result<States, Error> {
        let mut states = States::new();
        for item in self.items_of(show, seats).await? {
            states.extend(read(&item)?);
        }
        let wanted: HashSet<_> = seats.iter().collect();
        states.retain(|seat, _| wanted.contains(seat));
        Ok(states)
    }

    /// Returns the sold seats among the items with some seats of a show.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a read fails.
    pub(crate) async fn sold_of(&self, show: Uuid, seats: &[u32]) -> Result<SoldSeats, Error> {
        let items = self.items_of(show, seats).await?;
        Ok(items.iter().map(read_sold).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Returns the items with the states of some seats of a show, as far as there are such items.
    async fn items_of(&self, show: Uuid, seats: &[u32]) -> Result<Vec<Item>, Error> {
        let mut items: Vec<_> = seats.iter().map(|seat| seat / SEATS_OF_ITEM).collect();
        items.sort_unstable();
        items.dedup();
        let keys: Vec<_> = items.iter().map(|item| keys::seat_states(show, *item).attributes()).collect();
        let mut found = Vec::new();
        for keys in keys.chunks(MAX_READS) {
            found.append(&mut self.table.read_batch(keys.to_vec(), true).await?);
        }
        Ok(found)
    }

    /// Returns the states of seats of a show that were taken once, of the part of the hall that begins with a seat.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the query fails.
    pub(crate) async fn partition(&self, show: Uuid, first: u32) -> Result<Vec<(u32, Taken)>, Error> {
        let mut states = Vec::new();
        for item in self.items(show, first).await? {
            states.extend(read(&item)?);
        }
        Ok(states)
    }

    /// Returns the items with the states of seats of a show, of the part of the hall that begins with a seat.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the query fails.
    pub(crate) async fn items(&self, show: Uuid, first: u32) -> Result<Vec<Item>, Error> {
        let partition = keys::seat_states(show, first / SEATS_OF_ITEM).partition;
        let items: Result<_, _> = self.table.query(partition).into_paginator().items().send().collect().await;
        items.map_err(failure)
    }
}

/// Builds the writes of a plan for seats of a show, one for each item.
pub(crate) fn writes(show: Uuid, plan: &Plan) -> Vec<Write> {
    let mut writes = BTreeMap::new();
    for &(seat, expected) in &plan.seats {
        let item = seat / SEATS_OF_ITEM;
        let write = writes.remove(&item).unwrap_or_else(|| Write::update(keys::seat_states(show, item)));
        let name = attribute(seat);
        let write = match expected {
            Expected::Free(now) => write.if_absent_or_less(&name, free_before(now)),
            Expected::FreeOr(now, state) => write.if_absent_less_or_equal(&name, free_before(now), encode(state)),
            Expected::Is(None) => write.if_absent(&name),
            // The admissions of its ticket may have changed.
            Expected::Is(Some(state @ Taken::Sold { .. })) => write.if_begins_with(&name, encode(state)),
            Expected::Is(Some(state)) | Expected::Stays(state) => write.only_if(&name, "=", encode(state)),
        };
        let state = if let Expected::Stays(state) = expected { Some(state) } else { plan.state };
        let write = match state {
            Some(state) => write.set(&name, encode(state)),
            None => write.remove(&name),
        };
        writes.insert(item, write);
    }
    writes.into_values().collect()
}

/// Attribute with the bytes of the event's id, in an item of a seat whose ticket was once admitted. The keys have only
/// the id of the show, and other systems are told the event of an admission.
const EVENT: &str = "event";

/// Adds the event to a write of an item.
pub(crate) fn with_event(write: Write, event: Uuid) -> Write {
    write.set(EVENT, AttributeValue::B(Blob::new(event.into_bytes())))
}

/// Returns the event of an item with the state of a seat whose ticket was once admitted.
pub(crate) fn event_of(item: &Item) -> Option<Uuid> {
    Uuid::from_slice(item.get(EVENT)?.as_b().ok()?.as_ref()).ok()
}

/// Adds to a write of the item of a sold seat that the seat becomes another one, if it is as it was read.
pub(crate) fn replace_sold(write: Write, seat: u32, before: &SoldSeat, after: &SoldSeat) -> Write {
    let name = attribute(seat);
    write.only_if(&name, "=", encode_sold(before)).set(&name, encode_sold(after))
}

/// Groups seats by the items with their states.
#[must_use]
pub fn by_item(seats: &[u32]) -> Vec<Vec<u32>> {
    let mut items = BTreeMap::<_, Vec<_>>::new();
    for &seat in seats {
        items.entry(seat / SEATS_OF_ITEM).or_default().push(seat);
    }
    items.into_values().collect()
}

/// Returns the name of the attribute of a seat in its item.
fn attribute(seat: u32) -> String {
    (seat % SEATS_OF_ITEM).to_string()
}

/// Returns the states in an item, with the numbers of their seats.
///
/// # Errors
///
/// Returns `Unexpected` if it is another item.
pub fn read(item: &Item) -> Result<Vec<(u32, Taken)>, Error> {
    states(item)?
        .map(|(seat, bytes)| {
            let state = seat_state_bytes::decode(bytes).ok_or_else(|| Error::unexpected("unreadable state of a seat"));
            Ok((seat, state?))
        })
        .collect()
}

/// Returns the sold seats in an item, by their numbers.
///
/// # Errors
///
/// Returns `Unexpected` if it is another item.
pub fn read_sold(item: &Item) -> Result<SoldSeats, Error> {
    Ok(states(item)?.filter_map(|(seat, bytes)| Some((seat, decode_sold(bytes)?))).collect())
}

/// Returns the bytes of the states in an item, with the numbers of their seats.
fn states(item: &Item) -> Result<impl Iterator<Item = (u32, &[u8])>, Error> {
    let first = item
        .get(SORT)
        .and_then(|sort| keys::first_seat(sort.as_s().ok()?))
        .ok_or_else(|| Error::unexpected("states of unknown seats"))?;
    Ok(item.iter().filter_map(move |(name, value)| {
        let offset = name.parse::<u32>().ok()?;
        Some((first + offset, value.as_b().map(AsRef::as_ref).unwrap_or_default()))
    }))
}
