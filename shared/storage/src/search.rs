//! Search among the live events.
//!
//! The index of searches has only the search record of each event. A search reads all of it, compares in the function,
//! and then reads the summaries of one page.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes};
use uuid::Uuid;

use crate::{
    event::{Events, take_string},
    keys::{self, Key, LISTING, LIVE, PARTITION, SEARCH, SUMMARY},
    table::{Item, failure},
};
use domain::{
    error::Error,
    instant::Instant,
    search::{Candidate, Place, Search, record::Record},
};

/// Page of the events that match a search.
#[derive(Debug)]
pub struct SearchPage {
    /// Summaries of the events.
    pub summaries: Vec<String>,
    /// Place of the last event, if more follow.
    pub next: Option<Place>,
}

impl Events {
    /// Returns at most `limit` live events that match a search and come after a place.
    ///
    /// Takes one query for each started megabyte of the index, one read of the summaries, and another read of those
    /// that the first one did not find. `now` is the time of the first page. An event that is deleted between the
    /// calls is missing from the page.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a call fails.
    pub async fn search(
        &self,
        search: &Search,
        now: Instant,
        after: Option<Place>,
        limit: usize,
    ) -> Result<SearchPage, Error> {
        let mut places = self.matching_places(search, now).await?;
        places.retain(|place| after.is_none_or(|after| *place > after));
        places.sort_unstable();
        let has_more = places.len() > limit;
        places.truncate(limit);
        let next = places.last().copied().filter(|_| has_more);
        Ok(SearchPage { summaries: self.summaries(&places).await?, next })
    }

    async fn matching_places(&self, search: &Search, now: Instant) -> Result<Vec<Place>, Error> {
        let mut pages = self
            .table
            .client
            .query()
            .table_name(&self.table.name)
            .index_name(SEARCH)
            .key_condition_expression("#listing = :live")
            .expression_attribute_names("#listing", LISTING)
            .expression_attribute_values(":live", AttributeValue::S(LIVE.to_owned()))
            .projection_expression("#pk, #search")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#search", SEARCH)
            .into_paginator()
            .send();
        let mut places = Vec::new();
        while let Some(page) = pages.next().await {
            for event in page.map_err(failure)?.items() {
                let (id, record) = parse(event).ok_or_else(|| Error::unexpected("incomplete search record"))?;
                let record = Record::decode(record).map_err(Error::unexpected)?;
                let text = record.text().map_err(Error::unexpected)?;
                let (ticketing_open_time, shows) = (record.ticketing_open_time, record.shows);
                let event = Candidate { id, texts: text.lines().collect(), ticketing_open_time, shows };
                places.extend(search.place(&event, now));
            }
        }
        Ok(places)
    }

    /// Reads the summaries of the live events at these places, in the same order.
    async fn summaries(&self, places: &[Place]) -> Result<Vec<String>, Error> {
        let keys: Vec<_> = places.iter().map(|place| keys::event(place.id())).collect();
        let mut summaries = self.live_summaries(&keys, false).await?;
        // The first read may be older than the index. Without the second one, a walk could miss a new event.
        let missing = keys.iter().filter(|key| !summaries.contains_key(&key.partition)).cloned().collect::<Vec<_>>();
        summaries.extend(self.live_summaries(&missing, true).await?);
        Ok(keys.iter().filter_map(|key| summaries.remove(&key.partition)).collect())
    }

    /// Reads the summaries of those of at most 100 events that are live, by their partition keys.
    async fn live_summaries(&self, keys: &[Key], is_consistent: bool) -> Result<HashMap<String, String>, Error> {
        let mut summaries = HashMap::new();
        if keys.is_empty() {
            return Ok(summaries);
        }
        let request = KeysAndAttributes::builder()
            .set_keys(Some(keys.iter().map(Key::attributes).collect()))
            .consistent_read(is_consistent)
            .projection_expression("#pk, #listing, #summary")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#listing", LISTING)
            .expression_attribute_names("#summary", SUMMARY);
        for mut event in self.table.read_batch(request).await? {
            if event.contains_key(LISTING) {
                summaries.insert(take_string(&mut event, PARTITION)?, take_string(&mut event, SUMMARY)?);
            }
        }
        Ok(summaries)
    }
}

fn parse(event: &Item) -> Option<(Uuid, &[u8])> {
    let id = keys::event_id(event.get(PARTITION)?.as_s().ok()?)?;
    Some((id, event.get(SEARCH)?.as_b().ok()?.as_ref()))
}
