//! Events on the wire.

use std::fmt;

use domain::{
    coordinate::Coordinate,
    event::{self, Details, Event, MAX_SHOWS, Shows},
    id,
    instant::Instant,
    price::Price,
    text::{Label, Line, Paragraph},
};
use seating::{
    drawing::Drawing,
    seat_map::{self, AreaBuilder, MAX_AREAS, MAX_DRAWING_BYTES, Seat, SeatMap, parse_position},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    error::Error,
    fields::{Errors, Field},
    json,
    serialize::{AsNumber, AsText},
};

/// Approximate number of bytes of a seat in a response.
const BYTES_PER_SEAT: usize = 180;

/// Part `request` of the form that registers an event.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CreateRequest<'a> {
    #[serde(borrow)]
    title: Field<'a>,
    description: Field<'a>,
    place: Field<'a>,
    artist: Field<'a>,
    event_open_time: Field<'a>,
    ticketing_open_time: Field<'a>,
    total_map: Field<'a>,
    areas: Field<'a>,
    event_datetimes: Field<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct AreaRequest<'a> {
    #[serde(borrow)]
    label: Field<'a>,
    price: Field<'a>,
    area_map: Field<'a>,
    seats: Field<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SeatRequest<'a> {
    #[serde(borrow)]
    cx: Field<'a>,
    cy: Field<'a>,
    row: Field<'a>,
    number: Field<'a>,
}

/// Event to be registered, without its poster.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Title, dates and the other fields of the event itself.
    pub details: Details,
    /// Areas and seats.
    pub seat_map: SeatMap,
}

impl TryFrom<CreateRequest<'_>> for Draft {
    type Error = Error;

    /// Reads every field and collects all errors, in the order of the field table.
    fn try_from(request: CreateRequest) -> Result<Self, Error> {
        let mut errors = Errors::default();
        let mut hall = seat_map::Builder::default();
        let title = errors.text("title", request.title, Line::parse);
        let description = errors.text("description", request.description, Paragraph::parse);
        let place = errors.text("place", request.place, Line::parse);
        let artist = errors.text("artist", request.artist, Line::parse);
        let event_open_time = errors.instant("eventOpenTime", request.event_open_time);
        let ticketing_open_time = errors.instant("ticketingOpenTime", request.ticketing_open_time);
        if let Some(drawing) = errors.text("totalMap", request.total_map, Drawing::parse) {
            errors.check("totalMap", request.total_map, hall.total_map(drawing));
        }
        read_areas(&mut errors, &mut hall, request.areas);
        let shows = read_shows(&mut errors, request.event_datetimes);

        let (
            Some(title),
            Some(description),
            Some(place),
            Some(artist),
            Some(event_open_time),
            Some(ticketing_open_time),
            Some(shows),
            true,
            hall,
        ) = (title, description, place, artist, event_open_time, ticketing_open_time, shows, errors.is_empty(), hall)
        else {
            return Err(errors.into_error());
        };
        let details = Details { title, description, place, artist, event_open_time, ticketing_open_time, shows };
        let seat_map = hall.build().ok_or_else(|| Error::unexpected("a hall without errors is invalid"))?;
        Ok(Self { details, seat_map })
    }
}

fn read_areas(errors: &mut Errors, hall: &mut seat_map::Builder, field: Field) {
    let Some(items) = errors.items("areas", field, MAX_AREAS) else { return };
    let before = errors.len();
    for (index, item) in items.into_iter().enumerate() {
        read_area(errors, hall, &format!("areas[{index}]"), item);
    }
    for violation in hall.violations().into_iter().rev() {
        errors.insert(before, "areas", field, violation);
    }
}

fn read_area(errors: &mut Errors, hall: &mut seat_map::Builder, path: &str, field: Field) {
    let Some(request) = errors.object::<AreaRequest>(path, field) else { return };
    let mut area = hall.area();
    let label_path = format!("{path}.label");
    if let Some(label) = errors.text(&label_path, request.label, Label::parse) {
        errors.check(label_path, request.label, area.label(label));
    }
    if let Some(price) = errors.number(format_args!("{path}.price"), request.price, Price::parse) {
        area.price(price);
    }
    let map_path = format!("{path}.areaMap");
    if let Some(drawing) = errors.text(&map_path, request.area_map, Drawing::parse) {
        errors.check(map_path, request.area_map, area.area_map(drawing));
    }
    let Some(seats) = errors.items_or_none(format_args!("{path}.seats"), request.seats) else { return };
    // Seats beyond the limit of the hall are not read.
    if area.reserve(seats.len()) {
        for (index, seat) in seats.into_iter().enumerate() {
            read_seat(errors, &mut area, format_args!("{path}.seats[{index}]"), seat);
        }
    }
    area.finish();
}

fn read_seat(errors: &mut Errors, area: &mut AreaBuilder, path: fmt::Arguments, field: Field) {
    let Some(request) = errors.object::<SeatRequest>(path, field) else { return };
    let cx = errors.number(format_args!("{path}.cx"), request.cx, Coordinate::parse);
    let cy = errors.number(format_args!("{path}.cy"), request.cy, Coordinate::parse);
    let row = errors.number(format_args!("{path}.row"), request.row, parse_position);
    let number = errors.number(format_args!("{path}.number"), request.number, parse_position);
    if let (Some(cx), Some(cy), Some(row), Some(number)) = (cx, cy, row, number) {
        errors.check(path, field, area.seat(Seat { cx, cy, row, number }));
    }
}

fn read_shows(errors: &mut Errors, field: Field) -> Option<Shows> {
    let items = errors.items("eventDatetimes", field, MAX_SHOWS)?;
    let mut shows = Shows::default();
    for (index, item) in items.into_iter().enumerate() {
        let path = format_args!("eventDatetimes[{index}]");
        if let Some(show) = errors.instant(path, item) {
            errors.check(path, item, shows.add(show));
        }
    }
    Some(shows)
}

/// Event without its seats and drawings, as in the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventSummary<'a> {
    id: Uuid,
    title: &'a str,
    description: &'a str,
    place: &'a str,
    thumbnail: &'a str,
    artist: &'a str,
    event_datetimes: Vec<Show>,
    event_open_time: AsText<Instant>,
    ticketing_open_time: AsText<Instant>,
}

#[derive(Debug, Serialize)]
struct Show {
    id: Uuid,
    datetime: AsText<Instant>,
}

/// Area in a response, without its seats.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AreaSummary<'a> {
    id: Uuid,
    event_id: Uuid,
    label: &'a str,
    price: AsNumber,
    area_map: &'a str,
}

impl<'a> From<&'a Event> for EventSummary<'a> {
    fn from(event: &'a Event) -> Self {
        let details = &event.details;
        let show = |(index, instant): (usize, Instant)| Show { id: event.show_id(index), datetime: AsText(instant) };
        Self {
            id: event.id,
            title: details.title.as_str(),
            description: details.description.as_str(),
            place: details.place.as_str(),
            thumbnail: &event.thumbnail,
            artist: details.artist.as_str(),
            event_datetimes: details.shows.iter().enumerate().map(show).collect(),
            event_open_time: AsText(details.event_open_time),
            ticketing_open_time: AsText(details.ticketing_open_time),
        }
    }
}

/// Writes the drawings, areas and seats of an event as a JSON object.
///
/// # Errors
///
/// Returns `Unexpected` if a value has no JSON, which no valid value is.
pub(crate) fn hall_json(event_id: Uuid, seat_map: &SeatMap) -> Result<String, Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Hall<'a> {
        total_map: &'a str,
    }
    let seats: usize = seat_map.areas().iter().map(|area| area.seats.len()).sum();
    let mut json = String::with_capacity(MAX_DRAWING_BYTES / 4 + seats * BYTES_PER_SEAT);
    json.push_str(json::unclosed(&to_json(&Hall { total_map: seat_map.total_map().as_str() })?));
    json.push_str(",\"areas\":[");
    for (index, area) in seat_map.areas().iter().enumerate() {
        let id = event::area_id(event_id, index);
        let summary = AreaSummary {
            id,
            event_id,
            label: area.label.as_str(),
            price: AsNumber(area.price),
            area_map: area.area_map.as_str(),
        };
        json.push_str(if index == 0 { "" } else { "," });
        json.push_str(json::unclosed(&to_json(&summary)?));
        json.push_str(",\"seats\":");
        write_seats(&mut json, id, &area.seats);
        json.push('}');
    }
    json.push_str("]}");
    Ok(json)
}

/// Writes the seats of an area, each with its derived ids.
///
/// A serializer would take twice the instructions. It writes and escapes piece by piece, but nothing here needs an
/// escape, and most of a seat is the same in the whole area.
fn write_seats(json: &mut String, area_id: Uuid, seats: &[Seat]) {
    let after_id = format!("\",\"areaId\":\"{area_id}\",\"cx\":");
    let (mut hex, mut decimal) = (Uuid::encode_buffer(), itoa::Buffer::new());
    let mut before_id = "[{\"id\":\"";
    for (id, seat) in id::derive_all(area_id, "seats", seats.len()).zip(seats) {
        json.push_str(before_id);
        json.push_str(id.hyphenated().encode_lower(&mut hex));
        json.push_str(&after_id);
        seat.cx.write_to(json);
        json.push_str(",\"cy\":");
        seat.cy.write_to(json);
        json.push_str(",\"row\":");
        json.push_str(decimal.format(seat.row));
        json.push_str(",\"number\":");
        json.push_str(decimal.format(seat.number));
        before_id = "},{\"id\":\"";
    }
    json.push_str(if seats.is_empty() { "[]" } else { "}]" });
}

fn to_json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(Error::unexpected)
}
