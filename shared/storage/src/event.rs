//! Events in the table.

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use uuid::Uuid;

use crate::{
    event_record::EventRecord,
    expiry::since_epoch,
    idempotency::Claim,
    keys::{self, LISTING, LISTING_SORT, LIVE, PARTITION},
    poster_expiry,
    show_locks::ShowLocks,
    table::{Item, Table, failure},
    transaction::{Outcome, Transaction},
};
use domain::{error::Error, event::Event};
use seating::{codec, seat_map::SeatMap};

/// Maximum bytes of a seat map chunk; an item holds 400 KiB with its keys.
const CHUNK: usize = 390_000;

/// Attribute of a chunk: its bytes.
const DATA: &str = "data";

/// Store of the events.
#[derive(Clone, Debug)]
pub struct Events {
    pub(super) table: Table,
}

/// Page of live events, newest first.
#[derive(Debug)]
pub struct Page {
    /// Events on the page.
    pub events: Vec<Event>,
    /// Id of the last event, if more follow.
    pub next: Option<Uuid>,
}

impl Events {
    /// Opens the events in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Adds an event and deletes its poster's expiry record, in one transaction.
    ///
    /// # Errors
    ///
    /// Stores nothing and returns `AlreadyRegistered` if a live event has one of the shows, `TooManyShows` if
    /// a lock item is full, `InProgress` if the claim on the request expired, `PosterExpired` if the poster has no
    /// expiry record. Returns `Database` if the outcome is unknown.
    pub async fn add(&self, event: &Event, seats: &SeatMap, claim: Option<&Claim>) -> Result<(), Error> {
        let encoded = codec::encode(seats);
        let chunks = encoded.chunks(CHUNK);
        let item = EventRecord::live(event, chunks.len()).to_item()?;

        // If several conditions fail, the first one decides the error.
        let mut transaction = Transaction::new(&self.table);
        if let Some(claim) = claim {
            transaction.add_conditional(claim.complete(&self.table, event.id)?, Error::InProgress);
        }
        transaction.put_new(&keys::event(event.id), item, Error::AlreadyRegistered)?;
        for (index, chunk) in chunks.enumerate() {
            let item = Item::from([(DATA.to_owned(), AttributeValue::B(Blob::new(chunk)))]);
            transaction.put_new(&keys::chunk(event.id, index), item, Error::AlreadyRegistered)?;
        }
        let locks = ShowLocks::new(event);
        ShowLocks::none().replace(&locks, event.id, &mut transaction, || Error::AlreadyRegistered)?;
        transaction.add_conditional(poster_expiry::delete_record(&self.table, &event.thumbnail)?, Error::PosterExpired);
        match transaction.commit().await? {
            Outcome::Written => Ok(()),
            Outcome::ConditionFailed(error) => Err(error),
        }
    }

    /// Returns a live event, with one read.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `Database` if the read fails.
    pub async fn get(&self, id: Uuid) -> Result<Event, Error> {
        Ok(self.live_record(id, None).await?.into_event())
    }

    /// Returns the file name of the poster of a live or restorable event, with one read.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn thumbnail(&self, id: Uuid) -> Result<Option<String>, Error> {
        let Some(record) = self.record(id).await? else { return Ok(None) };
        let is_kept = record.is_live() || record.is_restorable(since_epoch()?);
        Ok(is_kept.then(|| record.into_event().thumbnail))
    }

    /// Returns a live event with its seats, with one query for each started megabyte.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `Database` if a query fails.
    pub async fn get_with_seats(&self, id: Uuid) -> Result<(Event, SeatMap), Error> {
        let (record, seats) = self.read_with_seats(id).await?;
        if record.is_live() { Ok((record.into_event(), seats)) } else { Err(Error::NoSuchEvent) }
    }

    /// Returns a live or restorable event with its seats.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if there is none, `Database` if a query fails.
    pub async fn get_including_deleted(&self, id: Uuid) -> Result<(Event, SeatMap), Error> {
        let (record, seats) = self.read_with_seats(id).await?;
        Ok((record.into_event(), seats))
    }

    async fn read_with_seats(&self, id: Uuid) -> Result<(EventRecord, SeatMap), Error> {
        // The sort key of the event precedes those of its chunks.
        let mut items = self
            .table
            .client
            .query()
            .table_name(&self.table.name)
            .consistent_read(true)
            .key_condition_expression("#pk = :event")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_values(":event", AttributeValue::S(keys::event(id).partition))
            .into_paginator()
            .items()
            .send();
        let event = items.next().await.ok_or(Error::NoSuchEvent)?.map_err(failure)?;
        let record = EventRecord::from_item(event)?;
        let mut encoded = Vec::new();
        while let Some(chunk) = items.next().await {
            match chunk.map_err(failure)?.get(DATA) {
                Some(AttributeValue::B(bytes)) => encoded.extend_from_slice(bytes.as_ref()),
                _ => return Err(Error::unexpected("seat map chunk without data")),
            }
        }
        let seats = codec::decode(&encoded).map_err(Error::unexpected)?;
        Ok((record, seats))
    }

    /// Lists at most `limit` live events that were registered before `after`, newest first.
    ///
    /// Makes one query for each started megabyte of the page.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a query fails.
    pub async fn list(&self, limit: usize, after: Option<Uuid>) -> Result<Page, Error> {
        // One additional event shows that another page follows.
        let wanted = limit + 1;
        let mut items = self
            .table
            .client
            .query()
            .table_name(&self.table.name)
            .index_name(LISTING)
            .key_condition_expression("#listing = :live")
            .expression_attribute_names("#listing", LISTING)
            .expression_attribute_values(":live", AttributeValue::S(LIVE.to_owned()))
            .scan_index_forward(false)
            .set_exclusive_start_key(after.map(|id| index_position(LISTING, LIVE.to_owned(), id)))
            .limit(i32::try_from(wanted).map_err(Error::unexpected)?)
            .into_paginator()
            .items()
            .send();
        let mut events = Vec::with_capacity(wanted);
        while events.len() < wanted
            && let Some(item) = items.next().await
        {
            events.push(EventRecord::from_item(item.map_err(failure)?)?.into_event());
        }
        let has_more = events.len() == wanted;
        events.truncate(limit);
        let next = events.last().filter(|_| has_more).map(|event| event.id);
        Ok(Page { events, next })
    }

    pub(crate) async fn record(&self, id: Uuid) -> Result<Option<EventRecord>, Error> {
        self.table.get(&keys::event(id)).await?.map(EventRecord::from_item).transpose()
    }

    /// Reads a live event.
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `PermissionDenied` if it belongs to another manager than
    /// the owner.
    pub(crate) async fn live_record(&self, id: Uuid, owner: Option<Uuid>) -> Result<EventRecord, Error> {
        let record = self.record(id).await?.filter(EventRecord::is_live).ok_or(Error::NoSuchEvent)?;
        record.expect_owner(owner)?;
        Ok(record)
    }
}

/// Position of an event in a partition of an index, also valid if the event has left it.
pub(super) fn index_position(index: &str, partition: String, id: Uuid) -> Item {
    let mut position = keys::event(id).attributes();
    position.insert(index.to_owned(), AttributeValue::S(partition));
    position.insert(LISTING_SORT.to_owned(), AttributeValue::S(id.to_string()));
    position
}
