//! Events on the wire.

use std::collections::HashSet;

use serde::{Deserialize, Serialize, Serializer};
#[cfg(feature = "openapi")]
use utoipa::PartialSchema as _;
use uuid::Uuid;

#[cfg(feature = "openapi")]
use super::openapi::values;
use super::{
    fields::{Errors, Field},
    shown::{Number, Text},
};
#[cfg(feature = "openapi")]
use crate::domain::event::{Artist, Description, Place, Title};
use crate::domain::{
    coordinate::Coordinate,
    drawing::Drawing,
    error::Error,
    event::{self, Details, Draft, Event, MAX_SHOWS},
    id,
    instant::Instant,
    price::Price,
    seat_map::{Area, MAX_AREAS, MAX_DRAWINGS, MAX_SEATS, Seat, SeatMap, parse_position},
    svg::{MAX_DRAWN, References, Refusal},
    text::{Label, Line, Paragraph},
    violation::Violation,
};

/// The `request` part of a request to register an event.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct CreateRequest<'a> {
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Title::schema))]
    title: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Description::schema))]
    description: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Place::schema))]
    place: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Artist::schema))]
    artist: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Instant::schema))]
    event_open_time: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Instant::schema))]
    ticketing_open_time: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Drawing::schema))]
    total_map: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = values::Areas::schema))]
    areas: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = values::Shows::schema))]
    event_datetimes: Field<'a>,
}

#[derive(Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, rename_all = "camelCase")]
pub(super) struct AreaRequest<'a> {
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Label::schema))]
    label: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Price::schema))]
    price: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Drawing::schema))]
    area_map: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = values::Seats::schema))]
    seats: Field<'a>,
}

#[derive(Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub(super) struct SeatRequest<'a> {
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Coordinate::schema))]
    cx: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = Coordinate::schema))]
    cy: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = values::Position::schema))]
    row: Field<'a>,
    #[cfg_attr(feature = "openapi", schema(required, schema_with = values::Position::schema))]
    number: Field<'a>,
}

impl TryFrom<CreateRequest<'_>> for Draft {
    type Error = Error;

    fn try_from(request: CreateRequest) -> Result<Self, Error> {
        let mut reader = Reader::default();
        let errors = &mut reader.errors;
        let title = errors.text("title", request.title, Line::parse);
        let description = errors.text("description", request.description, Paragraph::parse);
        let place = errors.text("place", request.place, Line::parse);
        let artist = errors.text("artist", request.artist, Line::parse);
        let event_open_time = errors.instant("eventOpenTime", request.event_open_time);
        let ticketing_open_time = errors.instant("ticketingOpenTime", request.ticketing_open_time);
        let total_map = reader.drawing("totalMap", request.total_map);
        let areas = reader.areas(request.areas);
        let shows = reader.shows(request.event_datetimes);

        let (
            Some(title),
            Some(description),
            Some(place),
            Some(artist),
            Some(event_open_time),
            Some(ticketing_open_time),
            Some(total_map),
            Some(areas),
            Some(shows),
            true,
        ) = (
            title,
            description,
            place,
            artist,
            event_open_time,
            ticketing_open_time,
            total_map,
            areas,
            shows,
            reader.errors.is_empty(),
        )
        else {
            return Err(reader.errors.into_error());
        };
        let details =
            Details { title, description, place, artist, event_open_time, ticketing_open_time, shows };
        Ok(Self { details, seat_map: SeatMap { total_map, areas } })
    }
}

/// Reads what counts towards the limits of a whole event.
#[derive(Default)]
struct Reader {
    errors: Errors,
    drawings: usize,
    references: References,
}

impl Reader {
    fn drawing(&mut self, name: &str, field: Field) -> Option<Drawing> {
        let (drawing, references) = self.errors.text(name, field, Drawing::parse)?;
        self.references.merge(references);
        let before = self.drawings;
        self.drawings += drawing.as_str().len();
        if before <= MAX_DRAWINGS && self.drawings > MAX_DRAWINGS {
            self.errors.add(name, field, Violation::DrawingsTooLarge(MAX_DRAWINGS));
        }
        Some(drawing)
    }

    fn areas(&mut self, field: Field) -> Option<Vec<Area>> {
        let items = self.errors.items("areas", field, MAX_AREAS)?;
        let before = self.errors.len();
        let mut labels = HashSet::with_capacity(items.len());
        let mut areas = Vec::with_capacity(items.len());
        let mut seats = 0;
        for (index, item) in items.into_iter().enumerate() {
            let path = format!("areas[{index}]");
            let Some(request) = self.errors.object::<AreaRequest>(&path, item) else {
                continue;
            };
            let label = self.label(&path, request.label, &mut labels);
            let price = self.errors.number(format!("{path}.price"), request.price, Price::parse);
            let area_map = self.drawing(&format!("{path}.areaMap"), request.area_map);
            let row = self.seats(&path, request.seats, &mut seats);
            if let (Some(label), Some(price), Some(area_map), Some(seats)) = (label, price, area_map, row) {
                areas.push(Area { label, price, area_map, seats });
            }
        }
        if seats > MAX_SEATS {
            self.errors.insert(before, "areas", field, Violation::TooManySeats(MAX_SEATS));
        }
        if self.references.drawn() > MAX_DRAWN {
            self.errors.insert(before, "areas", field, Violation::Drawing(Refusal::TooMuchDrawn));
        }
        Some(areas)
    }

    fn label(&mut self, area: &str, field: Field, seen: &mut HashSet<String>) -> Option<Label> {
        let path = format!("{area}.label");
        let label = self.errors.text(&path, field, Label::parse)?;
        if !seen.insert(label.as_str().to_owned()) {
            self.errors.add(path, field, Violation::Duplicate);
        }
        Some(label)
    }

    /// Reads the seats of an area and adds their number to that of the event,
    /// beyond whose limit none is looked at.
    fn seats(&mut self, area: &str, field: Field, total: &mut usize) -> Option<Vec<Seat>> {
        let items = self.errors.items_or_none(format_args!("{area}.seats"), field)?;
        *total += items.len();
        if *total > MAX_SEATS {
            return None;
        }
        let mut taken = HashSet::with_capacity(items.len());
        let mut seats = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let path = format_args!("{area}.seats[{index}]");
            let Some(seat) = self.seat(path, item) else {
                continue;
            };
            if !taken.insert((seat.row, seat.number)) {
                self.errors.add(path, item, Violation::Duplicate);
            }
            seats.push(seat);
        }
        Some(seats)
    }

    fn seat(&mut self, path: std::fmt::Arguments, field: Field) -> Option<Seat> {
        let errors = &mut self.errors;
        let request = errors.object::<SeatRequest>(path, field)?;
        let cx = errors.number(format_args!("{path}.cx"), request.cx, Coordinate::parse);
        let cy = errors.number(format_args!("{path}.cy"), request.cy, Coordinate::parse);
        let row = errors.number(format_args!("{path}.row"), request.row, parse_position);
        let number = errors.number(format_args!("{path}.number"), request.number, parse_position);
        Some(Seat { cx: cx?, cy: cy?, row: row?, number: number? })
    }

    fn shows(&mut self, field: Field) -> Option<Vec<Instant>> {
        let items = self.errors.items("eventDatetimes", field, MAX_SHOWS)?;
        let mut seen = HashSet::with_capacity(items.len());
        let mut shows = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let path = format_args!("eventDatetimes[{index}]");
            let Some(show) = self.errors.instant(path, item) else {
                continue;
            };
            if !seen.insert(show) {
                self.errors.add(path, item, Violation::Duplicate);
            }
            shows.push(show);
        }
        Some(shows)
    }
}

/// An event as a list shows it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventSummary<'a> {
    id: Uuid,
    #[cfg_attr(feature = "openapi", schema(schema_with = Title::schema))]
    title: &'a str,
    #[cfg_attr(feature = "openapi", schema(schema_with = Description::schema))]
    description: &'a str,
    #[cfg_attr(feature = "openapi", schema(schema_with = Place::schema))]
    place: &'a str,
    #[cfg_attr(feature = "openapi", schema(schema_with = values::Thumbnail::schema))]
    thumbnail: &'a str,
    #[cfg_attr(feature = "openapi", schema(schema_with = Artist::schema))]
    artist: &'a str,
    #[cfg_attr(feature = "openapi", schema(schema_with = values::ShowDetails::schema))]
    event_datetimes: Vec<Show>,
    #[cfg_attr(feature = "openapi", schema(schema_with = values::Time::schema))]
    event_open_time: Text<Instant>,
    #[cfg_attr(feature = "openapi", schema(schema_with = values::Time::schema))]
    ticketing_open_time: Text<Instant>,
}

/// An event as the answer to its registration shows it, with all its seats.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventDetail<'a> {
    /// What the list and the event alone show of it.
    #[serde(flatten)]
    pub summary: EventSummary<'a>,
    #[serde(flatten)]
    hall: HallDetail<'a>,
}

/// What the answer to a registration shows of an event beyond its summary.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct HallDetail<'a> {
    #[cfg_attr(feature = "openapi", schema(schema_with = Drawing::schema))]
    total_map: &'a str,
    #[cfg_attr(feature = "openapi", schema(schema_with = values::AreaDetails::schema))]
    areas: Vec<AreaDetail<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(super) struct Show {
    id: Uuid,
    #[cfg_attr(feature = "openapi", schema(schema_with = values::Time::schema))]
    datetime: Text<Instant>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct AreaDetail<'a> {
    id: Uuid,
    event_id: Uuid,
    #[cfg_attr(feature = "openapi", schema(schema_with = Label::schema))]
    label: &'a str,
    #[cfg_attr(feature = "openapi", schema(schema_with = Price::schema))]
    price: Number<Price>,
    #[cfg_attr(feature = "openapi", schema(schema_with = Drawing::schema))]
    area_map: &'a str,
    #[serde(serialize_with = "seats")]
    #[cfg_attr(feature = "openapi", schema(schema_with = values::SeatDetails::schema))]
    seats: (Uuid, &'a [Seat]),
}

#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct SeatDetail {
    id: Uuid,
    area_id: Uuid,
    #[cfg_attr(feature = "openapi", schema(schema_with = Coordinate::schema))]
    cx: Number<Coordinate>,
    #[cfg_attr(feature = "openapi", schema(schema_with = Coordinate::schema))]
    cy: Number<Coordinate>,
    #[cfg_attr(feature = "openapi", schema(schema_with = values::Position::schema))]
    row: u32,
    #[cfg_attr(feature = "openapi", schema(schema_with = values::Position::schema))]
    number: u32,
}

impl<'a> From<&'a Event> for EventSummary<'a> {
    fn from(event: &'a Event) -> Self {
        let details = &event.details;
        let show =
            |(index, instant): (usize, &Instant)| Show { id: event.show_id(index), datetime: Text(*instant) };
        Self {
            id: event.id,
            title: details.title.as_str(),
            description: details.description.as_str(),
            place: details.place.as_str(),
            thumbnail: &event.thumbnail,
            artist: details.artist.as_str(),
            event_datetimes: details.shows.iter().enumerate().map(show).collect(),
            event_open_time: Text(details.event_open_time),
            ticketing_open_time: Text(details.ticketing_open_time),
        }
    }
}

impl<'a> From<(&'a Event, &'a SeatMap)> for EventDetail<'a> {
    fn from((event, seat_map): (&'a Event, &'a SeatMap)) -> Self {
        Self { summary: event.into(), hall: HallDetail::new(event.id, seat_map) }
    }
}

impl<'a> HallDetail<'a> {
    pub(super) fn new(event_id: Uuid, seat_map: &'a SeatMap) -> Self {
        let area = |(index, area): (usize, &'a Area)| {
            let id = event::area_id(event_id, index);
            AreaDetail {
                id,
                event_id,
                label: area.label.as_str(),
                price: Number(area.price),
                area_map: area.area_map.as_str(),
                seats: (id, &area.seats),
            }
        };
        Self {
            total_map: seat_map.total_map.as_str(),
            areas: seat_map.areas.iter().enumerate().map(area).collect(),
        }
    }
}

/// The seats of an area, each with the ids that are derived for it.
fn seats<S: Serializer>((area_id, seats): &(Uuid, &[Seat]), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(seats.iter().enumerate().map(|(index, seat)| SeatDetail {
        id: id::derive(*area_id, "seats", index),
        area_id: *area_id,
        cx: Number(seat.cx),
        cy: Number(seat.cy),
        row: seat.row,
        number: seat.number,
    }))
}
