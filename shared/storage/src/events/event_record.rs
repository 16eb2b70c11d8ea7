//! Items of events: one record with all attributes of an event that this version of the service knows.
//!
//! A write sets and removes only the attributes that it changes. So attributes of another version of the service, which
//! this one does not know, stay as they are, and both versions can run at the same time.

use std::{iter::repeat, time::Duration};

use domain::{
    error::Error,
    event::{Details, Event, Status},
    id,
    integer::Integer,
    manager::EventScope,
    show::{Notice, Show, ShowStatus},
    text::{Line, Paragraph},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    keys::{self, EXPIRES, LIVE, MANAGER, VERSION},
    stored_time::StoredTime,
    table::{epoch_seconds, number, text, to_item},
    write::Write,
};

/// Attribute with the end of the pause of an event's sales, in epoch milliseconds.
///
/// It is not part of the event, so it changes no version. Each change of the event removes it.
pub(crate) const PAUSED_UNTIL: &str = "pausedUntil";

/// Attributes of an event, which docs/data.md describes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventRecord {
    pub id: Uuid,
    manager: Uuid,
    version: u64,
    thumbnail: String,
    title: String,
    description: String,
    place: String,
    artist: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    genre: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    age_rating: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    running_minutes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ticketing_close_minutes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_seats: Option<u32>,
    event_open_time: StoredTime,
    ticketing_open_time: StoredTime,
    show_times: Vec<StoredTime>,
    /// Last 32 bits of the id of each show; the others are those of the event.
    show_numbers: Vec<u32>,
    /// Name of the status of each show; empty if all are scheduled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    show_statuses: Vec<String>,
    /// Notice of each show, which may be empty; empty if no show has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    /// Time of each show that was announced first, if it was moved since; empty if no show was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moved_from: Vec<Option<StoredTime>>,
    /// Number of chunks of the seat map.
    pub chunks: usize,
    /// Partition key of the index of live events, if the event is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<String>,
    /// True if the event is not published, or was not before its deletion.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    draft: bool,
    /// End of the time in which a deleted event can be restored, in epoch seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<u64>,
    /// Value of [`PAUSED_UNTIL`], which no write of a record has.
    #[serde(skip_serializing)]
    paused_until: Option<u64>,
}

impl EventRecord {
    /// Builds the record of an event with this number of chunks.
    pub fn new(event: &Event, chunks: usize) -> Self {
        let details = &event.details;
        let notices = || event.shows.iter().map(|show| show.notice.as_ref().map_or("", Notice::as_str).to_owned());
        let is_off = |show: &Show| show.status != ShowStatus::Scheduled;
        Self {
            id: event.id,
            manager: event.manager,
            version: event.version,
            thumbnail: event.thumbnail.clone(),
            title: details.title.as_str().to_owned(),
            description: details.description.as_str().to_owned(),
            place: details.place.as_str().to_owned(),
            artist: details.artist.as_str().to_owned(),
            genre: details.genre.as_ref().map(|genre| genre.as_str().to_owned()),
            age_rating: details.age_rating.map(Integer::get),
            running_minutes: details.running_minutes.map(Integer::get),
            address: details.address.as_ref().map(|address| address.as_str().to_owned()),
            ticketing_close_minutes: details.ticketing_close_minutes.map(Integer::get),
            max_seats: details.max_seats.map(Integer::get),
            event_open_time: StoredTime(details.event_open_time),
            ticketing_open_time: StoredTime(details.ticketing_open_time),
            show_times: event.shows.iter().map(|show| StoredTime(show.instant)).collect(),
            show_numbers: event.shows.iter().map(|show| id::part_number(show.id)).collect(),
            show_statuses: if event.shows.iter().any(is_off) {
                event.shows.iter().map(|show| show.status.name().to_owned()).collect()
            } else {
                Vec::new()
            },
            notices: if notices().all(|notice| notice.is_empty()) { Vec::new() } else { notices().collect() },
            moved_from: if event.shows.iter().any(|show| show.moved_from.is_some()) {
                event.shows.iter().map(|show| show.moved_from.map(StoredTime)).collect()
            } else {
                Vec::new()
            },
            chunks,
            listing: (event.status() == Status::Live).then(|| LIVE.to_owned()),
            draft: !event.published,
            expires_at: event.restorable_until.map(|until| until.as_secs()),
            paused_until: None,
        }
    }

    /// Returns the end of the pause of the event's sales, since 1970.
    pub fn paused_until(&self) -> Option<Duration> {
        self.paused_until.map(Duration::from_millis)
    }

    /// Returns the event of the record.
    pub fn into_event(self) -> Event {
        let statuses = self.show_statuses.iter().map(|name| ShowStatus::from_name(name).unwrap_or_default());
        let mut statuses = statuses.chain(repeat(ShowStatus::Scheduled));
        let mut notices = self.notices.into_iter().map(Some).chain(repeat(None));
        let mut moved_from = self.moved_from.into_iter().chain(repeat(None));
        let show = |(number, time): (u32, StoredTime)| Show {
            id: id::part(self.id, number),
            instant: time.0,
            status: statuses.next().unwrap_or_default(),
            notice: notices.next().flatten().filter(|notice| !notice.is_empty()).map(Notice::from_stored),
            moved_from: moved_from.next().flatten().map(|time| time.0),
        };
        Event {
            id: self.id,
            manager: self.manager,
            version: self.version,
            published: !self.draft,
            restorable_until: self.expires_at.map(Duration::from_secs),
            thumbnail: self.thumbnail,
            details: Details {
                title: Line::from_stored(self.title),
                description: Paragraph::from_stored(self.description),
                place: Line::from_stored(self.place),
                artist: Line::from_stored(self.artist),
                genre: self.genre.map(Line::from_stored),
                age_rating: self.age_rating.map(Integer::from_stored),
                running_minutes: self.running_minutes.map(Integer::from_stored),
                address: self.address.map(Line::from_stored),
                ticketing_close_minutes: self.ticketing_close_minutes.map(Integer::from_stored),
                max_seats: self.max_seats.map(Integer::from_stored),
                event_open_time: self.event_open_time.0,
                ticketing_open_time: self.ticketing_open_time.0,
            },
            shows: self.show_numbers.into_iter().zip(self.show_times).map(show).collect(),
        }
    }

    /// Builds the write that makes this record another one, and ends a pause of its sales.
    ///
    /// Its condition is that the event still has the version of this record, is deleted or not as it was, and is in the
    /// scope.
    pub fn replace(&self, new: &Self, scope: EventScope, now: Duration) -> Result<Write, Error> {
        let mut write =
            Write::update(keys::event(self.id)).only_if(VERSION, "=", number(self.version)).remove(PAUSED_UNTIL);
        write = if self.expires_at.is_some() {
            write.only_if(EXPIRES, ">", epoch_seconds(now))
        } else {
            write.if_absent(EXPIRES)
        };
        if let EventScope::OfManager(owner) = scope {
            write = write.only_if(MANAGER, "=", text(owner));
        }
        let mut before = to_item(self)?;
        for (name, value) in to_item(new)? {
            if before.remove(&name).as_ref() != Some(&value) {
                write = write.set(&name, value);
            }
        }
        Ok(before.keys().fold(write, |write, name| write.remove(name)))
    }
}
