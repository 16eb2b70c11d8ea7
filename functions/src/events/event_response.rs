//! Events on the wire, as responses contain them.

use domain::{
    coordinate::Coordinate,
    described,
    event::{
        Address, AgeRating, Artist, Description, Event, Genre, MaxSeats, Place, RunningMinutes, Status,
        TicketingCloseMinutes, Title, registered_at,
    },
    id,
    instant::Instant,
    price::Price,
    seat_kind::SeatKind,
    show::{MAX_SHOWS, Notice, Show, ShowStatus},
    text::Label,
};
use schemars::JsonSchema;
use seating::{
    drawing::Drawing,
    seat_map::{Area, MAX_HALL_SEATS, SeatMap, SeatPosition},
};
use serde::Serialize;
use uuid::Uuid;

/// Event without its seats and drawings.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventSummary<'a> {
    id: Uuid,
    title: &'a Title,
    description: &'a Description,
    place: &'a Place,
    #[schemars(with = "Thumbnail")]
    thumbnail: &'a str,
    artist: &'a Artist,
    #[schemars(length(min = 1, max = MAX_SHOWS))]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    ticketing_close_minutes: Option<TicketingCloseMinutes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_seats: Option<MaxSeats>,
}

/// File name of a poster.
pub(crate) struct Thumbnail;

described!(Thumbnail as "Thumbnail", {
    "description": "File name of the poster, served at `/upload/<thumbnail>`.",
    "type": "string",
    "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?\\.\
                (jpg|png|gif|webp)$",
});

/// Status of a show that does not take place as announced.
pub(crate) struct OffStatus;

described!(OffStatus as "OffShowStatus", {
    "description": "Only if the show is postponed or cancelled: no seat of it can be held.",
    "type": "string",
    "enum": &ShowStatus::NAMES[1..],
});

/// Show of an event.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Show")]
struct ShowResponse<'a> {
    id: Uuid,
    datetime: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OffStatus>")]
    status: Option<&'static str>,
    /// Text for visitors, which may have several lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a Notice>,
}

/// Event with its seats and drawings.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventDetail<'a> {
    #[serde(flatten)]
    summary: EventSummary<'a>,
    total_map: &'a Drawing,
    areas: Vec<AreaResponse<'a>>,
}

/// Area of an event.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Area")]
struct AreaResponse<'a> {
    id: Uuid,
    event_id: Uuid,
    /// Distinct among the areas of an event.
    label: &'a Label,
    price: Price,
    area_map: &'a Drawing,
    #[schemars(length(max = MAX_HALL_SEATS))]
    seats: Vec<SeatResponse>,
}

/// Seat of an area.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Seat")]
struct SeatResponse {
    id: Uuid,
    area_id: Uuid,
    cx: Coordinate,
    cy: Coordinate,
    #[schemars(with = "SeatPosition")]
    row: u32,
    #[schemars(with = "SeatPosition")]
    number: u32,
    /// Only of a seat that is no ordinary one.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<SeatKind>,
}

/// Event as its manager sees it: with its summary or its detail.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Managed{E}")]
pub struct ManagedEvent<E> {
    #[serde(flatten)]
    event: E,
    #[schemars(with = "Status")]
    status: &'static str,
    /// Time of the registration.
    #[schemars(with = "Instant")]
    registered_at: Option<Instant>,
    /// Only if the event is deleted: time from which it can no longer be restored.
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
            ticketing_close_minutes: details.ticketing_close_minutes,
            max_seats: details.max_seats,
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
            total_map: seat_map.total_map(),
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
            kind: seat.kind,
        });
        Self {
            id: area_id,
            event_id,
            label: &area.label,
            price: area.price,
            area_map: &area.area_map,
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
