//! Events on the wire, as responses contain them.

use domain::{
    coordinate::Coordinate,
    event::{Address, AgeRating, Artist, Description, Event, Genre, Place, RunningMinutes, Title, registered_at},
    id,
    instant::Instant,
    price::Price,
    show::{Notice, Show, ShowStatus},
    text::Label,
};
use seating::seat_map::{Area, SeatMap};
use serde::Serialize;
use uuid::Uuid;

/// Event without its seats and drawings, as in the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventSummary<'a> {
    id: Uuid,
    title: &'a Title,
    description: &'a Description,
    place: &'a Place,
    thumbnail: &'a str,
    artist: &'a Artist,
    event_datetimes: Vec<ShowResponse<'a>>,
    event_open_time: Instant,
    ticketing_open_time: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    genre: Option<&'a Genre>,
    #[serde(skip_serializing_if = "Option::is_none")]
    age_rating: Option<AgeRating>,
    #[serde(skip_serializing_if = "Option::is_none")]
    running_minutes: Option<RunningMinutes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'a Address>,
}

#[derive(Debug, Serialize)]
struct ShowResponse<'a> {
    id: Uuid,
    datetime: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a Notice>,
}

/// Event with its seats and drawings, as its registration returns it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventDetail<'a> {
    #[serde(flatten)]
    summary: EventSummary<'a>,
    total_map: &'a str,
    areas: Vec<AreaResponse<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AreaResponse<'a> {
    id: Uuid,
    event_id: Uuid,
    label: &'a Label,
    price: Price,
    area_map: &'a str,
    seats: Vec<SeatResponse>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SeatResponse {
    id: Uuid,
    area_id: Uuid,
    cx: Coordinate,
    cy: Coordinate,
    row: u32,
    number: u32,
}

/// Event as its manager sees it: with its summary or its detail.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ManagedEvent<E> {
    #[serde(flatten)]
    event: E,
    status: &'static str,
    registered_at: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restorable_until: Option<Instant>,
}

impl<'a> From<&'a Event> for EventSummary<'a> {
    fn from(event: &'a Event) -> Self {
        let details = &event.details;
        Self {
            id: event.id,
            title: &details.title,
            description: &details.description,
            place: &details.place,
            thumbnail: &event.thumbnail,
            artist: &details.artist,
            event_datetimes: event.shows.iter().map(ShowResponse::from).collect(),
            event_open_time: details.event_open_time,
            ticketing_open_time: details.ticketing_open_time,
            genre: details.genre.as_ref(),
            age_rating: details.age_rating,
            running_minutes: details.running_minutes,
            address: details.address.as_ref(),
        }
    }
}

impl<'a> From<&'a Show> for ShowResponse<'a> {
    fn from(show: &'a Show) -> Self {
        let status = (show.status != ShowStatus::Scheduled).then(|| show.status.name());
        Self { id: show.id, datetime: show.instant, status, notice: show.notice.as_ref() }
    }
}

impl<'a> EventDetail<'a> {
    /// Combines an event with its hall.
    #[must_use]
    pub fn new(event: &'a Event, seat_map: &'a SeatMap) -> Self {
        let mut seat_ids = (0..).map(|number| id::seat(event.id, number));
        let area = |(index, area): (usize, &'a Area)| AreaResponse::new(event.id, index, area, &mut seat_ids);
        Self {
            summary: event.into(),
            total_map: seat_map.total_map().as_str(),
            areas: seat_map.areas().iter().enumerate().map(area).collect(),
        }
    }
}

impl<'a> AreaResponse<'a> {
    fn new(event_id: Uuid, index: usize, area: &'a Area, seat_ids: &mut impl Iterator<Item = Uuid>) -> Self {
        let area_id = id::area(event_id, index);
        let seats = area.seats.iter().zip(seat_ids).map(|(seat, id)| SeatResponse {
            id,
            area_id,
            cx: seat.cx,
            cy: seat.cy,
            row: seat.row,
            number: seat.number,
        });
        Self {
            id: area_id,
            event_id,
            label: &area.label,
            price: area.price,
            area_map: area.area_map.as_str(),
            seats: seats.collect(),
        }
    }
}

impl<E> ManagedEvent<E> {
    /// Adds the status to an event on the wire.
    #[must_use]
    pub fn new(wire: E, event: &Event) -> Self {
        Self {
            event: wire,
            status: event.status().name(),
            registered_at: registered_at(event.id),
            restorable_until: event.restorable_until.and_then(Instant::from_epoch),
        }
    }
}
