//! Search among the live events.
//!
//! The index of searches has only the attributes of each event that a search compares. A search reads all of it,
//! compares in the function, and then reads the events of one page.

use std::{collections::HashMap, iter::repeat, time::Duration};

use serde::Deserialize;
use uuid::Uuid;

use crate::{
    events::{event_lists::Page, event_record::EventRecord, event_store::Events},
    keys::{self, LIVE, SEARCH},
    stored_time::StoredTime,
    table::{failure, from_item, text},
};
use domain::{
    error::Error,
    event::{Event, Status},
    instant::Instant,
    search::{Candidate, Rank, Search},
    show::ShowStatus,
};

/// Attributes of an event in the index of searches.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SearchRecord {
    pk: String,
    title: String,
    artist: String,
    place: String,
    genre: Option<String>,
    ticketing_open_time: StoredTime,
    #[serde(default)]
    ticketing_close_minutes: u64,
    show_times: Vec<StoredTime>,
    #[serde(default)]
    show_statuses: Vec<String>,
}

impl SearchRecord {
    fn candidate(&self) -> Result<Candidate<'_>, Error> {
        let id = keys::event_id(&self.pk).ok_or_else(|| Error::unexpected("no event in the index of searches"))?;
        let statuses = self.show_statuses.iter().map(String::as_str).chain(repeat(ShowStatus::default().name()));
        let is_scheduled = |(_, status): &(&StoredTime, &str)| *status == ShowStatus::Scheduled.name();
        let texts = [Some(&self.title), Some(&self.artist), Some(&self.place), self.genre.as_ref()];
        Ok(Candidate {
            id,
            texts: texts.into_iter().flatten().map(String::as_str).collect(),
            ticketing_open_time: self.ticketing_open_time.0,
            close_before_show: Duration::from_mins(self.ticketing_close_minutes),
            shows: self.show_times.iter().map(|time| time.0).collect(),
            scheduled: self.show_times.iter().zip(statuses).filter(is_scheduled).map(|(time, _)| time.0).collect(),
        })
    }
}

impl Events {
    /// Returns at most `limit` live events that match a search and come after a rank.
    ///
    /// Takes one query for each started megabyte of the index, one read of the events, and another read of those
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
        after: Option<Rank>,
        limit: usize,
    ) -> Result<Page<Rank>, Error> {
        let mut ranks = self.matching_ranks(search, now).await?;
        ranks.retain(|rank| after.is_none_or(|after| *rank > after));
        ranks.sort_unstable();
        let has_more = ranks.len() > limit;
        ranks.truncate(limit);
        let next = ranks.last().copied().filter(|_| has_more);
        Ok(Page { events: self.events_at(ranks).await?, next })
    }

    async fn matching_ranks(&self, search: &Search, now: Instant) -> Result<Vec<Rank>, Error> {
        let mut pages = self
            .table
            .client
            .query()
            .table_name(&self.table.name)
            .index_name(SEARCH)
            .key_condition_expression("listing = :live")
            .expression_attribute_values(":live", text(LIVE))
            .into_paginator()
            .send();
        let mut ranks = Vec::new();
        while let Some(page) = pages.next().await {
            for item in page.map_err(failure)?.items.unwrap_or_default() {
                let record: SearchRecord = from_item(item)?;
                ranks.extend(search.rank(&record.candidate()?, now));
            }
        }
        Ok(ranks)
    }

    /// Reads the live events at these ranks, in the same order.
    async fn events_at(&self, ranks: Vec<Rank>) -> Result<Vec<(Rank, Event)>, Error> {
        let ids: Vec<_> = ranks.iter().map(|rank| rank.id()).collect();
        let mut events = self.live_events(&ids, false).await?;
        // The first read may be older than the index. Without the second one, a walk could miss a new event.
        let missing: Vec<_> = ids.iter().copied().filter(|id| !events.contains_key(id)).collect();
        events.extend(self.live_events(&missing, true).await?);
        Ok(ranks.into_iter().filter_map(|rank| Some((rank, events.remove(&rank.id())?))).collect())
    }

    /// Reads those of at most 100 events that are live.
    async fn live_events(&self, ids: &[Uuid], is_consistent: bool) -> Result<HashMap<Uuid, Event>, Error> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let keys = ids.iter().map(|id| keys::event(*id).attributes()).collect();
        let mut events = HashMap::new();
        for item in self.table.read_batch(keys, is_consistent).await? {
            let event = from_item::<EventRecord>(item)?.into_event();
            if event.status() == Status::Live {
                events.insert(event.id, event);
            }
        }
        Ok(events)
    }
}
