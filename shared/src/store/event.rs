//! Events in the table.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::{
    primitives::Blob,
    types::{AttributeValue, Delete, TransactWriteItem, Update},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    keys::{self, CHUNK_PREFIX, EXPIRES, Key, LISTING, LISTING_SORT, LIVE, PARTITION, SORT},
    seat_map,
    table::{Item, Outcome, Table, failure},
};
use crate::domain::{
    error::Error,
    event::{Details, Event},
    instant::Instant,
    seat_map::SeatMap,
    text::{Line, Paragraph},
};

/// How long a deleted event can be restored, before its records expire.
pub const KEPT_AFTER_DELETION: Duration = Duration::from_hours(30 * 24);

/// The most bytes of a seat map in one item; an item holds 400 KiB with its keys.
const CHUNK: usize = 390_000;

/// The attribute of a chunk that holds its bytes.
const DATA: &str = "data";

/// The events of the service.
#[derive(Clone, Debug)]
pub struct Events {
    table: Table,
}

/// Some of the live events, newest first.
#[derive(Debug)]
pub struct Page {
    /// The events.
    pub events: Vec<Event>,
    /// The last of them, where more follow.
    pub next: Option<Uuid>,
}

/// The item of an event; the listing index copies it whole.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventRecord {
    id: Uuid,
    manager: Uuid,
    thumbnail: String,
    title: String,
    description: String,
    place: String,
    artist: String,
    event_open_time: String,
    ticketing_open_time: String,
    shows: Vec<String>,
    chunks: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<String>,
}

impl Events {
    /// The events in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Adds an event with its seats, with one transaction.
    ///
    /// # Errors
    ///
    /// `AlreadyRegistered` where a live event claims one of its shows; nothing
    /// is left behind then. `Database` where it cannot be told.
    pub async fn add(&self, event: &Event, seats: &SeatMap) -> Result<(), Error> {
        let encoded = seat_map::encode(seats);
        let chunks = encoded.chunks(CHUNK);
        let record = EventRecord::new(event, chunks.len());
        let item = serde_dynamo::to_item(&record).map_err(Error::unexpected)?;

        let mut writes = vec![self.table.put_new(&keys::event(event.id), item)?];
        for (index, chunk) in chunks.enumerate() {
            let item = Item::from([(DATA.to_owned(), AttributeValue::B(Blob::new(chunk)))]);
            writes.push(self.table.put_new(&keys::chunk(event.id, index), item)?);
        }
        for claim in event.details.claims() {
            let item = Item::from([("event".to_owned(), AttributeValue::S(event.id.to_string()))]);
            writes.push(self.table.put_new(&keys::show(&claim), item)?);
        }
        match self.table.transact(writes).await? {
            Outcome::Written => Ok(()),
            Outcome::Refused(_) => Err(Error::AlreadyRegistered),
        }
    }

    /// Finds a live event, in one read.
    ///
    /// # Errors
    ///
    /// `NoSuchEvent` where there is none, `Database` where it cannot be told.
    pub async fn get(&self, id: Uuid) -> Result<Event, Error> {
        self.live(id).await?.into_event()
    }

    /// Reads the seats of an event, live or deleted.
    ///
    /// # Errors
    ///
    /// `NoSuchEvent` where there are none, `Database` where it cannot be told.
    pub async fn seat_map(&self, id: Uuid) -> Result<SeatMap, Error> {
        let mut pages = self
            .table
            .client
            .query()
            .table_name(&self.table.name)
            .consistent_read(true)
            .key_condition_expression("#pk = :event AND begins_with(#sk, :chunk)")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#sk", SORT)
            .expression_attribute_values(":event", AttributeValue::S(keys::event(id).partition))
            .expression_attribute_values(":chunk", AttributeValue::S(CHUNK_PREFIX.to_owned()))
            .into_paginator()
            .items()
            .send();
        let mut encoded = Vec::new();
        while let Some(item) = pages.next().await {
            let item = item.map_err(failure)?;
            match item.get(DATA) {
                Some(AttributeValue::B(bytes)) => encoded.extend_from_slice(bytes.as_ref()),
                _ => return Err(Error::unexpected("a chunk without data")),
            }
        }
        if encoded.is_empty() {
            return Err(Error::NoSuchEvent);
        }
        seat_map::decode(&encoded).map_err(Error::unexpected)
    }

    /// Lists at most `limit` live events, newest first, that were registered before `after`.
    ///
    /// # Errors
    ///
    /// `Database` where it cannot be told.
    pub async fn list(&self, limit: usize, after: Option<Uuid>) -> Result<Page, Error> {
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
            .set_exclusive_start_key(after.map(listing_position))
            // One more tells whether a further page follows.
            .limit(i32::try_from(limit + 1).map_err(Error::unexpected)?)
            .into_paginator()
            .items()
            .send();
        let mut events = Vec::with_capacity(limit);
        while let Some(item) = items.next().await {
            if events.len() == limit {
                let next = events.last().map(|event: &Event| event.id);
                return Ok(Page { events, next });
            }
            let record: EventRecord =
                serde_dynamo::from_item(item.map_err(failure)?).map_err(Error::unexpected)?;
            events.push(record.into_event()?);
        }
        Ok(Page { events, next: None })
    }

    /// Deletes a live event: unlists it, frees its claims and lets it expire,
    /// with one read and one transaction.
    ///
    /// # Errors
    ///
    /// `NoSuchEvent` where there is none, `Database` where it cannot be told.
    pub async fn delete(&self, id: Uuid) -> Result<(), Error> {
        let record = self.live(id).await?;
        let chunks = record.chunks;
        let event = record.into_event()?;
        let expires = SystemTime::now() + KEPT_AFTER_DELETION;
        let expires = expires.duration_since(UNIX_EPOCH).map_err(Error::unexpected)?.as_secs();

        let mut writes = vec![self.expire(&keys::event(id), expires, true)?];
        for index in 0..chunks {
            writes.push(self.expire(&keys::chunk(id, index), expires, false)?);
        }
        for claim in event.details.claims() {
            let delete = Delete::builder()
                .table_name(&self.table.name)
                .set_key(Some(keys::show(&claim).attributes()))
                .build()
                .map_err(Error::unexpected)?;
            writes.push(TransactWriteItem::builder().delete(delete).build());
        }
        match self.table.transact(writes).await? {
            Outcome::Written => Ok(()),
            Outcome::Refused(_) => Err(Error::NoSuchEvent),
        }
    }

    async fn live(&self, id: Uuid) -> Result<EventRecord, Error> {
        let item = self.table.get(&keys::event(id)).await?.ok_or(Error::NoSuchEvent)?;
        let record: EventRecord = serde_dynamo::from_item(item).map_err(Error::unexpected)?;
        if record.listing.is_some() { Ok(record) } else { Err(Error::NoSuchEvent) }
    }

    /// The update that lets an item expire; for the event itself, also the one
    /// that unlists it, if it is still listed.
    fn expire(&self, key: &Key, at: u64, unlist: bool) -> Result<TransactWriteItem, Error> {
        let update = Update::builder()
            .table_name(&self.table.name)
            .set_key(Some(key.attributes()))
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":at", AttributeValue::N(at.to_string()));
        let update = if unlist {
            update
                .update_expression("SET #expires = :at REMOVE #listing")
                .condition_expression("attribute_exists(#listing)")
                .expression_attribute_names("#listing", LISTING)
        } else {
            update.update_expression("SET #expires = :at")
        };
        let update = update.build().map_err(Error::unexpected)?;
        Ok(TransactWriteItem::builder().update(update).build())
    }
}

impl EventRecord {
    fn new(event: &Event, chunks: usize) -> Self {
        let details = &event.details;
        Self {
            id: event.id,
            manager: event.manager,
            thumbnail: event.thumbnail.clone(),
            title: details.title.as_str().to_owned(),
            description: details.description.as_str().to_owned(),
            place: details.place.as_str().to_owned(),
            artist: details.artist.as_str().to_owned(),
            event_open_time: details.event_open_time.to_string(),
            ticketing_open_time: details.ticketing_open_time.to_string(),
            shows: details.shows.iter().map(ToString::to_string).collect(),
            chunks,
            listing: Some(LIVE.to_owned()),
        }
    }

    fn into_event(self) -> Result<Event, Error> {
        Ok(Event {
            id: self.id,
            manager: self.manager,
            thumbnail: self.thumbnail,
            details: Details {
                title: Line::stored(self.title),
                description: Paragraph::stored(self.description),
                place: Line::stored(self.place),
                artist: Line::stored(self.artist),
                event_open_time: instant(&self.event_open_time)?,
                ticketing_open_time: instant(&self.ticketing_open_time)?,
                shows: self.shows.iter().map(|text| instant(text)).collect::<Result<_, _>>()?,
            },
        })
    }
}

fn instant(text: &str) -> Result<Instant, Error> {
    Instant::from_text(text).map_err(|_| Error::unexpected("a stored time that is none"))
}

/// Where an event stands in the listing index, whether it is still there or not.
fn listing_position(id: Uuid) -> Item {
    let mut position = keys::event(id).attributes();
    position.insert(LISTING.to_owned(), AttributeValue::S(LIVE.to_owned()));
    position.insert(LISTING_SORT.to_owned(), AttributeValue::S(id.to_string()));
    position
}
