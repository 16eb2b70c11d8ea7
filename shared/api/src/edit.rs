//! Edits of an event on the wire.

use headers::{ETag, HeaderMapExt as _};
use serde::{Deserialize, Deserializer};
use uuid::Uuid;

use crate::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    event::EventSummary,
    fields::{Errors, Field},
    if_match::IfMatch,
    messages,
    registration::read_shows,
    representation::Representation,
};
use domain::{
    error::Error as DomainError,
    event::{Change, Details, MAX_SHOWS, Show, Shows, edited_shows},
    instant::Instant,
    text::{Line, Paragraph},
    violation::Violation,
};

/// Space that the response to a registration leaves free for edits, in bytes.
///
/// So the detail of the event always fits: also with the largest summary, which takes a third more as base64 if it
/// cannot be compressed, and with a slightly different compression of the rest.
pub const RESERVED_FOR_EDITS: usize = 64 * 1024;
const _: () = assert!(2 * MAX_SUMMARY <= RESERVED_FOR_EDITS, "no space for edits");

/// Maximum length of a summary in the response of a Lambda function, which escapes it once more, in bytes.
pub(crate) const MAX_SUMMARY: usize = {
    // A quote takes four bytes: escaped twice. No other character that is accepted takes more.
    let texts = 4 * (100 + 5_000 + 100 + 100);
    let times = 2 * MAX_TIME;
    let show = MAX_TIME + ID + QUOTE * 8 + "{id:,datetime:},".len();
    let keys = "{id:,title:,description:,place:,thumbnail:,artist:,eventDatetimes:[,eventOpenTime:,ticketingOpenTime:}";
    let quotes = QUOTE * (2 * 9 + 2 * 8);
    texts + times + MAX_SHOWS * show + ID + MAX_THUMBNAIL + keys.len() + quotes
};

/// A quote in a response of Lambda: `\"`.
const QUOTE: usize = 2;
const ID: usize = "0196a1b2-0000-7000-8000-00000000abcd".len();
const MAX_TIME: usize = "9999-12-31T23:59:59.999999999Z".len();
/// Event id, id of a later poster, and extension.
const MAX_THUMBNAIL: usize = ID + "-".len() + ID + ".webp".len();

/// JSON object that edits an event; a missing field keeps its value.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct EditRequest<'a> {
    #[serde(borrow, deserialize_with = "present")]
    title: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    description: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    place: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    artist: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    event_open_time: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    ticketing_open_time: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    event_datetimes: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    id: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    thumbnail: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    total_map: Option<Field<'a>>,
    #[serde(borrow, deserialize_with = "present")]
    areas: Option<Field<'a>>,
}

/// Reads a field that is present; null is a value, which its rule rejects.
fn present<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<Field<'a>>, D::Error> {
    Field::deserialize(deserializer).map(Some)
}

/// Reads every field that is present and collects all errors, those of unchangeable fields last.
///
/// # Errors
///
/// Returns `Fields` if a field fails validation.
pub fn change(request: &EditRequest) -> Result<Change, Error> {
    let mut errors = Errors::default();
    let change = Change {
        title: request.title.and_then(|field| errors.text("title", field, Line::parse)),
        description: request.description.and_then(|field| errors.text("description", field, Paragraph::parse)),
        place: request.place.and_then(|field| errors.text("place", field, Line::parse)),
        artist: request.artist.and_then(|field| errors.text("artist", field, Line::parse)),
        event_open_time: request.event_open_time.and_then(|field| errors.instant("eventOpenTime", field)),
        ticketing_open_time: request.ticketing_open_time.and_then(|field| errors.instant("ticketingOpenTime", field)),
        shows: request.event_datetimes.and_then(|field| read_shows(&mut errors, field)),
    };
    let unchangeable = [
        ("id", request.id),
        ("thumbnail", request.thumbnail),
        ("totalMap", request.total_map),
        ("areas", request.areas),
    ];
    for (name, field) in unchangeable {
        if let Some(field) = field {
            errors.add(name, field, Violation::Unchangeable);
        }
    }
    if errors.is_empty() { Ok(change) } else { Err(errors.into_error()) }
}

/// Builds the response to an edit: the summary of the event, with its new entity tag.
///
/// # Errors
///
/// Returns `Unexpected` if the summary is invalid.
pub fn edited(summary: &str) -> Result<Response, Error> {
    let mut response = envelope::ok_json(messages::EVENT_EDITED, summary)?;
    response.headers_mut().typed_insert(etag(summary));
    Ok(response)
}

/// Checks the precondition of an edit, if it has one, for the event with this summary.
///
/// # Errors
///
/// Returns `PreconditionFailed` if the event has another entity tag.
pub fn expect_match(if_match: Option<&IfMatch>, summary: &str) -> Result<(), DomainError> {
    if if_match.is_none_or(|tags| tags.matches(etag(summary))) { Ok(()) } else { Err(DomainError::PreconditionFailed) }
}

fn etag(summary: &str) -> ETag {
    Representation::Summary.etag(summary, ContentEncoding::Identity)
}

/// Applies a change to the summary of an event, which gets this version; none if nothing changes.
///
/// # Errors
///
/// Returns `Unexpected` if the summary is invalid, or the version too large.
pub fn apply(summary: &str, change: &Change, version: u64) -> Result<Option<(String, Details)>, DomainError> {
    let StoredEvent { id, thumbnail, shows: before, details } = StoredEvent::parse(summary)?;
    let details = details.changed(change.clone());
    let shows = edited_shows(id, version, &before, &details.shows)?;
    let edited = serde_json::to_string(&EventSummary::new(id, &details, &thumbnail, &shows));
    let edited = edited.map_err(DomainError::unexpected)?;
    Ok(if edited == summary { None } else { Some((edited, details)) })
}

/// Replaces the poster in the summary of an event; none if it has this poster.
///
/// # Errors
///
/// Returns `Unexpected` if the summary is invalid.
pub fn replace_thumbnail(summary: &str, thumbnail: &str) -> Result<Option<(String, Details)>, DomainError> {
    let stored = StoredEvent::parse(summary)?;
    let edited = serde_json::to_string(&EventSummary::new(stored.id, &stored.details, thumbnail, &stored.shows));
    let edited = edited.map_err(DomainError::unexpected)?;
    Ok(if edited == summary { None } else { Some((edited, stored.details)) })
}

/// Event that the service stored itself, without its seats.
struct StoredEvent {
    id: Uuid,
    thumbnail: String,
    details: Details,
    /// Shows of the details, with their ids.
    shows: Vec<Show>,
}

/// Summary of a stored event.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredSummary {
    id: Uuid,
    title: String,
    description: String,
    place: String,
    thumbnail: String,
    artist: String,
    event_datetimes: Vec<StoredShow>,
    event_open_time: String,
    ticketing_open_time: String,
}

#[derive(Deserialize)]
struct StoredShow {
    id: Uuid,
    datetime: String,
}

impl StoredEvent {
    fn parse(summary: &str) -> Result<Self, DomainError> {
        let stored: StoredSummary = serde_json::from_str(summary).map_err(DomainError::unexpected)?;
        let with_ids: Vec<_> = stored.event_datetimes.iter().map(StoredShow::parse).collect::<Result<_, _>>()?;
        let mut shows = Shows::default();
        for show in &with_ids {
            shows.add(show.instant).map_err(|_| DomainError::unexpected("the summary has invalid shows"))?;
        }
        let details = Details {
            title: Line::from_stored(stored.title),
            description: Paragraph::from_stored(stored.description),
            place: Line::from_stored(stored.place),
            artist: Line::from_stored(stored.artist),
            event_open_time: stored_instant(&stored.event_open_time)?,
            ticketing_open_time: stored_instant(&stored.ticketing_open_time)?,
            shows,
        };
        Ok(Self { id: stored.id, thumbnail: stored.thumbnail, details, shows: with_ids })
    }
}

impl StoredShow {
    fn parse(&self) -> Result<Show, DomainError> {
        Ok(Show { id: self.id, instant: stored_instant(&self.datetime)? })
    }
}

fn stored_instant(text: &str) -> Result<Instant, DomainError> {
    Instant::from_text(text).map_err(|_| DomainError::unexpected("the summary has an invalid time"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use domain::{
        event::{Event, new_thumbnail},
        poster::Format,
        text::escaped_len,
    };

    fn shows(count: usize) -> Shows {
        let mut shows = Shows::default();
        for number in 0..count {
            shows.add(Instant::from_text(&format!("9999-12-31T23:59:{number:02}.123456789Z")).unwrap()).unwrap();
        }
        shows
    }

    fn details(character: &str) -> Details {
        let time = Instant::from_text("9999-12-31T23:59:59.999999999Z").unwrap();
        Details {
            title: Line::parse(&character.repeat(100)).unwrap(),
            description: Paragraph::parse(&character.repeat(5_000)).unwrap(),
            place: Line::parse(&character.repeat(100)).unwrap(),
            artist: Line::parse(&character.repeat(100)).unwrap(),
            event_open_time: time,
            ticketing_open_time: time,
            shows: shows(60),
        }
    }

    fn summary(details: Details) -> String {
        let event = Event::register(Uuid::nil(), details, Format::WebP);
        let registered = serde_json::to_string(&EventSummary::from(&event)).unwrap();
        replace_thumbnail(&registered, &new_thumbnail(event.id, Format::WebP)).unwrap().unwrap().0
    }

    #[test]
    fn largest_summary_is_reserved() {
        assert_eq!(escaped_len(&summary(details("\""))), MAX_SUMMARY);
        for character in ["\\", "a", "\u{10ffff}", "가"] {
            assert!(escaped_len(&summary(details(character))) <= MAX_SUMMARY, "{character}");
        }
    }

    #[test]
    fn stored_summary_is_kept() {
        let stored = summary(details("\\"));
        assert_eq!(apply(&stored, &Change::default(), 1).unwrap(), None);
        let change = Change { artist: Line::parse("가수").ok(), ..Change::default() };
        let (edited, details) = apply(&stored, &change, 1).unwrap().unwrap();
        assert_eq!(details.artist.as_str(), "가수");
        assert_eq!(edited.replace("가수", &"\\\\".repeat(100)), stored);
        assert!(apply("[]", &change, 1).is_err());
    }

    #[test]
    fn only_thumbnail_is_replaced() {
        let stored = summary(details("가"));
        let id = serde_json::from_str::<StoredSummary>(&stored).unwrap().id;
        let name = new_thumbnail(id, Format::Png);
        let (edited, kept) = replace_thumbnail(&stored, &name).unwrap().unwrap();
        assert_eq!(kept, details("가"));
        let before = serde_json::from_str::<StoredSummary>(&stored).unwrap().thumbnail;
        assert_eq!(edited, stored.replace(&before, &name));
        assert_eq!(replace_thumbnail(&edited, &name).unwrap(), None);
    }

    #[test]
    fn null_is_a_value() {
        let request: EditRequest = json::object(br#"{"title": null, "areas": null, "other": 1}"#).unwrap();
        let Err(Error::Fields(errors)) = change(&request) else { panic!("expected invalid fields") };
        let errors: Vec<_> = errors.iter().map(|error| (&*error.field, &error.violation)).collect();
        assert_eq!(errors, [("title", &Violation::Required), ("areas", &Violation::Unchangeable)]);
        assert_eq!(change(&json::object(b"{}").unwrap()).unwrap(), Change::default());
    }
}
