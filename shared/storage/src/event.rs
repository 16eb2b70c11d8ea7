//! Events in the table.

use std::time::Duration;

use aws_sdk_dynamodb::{
    primitives::Blob,
    types::{AttributeValue, Update, builders::UpdateBuilder},
};
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    attempt::{Attempt, until_decided},
    expiry::{epoch_seconds, since_epoch},
    idempotency::Claim,
    keys::{self, EXPIRES, Key, LISTING, LISTING_SORT, LIVE, MANAGER, PARTITION, SEARCH, SUMMARY},
    poster_expiry,
    show_locks::ShowLocks,
    table::{Item, Table, failure},
    transaction::{Outcome, Transaction, update},
};
use domain::{
    error::Error,
    event::{Details, Event, Status},
    instant::Instant,
    search::record,
};
use seating::{codec, seat_map::SeatMap};

/// Time for which a deleted event can be restored; its items expire afterwards.
pub const DELETED_EVENT_RETENTION: Duration = Duration::from_hours(30 * 24);

/// Maximum bytes of a seat map chunk; an item holds 400 KiB with its keys.
const CHUNK: usize = 390_000;

/// Attribute of a chunk: its bytes.
const DATA: &str = "data";
// Attributes of an event: number of chunks, partition key of the lock items, number of edits.
const CHUNKS: &str = "chunks";
pub(super) const LOCKS: &str = "locks";
/// Version of an event: the number of its edits since its registration, for optimistic locking.
pub(super) const VERSION: &str = "version";

/// Store of the events.
#[derive(Clone, Debug)]
pub struct Events {
    pub(super) table: Table,
}

/// Page of live events, newest first.
#[derive(Debug)]
pub struct Page {
    /// Summaries of the events.
    pub summaries: Vec<String>,
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
    /// The summary is the JSON that clients receive; responses copy it unchanged.
    ///
    /// # Errors
    ///
    /// Stores nothing and returns `AlreadyRegistered` if a live event has one of the shows, `TooManyShows` if
    /// a lock item is full, `InProgress` if the claim on the request expired, `PosterExpired` if the poster has no
    /// expiry record. Returns `Database` if the outcome is unknown.
    pub async fn add(
        &self,
        event: &Event,
        summary: String,
        seats: &SeatMap,
        claim: Option<&Claim>,
    ) -> Result<(), Error> {
        let encoded = codec::encode(seats);
        let chunks = encoded.chunks(CHUNK);
        let locks = ShowLocks::new(&event.details);
        let item = Item::from([
            (LISTING_SORT.to_owned(), AttributeValue::S(event.id.to_string())),
            (LISTING.to_owned(), AttributeValue::S(LIVE.to_owned())),
            (SUMMARY.to_owned(), AttributeValue::S(summary)),
            (SEARCH.to_owned(), search_record(&event.details)),
            (MANAGER.to_owned(), AttributeValue::S(event.manager.to_string())),
            (CHUNKS.to_owned(), AttributeValue::N(chunks.len().to_string())),
            (LOCKS.to_owned(), AttributeValue::S(locks.partition.clone())),
            (VERSION.to_owned(), version_attribute(0)),
        ]);

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
        ShowLocks::none().replace(&locks, event.id, &mut transaction, || Error::AlreadyRegistered)?;
        transaction.add_conditional(poster_expiry::delete_record(&self.table, &event.thumbnail)?, Error::PosterExpired);
        match transaction.commit().await? {
            Outcome::Written => Ok(()),
            Outcome::ConditionFailed(error) => Err(error),
        }
    }

    /// Returns the summary of a live event, with one read.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `Database` if the read fails.
    pub async fn get(&self, id: Uuid) -> Result<String, Error> {
        let mut event = require_live(self.table.get(&keys::event(id)).await?)?;
        take_string(&mut event, SUMMARY)
    }

    /// Returns the file name of the poster of a live or restorable event, with one read.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn thumbnail(&self, id: Uuid) -> Result<Option<String>, Error> {
        let Some(event) = self.table.get(&keys::event(id)).await? else { return Ok(None) };
        let is_kept = event.contains_key(LISTING) || is_restorable(&event, since_epoch()?);
        if is_kept { Ok(Some(parse_parts(&event)?.thumbnail)) } else { Ok(None) }
    }

    /// Returns summary and seats of a live event, with one query for each started megabyte.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `Database` if a query fails.
    pub async fn get_with_seats(&self, id: Uuid) -> Result<(String, SeatMap), Error> {
        let (event, seats) = self.read_with_seats(id).await?;
        Ok((take_string(&mut require_live(Some(event))?, SUMMARY)?, seats))
    }

    /// Returns summary and seats of a live or restorable event.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if there is none, `Database` if a query fails.
    pub async fn get_including_deleted(&self, id: Uuid) -> Result<(String, SeatMap), Error> {
        let (mut event, seats) = self.read_with_seats(id).await?;
        Ok((take_string(&mut event, SUMMARY)?, seats))
    }

    async fn read_with_seats(&self, id: Uuid) -> Result<(Item, SeatMap), Error> {
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
        let mut encoded = Vec::new();
        while let Some(chunk) = items.next().await {
            match chunk.map_err(failure)?.get(DATA) {
                Some(AttributeValue::B(bytes)) => encoded.extend_from_slice(bytes.as_ref()),
                _ => return Err(Error::unexpected("seat map chunk without data")),
            }
        }
        let seats = codec::decode(&encoded).map_err(Error::unexpected)?;
        Ok((event, seats))
    }

    /// Lists at most `limit` live events that were registered before `after`, newest first.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a query fails.
    pub async fn list(&self, limit: usize, after: Option<Uuid>) -> Result<Page, Error> {
        let mut summaries = Vec::with_capacity(limit);
        let mut last = None;
        let mut start = after.map(|id| index_position(LISTING, LIVE.to_owned(), id));
        loop {
            // One additional event shows that another page follows.
            let remaining = i32::try_from(limit + 1 - summaries.len()).map_err(Error::unexpected)?;
            let query = self
                .table
                .client
                .query()
                .table_name(&self.table.name)
                .index_name(LISTING)
                .key_condition_expression("#listing = :live")
                .expression_attribute_names("#listing", LISTING)
                .expression_attribute_values(":live", AttributeValue::S(LIVE.to_owned()))
                .projection_expression("#id, #summary")
                .expression_attribute_names("#id", LISTING_SORT)
                .expression_attribute_names("#summary", SUMMARY)
                .scan_index_forward(false)
                .set_exclusive_start_key(start)
                .limit(remaining);
            let output = query.send().await.map_err(failure)?;
            for mut event in output.items.unwrap_or_default() {
                if summaries.len() == limit {
                    let next = last.map(|id: String| id.parse()).transpose().map_err(Error::unexpected)?;
                    return Ok(Page { summaries, next });
                }
                summaries.push(take_string(&mut event, SUMMARY)?);
                last = Some(take_string(&mut event, LISTING_SORT)?);
            }
            // A query returns at most a megabyte.
            start = output.last_evaluated_key;
            if start.is_none() {
                return Ok(Page { summaries, next: None });
            }
        }
    }

    /// Deletes a live event, with one read and one transaction.
    ///
    /// Removes it from the listing, removes its locks and makes it expire with its poster. Read and transaction
    /// both check the owner, if one is given. Retries if a simultaneous change comes first.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `PermissionDenied` if it belongs to another manager,
    /// `Database` if the outcome is unknown.
    pub async fn delete(&self, id: Uuid, owner: Option<Uuid>) -> Result<(), Error> {
        until_decided(&self.table, move || self.try_delete(id, owner)).await
    }

    async fn try_delete(&self, id: Uuid, owner: Option<Uuid>) -> Result<Attempt<()>, Error> {
        let event = self.live_event(id, owner).await?;
        let Parts { chunks, locks, thumbnail, version } = parse_parts(&event)?;
        let expires = since_epoch()? + DELETED_EVENT_RETENTION;

        let mut transaction = Transaction::new(&self.table);
        let deleted = unchanged(self.set_expiry(&keys::event(id), expires), Status::Live, version, owner);
        transaction
            .add_conditional(update(deleted.update_expression("SET #expires = :at REMOVE #listing"))?, Attempt::Lost);
        for index in 0..chunks {
            transaction.add_unconditional(update(self.set_expiry(&keys::chunk(id, index), expires))?);
        }
        locks.replace(&ShowLocks::none(), id, &mut transaction, || Attempt::Lost)?;
        transaction.add_unconditional(poster_expiry::put_record(&self.table, &thumbnail, expires)?);
        match transaction.commit().await? {
            Outcome::Written => Ok(Attempt::Decided(())),
            Outcome::ConditionFailed(lost) => Ok(lost),
        }
    }

    /// Reads a live event.
    ///
    /// Returns `NoSuchEvent` if no live event has the id, `PermissionDenied` if it belongs to another manager than
    /// the owner.
    pub(super) async fn live_event(&self, id: Uuid, owner: Option<Uuid>) -> Result<Item, Error> {
        let event = require_live(self.table.get(&keys::event(id)).await?)?;
        expect_owner(&event, owner)?;
        Ok(event)
    }

    fn set_expiry(&self, key: &Key, at: Duration) -> UpdateBuilder {
        Update::builder()
            .table_name(&self.table.name)
            .set_key(Some(key.attributes()))
            .update_expression("SET #expires = :at")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":at", epoch_seconds(at))
    }
}

/// Adds the condition that an event has this status and version and, if an owner is given, is theirs.
///
/// A deleted event must expire after `:now`.
pub(super) fn unchanged(update: UpdateBuilder, status: Status, version: u64, owner: Option<Uuid>) -> UpdateBuilder {
    let update = update
        .expression_attribute_names("#listing", LISTING)
        .expression_attribute_names("#version", VERSION)
        .expression_attribute_values(":version", version_attribute(version));
    let has_status = match status {
        Status::Live => "attribute_exists(#listing)",
        Status::Deleted => "attribute_not_exists(#listing) AND #expires > :now",
    };
    let condition = format!("{has_status} AND #version = :version");
    match owner {
        None => update.condition_expression(condition),
        Some(owner) => update
            .condition_expression(condition + " AND #manager = :owner")
            .expression_attribute_names("#manager", MANAGER)
            .expression_attribute_values(":owner", AttributeValue::S(owner.to_string())),
    }
}

pub(super) fn search_record(details: &Details) -> AttributeValue {
    AttributeValue::B(Blob::new(record::encode(details)))
}

pub(super) fn version_attribute(version: u64) -> AttributeValue {
    AttributeValue::N(version.to_string())
}

/// Returns `PermissionDenied` if an event belongs to another manager than the owner.
pub(super) fn expect_owner(event: &Item, owner: Option<Uuid>) -> Result<(), Error> {
    let Some(owner) = owner.map(|owner| AttributeValue::S(owner.to_string())) else { return Ok(()) };
    if event.get(MANAGER) == Some(&owner) { Ok(()) } else { Err(Error::PermissionDenied) }
}

/// Returns whether a deleted event has not expired; DynamoDB removes expired items late.
pub(super) fn is_restorable(deleted: &Item, now: Duration) -> bool {
    deleted.get(EXPIRES).and_then(parse_expiry).is_some_and(|expires| now.as_secs() < expires)
}

/// Returns the value of an expiry attribute, in epoch seconds.
pub(super) fn parse_expiry(attribute: &AttributeValue) -> Option<u64> {
    attribute.as_n().ok()?.parse().ok()
}

fn require_live(event: Option<Item>) -> Result<Item, Error> {
    event.filter(|event| event.contains_key(LISTING)).ok_or(Error::NoSuchEvent)
}

/// Items and poster that belong to an event.
pub(super) struct Parts {
    /// Number of chunks of the seat map.
    pub chunks: usize,
    /// Locks of the shows.
    pub locks: ShowLocks,
    /// File name of the poster.
    pub thumbnail: String,
    /// Number of changes since the registration.
    pub version: u64,
}

pub(super) fn parse_parts(event: &Item) -> Result<Parts, Error> {
    try_parse_parts(event).ok_or_else(|| Error::unexpected("incomplete event item"))
}

fn try_parse_parts(event: &Item) -> Option<Parts> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Summary {
        thumbnail: String,
        event_datetimes: Vec<Show>,
    }
    #[derive(Deserialize)]
    struct Show {
        datetime: String,
    }
    let chunks = event.get(CHUNKS)?.as_n().ok()?.parse().ok()?;
    let version = event.get(VERSION)?.as_n().ok()?.parse().ok()?;
    let Summary { thumbnail, event_datetimes } = serde_json::from_str(event.get(SUMMARY)?.as_s().ok()?).ok()?;
    let shows = event_datetimes.iter().map(|show| Instant::from_text(&show.datetime).ok()).collect::<Option<_>>()?;
    let locks = ShowLocks { partition: event.get(LOCKS)?.as_s().ok()?.clone(), shows };
    Some(Parts { chunks, locks, thumbnail, version })
}

pub(super) fn take_string(item: &mut Item, attribute: &'static str) -> Result<String, Error> {
    match item.remove(attribute) {
        Some(AttributeValue::S(text)) => Ok(text),
        _ => Err(Error::unexpected(format!("event item without {attribute}"))),
    }
}

/// Position of an event in a partition of an index, also valid if the event has left it.
pub(super) fn index_position(index: &str, partition: String, id: Uuid) -> Item {
    let mut position = keys::event(id).attributes();
    position.insert(index.to_owned(), AttributeValue::S(partition));
    position.insert(LISTING_SORT.to_owned(), AttributeValue::S(id.to_string()));
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_is_restorable_until_it_expires() {
        let now = Duration::from_millis(1_700_000_000_999);
        let expiring_item = |value| Item::from([(EXPIRES.to_owned(), value)]);
        for (expires, is_restored) in [("1699999999", false), ("1700000000", false), ("1700000001", true)] {
            let deleted = expiring_item(AttributeValue::N(expires.to_owned()));
            assert_eq!(is_restorable(&deleted, now), is_restored, "{expires}");
        }
        for without_expiry in [Item::new(), expiring_item(AttributeValue::S("1700000001".to_owned()))] {
            assert!(!is_restorable(&without_expiry, now), "{without_expiry:?}");
        }
    }
}
