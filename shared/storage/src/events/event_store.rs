//! Events in the table.

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use uuid::Uuid;

use crate::{
    events::{
        event_record::EventRecord,
        idempotency_claims::Claim,
        poster_expiry,
        show_locks::{LockCounts, ShowLocks},
    },
    keys,
    table::{Item, Table, failure, from_item, to_item},
    transaction::Transaction,
    write::Write,
};
use domain::{
    clock::Clock,
    error::Error,
    event::{Event, Status},
    manager::EventScope,
};
use seating::{codec, seat_map::SeatMap};

/// Maximum bytes of a seat map chunk; an item holds 400 KiB with its keys.
const CHUNK: usize = 390_000;

/// Attribute of a chunk: its bytes.
const DATA: &str = "data";

/// Store of the events.
#[derive(Clone, Debug)]
pub struct Events {
    pub(super) table: Table,
    /// Clock that decides which holds and deleted events have expired.
    pub(super) clock: Clock,
}

impl Events {
    /// Opens the events in this table.
    #[must_use]
    pub fn new(table: Table, clock: Clock) -> Self {
        Self { table, clock }
    }

    /// Adds an event and deletes its poster's expiry record, in one transaction.
    ///
    /// # Errors
    ///
    /// Stores nothing and returns `AlreadyRegistered` if another event has one of the shows, `TooManyShows` if
    /// a lock item is full, `InProgress` if the claim on the request expired, `PosterExpired` if the poster has no
    /// expiry record. Returns `Database` if the outcome is unknown.
    pub async fn add(&self, event: &Event, seats: &SeatMap, claim: Option<&Claim>) -> Result<(), Error> {
        let encoded = codec::encode(seats);
        let chunks = encoded.chunks(CHUNK);
        let item = to_item(&EventRecord::new(event, chunks.len()))?;

        // If several conditions fail, the first one decides the error.
        let mut transaction = Transaction::new(&self.table);
        if let Some(claim) = claim {
            transaction.add(claim.complete(event.id)?, Error::InProgress);
        }
        transaction.add(Write::put_new(keys::event(event.id), item), Error::AlreadyRegistered);
        for (index, chunk) in chunks.enumerate() {
            let item = Item::from([(DATA.to_owned(), AttributeValue::B(Blob::new(chunk)))]);
            transaction.add(Write::put_new(keys::chunk(event.id, index), item), Error::AlreadyRegistered);
        }
        ShowLocks::none().changes(&ShowLocks::new(event)).write(event.id, &LockCounts::new(), &mut transaction);
        transaction.add(poster_expiry::delete_record(&event.thumbnail), Error::PosterExpired);
        Ok(transaction.commit().await?)
    }

    /// Returns a live event, with one read.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `Database` if the read fails.
    pub async fn get(&self, id: Uuid) -> Result<Event, Error> {
        let event = self.record(id).await?.map(EventRecord::into_event);
        event.filter(|event| event.status() == Status::Live).ok_or(Error::NoSuchEvent)
    }

    /// Returns the file name of the poster of an event, unless it is deleted and can no longer be restored, with one
    /// read.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn thumbnail(&self, id: Uuid) -> Result<Option<String>, Error> {
        let event = self.record(id).await?.map(EventRecord::into_event);
        Ok(event.filter(|event| !event.has_expired(self.clock.now())).map(|event| event.thumbnail))
    }

    /// Returns an event with its seats, with one query for each started megabyte.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event has the id, or if it is deleted, an error of the scope, `Database` if a query
    /// fails.
    pub async fn get_with_seats(&self, id: Uuid, scope: EventScope) -> Result<(Event, SeatMap), Error> {
        let (event, seats) = self.get_including_deleted(id).await?;
        if event.is_deleted() {
            return Err(Error::NoSuchEvent);
        }
        scope.expect(&event)?;
        Ok((event, seats))
    }

    /// Returns an event of a manager with its seats, also a draft, or one that can be restored.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if there is none, or only a draft of another manager, `PermissionDenied` if it belongs to
    /// another manager, `Database` if a query fails.
    pub async fn get_managed(&self, id: Uuid, manager: Uuid) -> Result<(Event, SeatMap), Error> {
        let (event, seats) = self.get_including_deleted(id).await?;
        if event.has_expired(self.clock.now()) {
            return Err(Error::NoSuchEvent);
        }
        EventScope::OfManager(manager).expect(&event)?;
        Ok((event, seats))
    }

    /// Returns an event with its seats, also a draft or a deleted one.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if there is none, `Database` if a query fails.
    pub async fn get_including_deleted(&self, id: Uuid) -> Result<(Event, SeatMap), Error> {
        // The sort key of the event precedes those of its chunks.
        let mut items = self.table.query(keys::event(id).partition).into_paginator().items().send();
        let record: EventRecord = from_item(items.next().await.ok_or(Error::NoSuchEvent)?.map_err(failure)?)?;
        let mut encoded = Vec::new();
        while let Some(chunk) = items.next().await {
            append_chunk(&mut encoded, Some(&chunk.map_err(failure)?))?;
        }
        let seats = codec::decode(&encoded).map_err(Error::unexpected)?;
        Ok((record.into_event(), seats))
    }

    pub(crate) async fn record(&self, id: Uuid) -> Result<Option<EventRecord>, Error> {
        self.table.get(&keys::event(id)).await?.map(from_item).transpose()
    }
}

/// Appends the bytes of a seat map chunk.
pub(crate) fn append_chunk(encoded: &mut Vec<u8>, chunk: Option<&Item>) -> Result<(), Error> {
    let Some(AttributeValue::B(bytes)) = chunk.and_then(|chunk| chunk.get(DATA)) else {
        return Err(Error::unexpected("seat map chunk without data"));
    };
    encoded.extend_from_slice(bytes.as_ref());
    Ok(())
}
