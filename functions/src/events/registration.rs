//! Registration of an event on the wire: the part `request` of the form.

use std::{collections::HashSet, fmt};

use domain::{
    coordinate::Coordinate,
    event::{
        Address, AgeRating, Artist, Description, Details, Genre, MaxSeats, Place, RunningMinutes,
        TicketingCloseMinutes, Title,
    },
    instant::Instant,
    integer::Integer,
    price::Price,
    seat_kind::SeatKind,
    show::{MAX_SHOWS, ShowTimes},
    text::{Label, Line, Paragraph},
    violation::Violation,
};
use schemars::JsonSchema;
use seating::{
    drawing::Drawing,
    seat_map::{Area, Limits, MAX_HALL_AREAS, MAX_HALL_SEATS, Seat, SeatMap, SeatPosition, parse_position},
};
use serde::Deserialize;

use api::{
    declared,
    error::Error,
    fields::{Errors, Field, List, Optional, OrBlank, Set},
    json,
};

/// Event to register: part `request` of the form.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct CreateRequest<'a> {
    #[serde(borrow)]
    title: Field<'a, Title>,
    description: Field<'a, Description>,
    place: Field<'a, Place>,
    /// Performer.
    artist: Field<'a, Artist>,
    genre: Field<'a, OrBlank<Genre>>,
    /// Age in years.
    age_rating: Field<'a, OrBlank<AgeRating>>,
    /// Duration of a show.
    running_minutes: Field<'a, OrBlank<RunningMinutes>>,
    /// Address of the venue.
    address: Field<'a, OrBlank<Address>>,
    /// Minutes before a show at which members can hold no more seats of it. Without them, that is when it begins.
    ticketing_close_minutes: Field<'a, OrBlank<TicketingCloseMinutes>>,
    /// Seats of a show that a member may have, held and sold together, if that is less than the deployment allows.
    max_seats: Field<'a, OrBlank<MaxSeats>>,
    /// True if everyone can read the event. Otherwise it is a draft, which exists for its manager only.
    published: Field<'a, Optional<bool>>,
    /// Time when the event opens. The service stores and returns it, and does not use it.
    event_open_time: Field<'a, Instant>,
    ticketing_open_time: Field<'a, Instant>,
    total_map: Field<'a, Drawing>,
    /// Seating areas.
    areas: Field<'a, List<AreaRequest<'a>, 1, MAX_HALL_AREAS>>,
    /// Dates and times of the shows.
    event_datetimes: Field<'a, Set<Instant, MAX_SHOWS>>,
}

/// Area of an event to register.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
struct AreaRequest<'a> {
    #[serde(borrow)]
    /// Distinct among the areas of an event.
    label: Field<'a, Label>,
    price: Field<'a, Price>,
    area_map: Field<'a, Drawing>,
    /// May be empty. The limit is that of all areas together.
    seats: Field<'a, List<SeatRequest<'a>, 0, MAX_HALL_SEATS>>,
}

/// Seat of an event to register.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct SeatRequest<'a> {
    #[serde(borrow)]
    cx: Field<'a, Coordinate>,
    cy: Field<'a, Coordinate>,
    row: Field<'a, SeatPosition>,
    number: Field<'a, SeatPosition>,
    /// Only of a seat that is no ordinary one.
    kind: Field<'a, OrBlank<SeatKind>>,
}

declared!(AreaRequest<'_> => (), SeatRequest<'_> => ());

/// Event to be registered, without its poster.
#[derive(Clone, Debug, PartialEq)]
pub struct Registration {
    /// Title, times and the other fields of the event itself.
    pub details: Details,
    /// The shows.
    pub shows: ShowTimes,
    /// True if everyone can read it.
    pub published: bool,
    /// Areas and seats.
    pub seat_map: SeatMap,
}

impl Registration {
    /// Parses the part `request` of the form.
    ///
    /// # Errors
    ///
    /// Returns `NotJson` if it is not a JSON object, and `Fields` with all errors in its fields.
    pub fn parse(part: &[u8]) -> Result<Self, Error> {
        json::object::<CreateRequest>(part)?.try_into()
    }
}

impl TryFrom<CreateRequest<'_>> for Registration {
    type Error = Error;

    /// Reads every field and collects all errors, in the order of `docs/api.md`.
    fn try_from(request: CreateRequest) -> Result<Self, Error> {
        let mut errors = Errors::default();
        let mut limits = Limits::default();
        let title = errors.text("title", request.title, Line::parse);
        let description = errors.text("description", request.description, Paragraph::parse);
        let place = errors.text("place", request.place, Line::parse);
        let artist = errors.text("artist", request.artist, Line::parse);
        let event_open_time = errors.instant("eventOpenTime", request.event_open_time);
        let ticketing_open_time = errors.instant("ticketingOpenTime", request.ticketing_open_time);
        let total_map = read_drawing(&mut errors, &mut limits, "totalMap", request.total_map);
        let areas = read_areas(&mut errors, &mut limits, request.areas);
        let shows = read_shows(&mut errors, request.event_datetimes);
        let genre = errors.optional_text("genre", request.genre, Line::parse);
        let age_rating = errors.optional_number("ageRating", request.age_rating, Integer::parse);
        let running_minutes = errors.optional_number("runningMinutes", request.running_minutes, Integer::parse);
        let address = errors.optional_text("address", request.address, Line::parse);
        let ticketing_close_minutes =
            errors.optional_number("ticketingCloseMinutes", request.ticketing_close_minutes, Integer::parse);
        let max_seats = errors.optional_number("maxSeats", request.max_seats, Integer::parse);
        let published = request.published.present().and_then(|field| errors.boolean("published", field));

        let registration = || {
            let details = Details {
                title: title?,
                description: description?,
                place: place?,
                artist: artist?,
                genre,
                age_rating,
                running_minutes,
                address,
                ticketing_close_minutes,
                max_seats,
                event_open_time: event_open_time?,
                ticketing_open_time: ticketing_open_time?,
            };
            Some(Self {
                details,
                shows: shows?,
                published: published.unwrap_or(true),
                seat_map: SeatMap::new(total_map?, areas?),
            })
        };
        match registration() {
            Some(registration) if errors.is_empty() => Ok(registration),
            _ if errors.is_empty() => Err(Error::unexpected("a registration without errors is invalid")),
            _ => Err(errors.into_error()),
        }
    }
}

fn read_drawing(errors: &mut Errors, limits: &mut Limits, path: &str, field: Field<Drawing>) -> Option<Drawing> {
    let (drawing, references) = errors.text(path, field, Drawing::parse)?;
    errors.check(path, field, limits.add_drawing(&drawing, references));
    Some(drawing)
}

fn read_areas<'a>(
    errors: &mut Errors,
    limits: &mut Limits,
    field: Field<'a, List<AreaRequest<'a>, 1, MAX_HALL_AREAS>>,
) -> Option<Vec<Area>> {
    let items = errors.items("areas", field)?;
    let mut within = Errors::default();
    let areas = items.into_iter().enumerate();
    let areas = areas.filter_map(|(index, area)| read_area(&mut within, limits, &format!("areas[{index}]"), area));
    let areas = areas.collect();
    for violation in limits.violations() {
        errors.add("areas", field, violation);
    }
    errors.extend(within);
    Some(areas)
}

fn read_area<'a>(
    errors: &mut Errors,
    limits: &mut Limits,
    path: &str,
    field: Field<'a, AreaRequest<'a>>,
) -> Option<Area> {
    let request = errors.object(path, field)?;
    let label_path = format!("{path}.label");
    let label = errors.text(&label_path, request.label, Label::parse);
    if let Some(label) = &label {
        errors.check(label_path, request.label, limits.add_label(label));
    }
    let price = errors.number(format_args!("{path}.price"), request.price, Price::parse);
    let area_map = read_drawing(errors, limits, &format!("{path}.areaMap"), request.area_map);
    let seats = read_seats(errors, limits, &format!("{path}.seats"), request.seats);
    Some(Area { label: label?, price: price?, area_map: area_map?, seats: seats? })
}

/// Reads seats one by one, with all their errors.
fn read_seats<'a>(
    errors: &mut Errors,
    limits: &mut Limits,
    path: &str,
    field: Field<'a, List<SeatRequest<'a>, 0, MAX_HALL_SEATS>>,
) -> Option<Vec<Seat>> {
    // One seat beyond the limit of the hall shows that it is exceeded; such seats are not read.
    let items = errors.first_items(path, field, MAX_HALL_SEATS + 1)?;
    if !limits.add_seats(items.len()) {
        return None;
    }
    let mut positions = HashSet::with_capacity(items.len());
    let mut seats = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let path = format_args!("{path}[{index}]");
        let Some(seat) = read_seat(errors, path, item) else { continue };
        if !positions.insert((seat.row, seat.number)) {
            errors.add(path, item, Violation::Duplicate);
        }
        seats.push(seat);
    }
    Some(seats)
}

fn read_seat<'a>(errors: &mut Errors, path: fmt::Arguments, field: Field<'a, SeatRequest<'a>>) -> Option<Seat> {
    let request = errors.object(path, field)?;
    let cx = errors.number(format_args!("{path}.cx"), request.cx, Coordinate::parse);
    let cy = errors.number(format_args!("{path}.cy"), request.cy, Coordinate::parse);
    let row = errors.number(format_args!("{path}.row"), request.row, parse_position);
    let number = errors.number(format_args!("{path}.number"), request.number, parse_position);
    let kind = errors.optional_text(format_args!("{path}.kind"), request.kind, SeatKind::parse);
    Some(Seat { cx: cx?, cy: cy?, row: row?, number: number?, kind })
}

pub(crate) fn read_shows(errors: &mut Errors, field: Field<Set<Instant, MAX_SHOWS>>) -> Option<ShowTimes> {
    let items = errors.items("eventDatetimes", field)?;
    let mut shows = ShowTimes::default();
    for (index, item) in items.into_iter().enumerate() {
        let path = format_args!("eventDatetimes[{index}]");
        if let Some(show) = errors.instant(path, item) {
            errors.check(path, item, shows.add(show));
        }
    }
    Some(shows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seat_as_array_is_rejected() {
        for other in ["[1,2,3,4]", r#"{"cx":1,"cy":1,"row":1,"number":[1]}"#] {
            let request = format!(
                r#"{{"title":"t","description":"d","place":"p","artist":"a","eventOpenTime":0,"ticketingOpenTime":0,
                    "eventDatetimes":[0],"totalMap":"<g/>",
                    "areas":[{{"label":"A","price":0,"areaMap":"<g/>","seats":[{other}]}}]}}"#
            );
            let registration = Registration::parse(request.as_bytes());
            assert!(matches!(registration, Err(Error::Fields(errors)) if errors.len() == 1), "{other}");
        }
    }
}
