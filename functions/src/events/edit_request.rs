//! Edits of an event on the wire.

use headers::HeaderMapExt as _;
use schemars::JsonSchema;
use serde::Deserialize;

use api::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    fields::{Errors, Field, Optional, OrBlank, Set},
    representation::Representation,
};
use domain::{
    error::Error as DomainError,
    event::{
        Address, AgeRating, Artist, Description, Event, EventPatch, Genre, MaxSeats, Place, RunningMinutes,
        TicketingCloseMinutes, Title,
    },
    instant::Instant,
    integer::Integer,
    show::{MAX_NOTICES, MAX_SHOWS, Notice},
    text::{Line, Paragraph},
    violation::Violation,
};

use crate::events::{event_response::EventSummary, registration::read_shows};

/// Space that the response to a registration leaves free for edits, in bytes.
///
/// So the detail of the event always fits: also with the largest summary, which takes a third more as base64 if it
/// cannot be compressed, and with a slightly different compression of the rest.
pub const RESERVED_FOR_EDITS: usize = 160 * 1024;

/// Fields of an event to change. `id`, `thumbnail`, `totalMap` and `areas` cannot be changed.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(rename = "EditRequest")]
pub struct EditEventRequest<'a> {
    #[serde(borrow)]
    title: Field<'a, Optional<Title>>,
    description: Field<'a, Optional<Description>>,
    place: Field<'a, Optional<Place>>,
    artist: Field<'a, Optional<Artist>>,
    genre: Field<'a, OrBlank<Genre>>,
    age_rating: Field<'a, OrBlank<AgeRating>>,
    running_minutes: Field<'a, OrBlank<RunningMinutes>>,
    address: Field<'a, OrBlank<Address>>,
    ticketing_close_minutes: Field<'a, OrBlank<TicketingCloseMinutes>>,
    max_seats: Field<'a, OrBlank<MaxSeats>>,
    published: Field<'a, Optional<bool>>,
    event_open_time: Field<'a, Optional<Instant>>,
    ticketing_open_time: Field<'a, Optional<Instant>>,
    event_datetimes: Field<'a, Optional<Set<Instant, MAX_SHOWS>>>,
    #[schemars(skip)]
    id: Field<'a>,
    #[schemars(skip)]
    thumbnail: Field<'a>,
    #[schemars(skip)]
    total_map: Field<'a>,
    #[schemars(skip)]
    areas: Field<'a>,
}

impl EditEventRequest<'_> {
    /// Reads every field that is present and collects all errors, those of unchangeable fields last.
    ///
    /// # Errors
    ///
    /// Returns `Fields` if a field fails validation.
    pub fn patch(&self) -> Result<EventPatch, Error> {
        let mut errors = Errors::default();
        let patch = self.read(&mut errors);
        let unchangeable =
            [("id", self.id), ("thumbnail", self.thumbnail), ("totalMap", self.total_map), ("areas", self.areas)];
        for (name, field) in unchangeable {
            if field.is_present() {
                errors.add(name, field, Violation::Unchangeable);
            }
        }
        if errors.is_empty() { Ok(patch) } else { Err(errors.into_error()) }
    }

    /// Makes the times required, as those of a new event are.
    #[must_use]
    pub fn with_required_times(self) -> Self {
        Self {
            event_open_time: self.event_open_time.or_null(),
            ticketing_open_time: self.ticketing_open_time.or_null(),
            event_datetimes: self.event_datetimes.or_null(),
            ..self
        }
    }

    /// Reads every field that is present and can be changed.
    pub fn read(&self, errors: &mut Errors) -> EventPatch {
        EventPatch {
            title: self.title.present().and_then(|field| errors.text("title", field, Line::parse)),
            description: self
                .description
                .present()
                .and_then(|field| errors.text("description", field, Paragraph::parse)),
            place: self.place.present().and_then(|field| errors.text("place", field, Line::parse)),
            artist: self.artist.present().and_then(|field| errors.text("artist", field, Line::parse)),
            event_open_time: self.event_open_time.present().and_then(|field| errors.instant("eventOpenTime", field)),
            ticketing_open_time: self
                .ticketing_open_time
                .present()
                .and_then(|field| errors.instant("ticketingOpenTime", field)),
            shows: self.event_datetimes.present().and_then(|field| read_shows(errors, field)),
            genre: errors.text_patch("genre", self.genre, Line::parse),
            age_rating: errors.number_patch("ageRating", self.age_rating, Integer::parse),
            running_minutes: errors.number_patch("runningMinutes", self.running_minutes, Integer::parse),
            address: errors.text_patch("address", self.address, Line::parse),
            ticketing_close_minutes: errors.number_patch(
                "ticketingCloseMinutes",
                self.ticketing_close_minutes,
                Integer::parse,
            ),
            max_seats: errors.number_patch("maxSeats", self.max_seats, Integer::parse),
            published: self.published.present().and_then(|field| errors.boolean("published", field)),
            thumbnail: None,
        }
    }
}

/// Turns the error that no show can be added into one that names the field with the shows.
#[must_use]
pub fn error_at_shows(error: DomainError, request: &EditEventRequest) -> Error {
    if !matches!(error, DomainError::TooManyChanges) {
        return error.into();
    }
    let mut errors = Errors::default();
    errors.add("eventDatetimes", request.event_datetimes, Violation::TooManyChanges);
    errors.into_error()
}

/// Reads whether the buyers of changed shows are told, the last field of a request; by default, they are not.
pub fn read_notify_buyers(errors: &mut Errors, field: Field<Optional<bool>>) -> bool {
    field.present().and_then(|field| errors.boolean("notifyBuyers", field)).unwrap_or(false)
}

/// Turns the error that all notices of an event are too long into one that names the field with the new one.
#[must_use]
pub fn error_at_notice(error: DomainError, notice: Field<OrBlank<Notice>>) -> Error {
    if !matches!(error, DomainError::NoticesTooLong) {
        return error.into();
    }
    let mut errors = Errors::default();
    errors.add("notice", notice, Violation::NoticesTooLong(MAX_NOTICES));
    errors.into_error()
}

/// Builds the response to a change: the event with its new entity tag.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn edited_event(event: &Event, message: &str) -> Result<Response, Error> {
    let mut response = envelope::ok(message, &EventSummary::from(event))?;
    response.headers_mut().typed_insert(Representation::Summary.etag(event, ContentEncoding::Identity));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::json;
    use domain::{
        event::{Details, new_thumbnail},
        instant::Instant,
        patch::Patch,
        poster::Format,
        show::{Notice, Show, ShowStatus, ShowTimes},
        text::escaped_len,
    };
    use uuid::Uuid;

    fn largest_event(character: &str) -> Event {
        let time = |text: &str| Instant::from_text(text).unwrap();
        let line = |length| character.repeat(length);
        let details = Details {
            title: Line::parse(&line(100)).unwrap(),
            description: Paragraph::parse(&line(5_000)).unwrap(),
            place: Line::parse(&line(100)).unwrap(),
            artist: Line::parse(&line(100)).unwrap(),
            genre: Line::parse(&line(30)).ok(),
            age_rating: Integer::parse("19").ok(),
            running_minutes: Integer::parse("1440").ok(),
            address: Line::parse(&line(200)).ok(),
            ticketing_close_minutes: Integer::parse("525600").ok(),
            max_seats: Integer::parse("10").ok(),
            event_open_time: time("9999-12-31T23:59:59.999999999Z"),
            ticketing_open_time: time("9999-12-31T23:59:59.999999999Z"),
        };
        let mut shows = ShowTimes::default();
        for number in 0..60 {
            shows.add(time(&format!("9999-12-31T23:59:{number:02}.123456789Z"))).unwrap();
        }
        let event = Event::register(Uuid::nil(), details, &shows, true, Format::WebP);
        // All notices together have at most 10,000 characters, and each 500.
        let off = |(index, show): (usize, Show)| Show {
            status: ShowStatus::Postponed,
            notice: if index < 20 { Notice::parse(&line(500)).ok() } else { None },
            ..show
        };
        let shows = event.shows.into_iter().enumerate().map(off).collect();
        Event { thumbnail: new_thumbnail(event.id, Format::WebP), shows, ..event }
    }

    #[test]
    fn largest_summary_is_reserved() {
        for character in ["\"", "\\", "a", "\u{10ffff}", "가"] {
            let summary = serde_json::to_string(&EventSummary::from(&largest_event(character))).unwrap();
            assert!(2 * escaped_len(&summary) <= RESERVED_FOR_EDITS, "{character}");
        }
    }

    #[test]
    fn null_is_a_value() {
        let request: EditEventRequest = json::object(br#"{"title": null, "areas": null, "other": 1}"#).unwrap();
        let Err(Error::Fields(errors)) = request.patch() else { panic!("expected invalid fields") };
        let errors: Vec<_> = errors.iter().map(|error| (&*error.field, &error.violation)).collect();
        assert_eq!(errors, [("title", &Violation::Required), ("areas", &Violation::Unchangeable)]);
        assert_eq!(json::object::<EditEventRequest>(b"{}").unwrap().patch().unwrap(), EventPatch::default());
    }

    #[test]
    fn null_and_blank_remove_optional_fields() {
        let request: EditEventRequest = json::object(br#"{"genre": null, "ageRating": null, "address": " "}"#).unwrap();
        let (genre, age_rating, address) = (Patch::Remove, Patch::Remove, Patch::Remove);
        let expected = EventPatch { genre, age_rating, address, ..EventPatch::default() };
        assert_eq!(request.patch().unwrap(), expected);
    }
}
