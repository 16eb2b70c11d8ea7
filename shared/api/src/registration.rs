//! Registration of an event on the wire: the part `request` of the form.

use std::fmt;

use domain::{
    coordinate::Coordinate,
    event::{Details, MAX_SHOWS, Shows},
    integer::Integer,
    price::Price,
    text::{Label, Line, Paragraph},
};
use seating::{
    drawing::Drawing,
    seat_map::{self, AreaBuilder, MAX_AREAS, MAX_POSITION, MAX_SEATS, Seat, SeatMap, Seats, parse_position},
};
use serde::Deserialize;

use crate::{
    error::Error,
    fields::{Errors, Field},
    json,
};

/// Part `request` of the form that registers an event.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CreateRequest<'a> {
    #[serde(borrow)]
    title: Field<'a>,
    description: Field<'a>,
    place: Field<'a>,
    artist: Field<'a>,
    genre: Field<'a>,
    age_rating: Field<'a>,
    running_minutes: Field<'a>,
    address: Field<'a>,
    event_open_time: Field<'a>,
    ticketing_open_time: Field<'a>,
    total_map: Field<'a>,
    areas: Field<'a>,
    event_datetimes: Field<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AreaRequest<'a> {
    #[serde(borrow)]
    label: Field<'a>,
    price: Field<'a>,
    area_map: Field<'a>,
    seats: Field<'a>,
}

/// Seat with fields of any type, or with numbers of these types.
#[derive(Deserialize)]
struct SeatRequest<C, P> {
    cx: C,
    cy: C,
    row: P,
    number: P,
}

/// Event to be registered, without its poster.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Title, times and the other fields of the event itself.
    pub details: Details,
    /// The shows.
    pub shows: Shows,
    /// Areas and seats.
    pub seat_map: SeatMap,
}

impl Draft {
    /// Parses the part `request` of the form.
    ///
    /// # Errors
    ///
    /// Returns `NotJson` if it is not a JSON object, and `Fields` with all errors in its fields.
    pub fn parse(part: &[u8]) -> Result<Self, Error> {
        json::object::<CreateRequest>(part)?.try_into()
    }
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
        let genre = errors.optional_text("genre", request.genre, Line::parse);
        let age_rating = errors.optional_number("ageRating", request.age_rating, Integer::parse);
        let running_minutes = errors.optional_number("runningMinutes", request.running_minutes, Integer::parse);
        let address = errors.optional_text("address", request.address, Line::parse);

        let draft = || {
            let details = Details {
                title: title?,
                description: description?,
                place: place?,
                artist: artist?,
                genre,
                age_rating,
                running_minutes,
                address,
                event_open_time: event_open_time?,
                ticketing_open_time: ticketing_open_time?,
            };
            Some(Self { details, shows: shows?, seat_map: hall.build()? })
        };
        match draft() {
            Some(draft) if errors.is_empty() => Ok(draft),
            _ if errors.is_empty() => Err(Error::unexpected("a registration without errors is invalid")),
            _ => Err(errors.into_error()),
        }
    }
}

fn read_areas(errors: &mut Errors, hall: &mut seat_map::Builder, field: Field) {
    let Some(areas) = errors.items("areas", field, MAX_AREAS) else { return };
    let mut within = Errors::default();
    for (index, area) in areas.into_iter().enumerate() {
        read_area(&mut within, hall, &format!("areas[{index}]"), area);
    }
    for violation in hall.violations() {
        errors.add("areas", field, violation);
    }
    errors.extend(within);
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
    if let Some(seats) = usual_seats(request.seats) {
        return area.finish_with(seats);
    }
    // One seat beyond the limit of the hall shows that it is exceeded; such seats are not read.
    let seats = errors.first_items(format_args!("{path}.seats"), request.seats, MAX_SEATS + 1).unwrap_or_default();
    if area.reserve(seats.len()) {
        for (index, seat) in seats.into_iter().enumerate() {
            read_seat(errors, &mut area, format_args!("{path}.seats[{index}]"), seat);
        }
    }
    area.finish();
}

/// Reads seats if all are valid and have numbers in the usual notations, as nearly all have.
///
/// Other seats are read value by value, which takes nearly twice the instructions.
fn usual_seats(field: Field) -> Option<Seats> {
    // A struct is also read from an array of its values, so the only array must be that of the seats.
    let json = field.json().filter(|json| json.bytes().filter(|byte| *byte == b'[').count() == 1)?;
    let seats: Vec<SeatRequest<f64, u32>> = serde_json::from_str(json).ok()?;
    let seats = seats.into_iter().map(|SeatRequest { cx, cy, row, number }| {
        let (cx, cy) = (Coordinate::from_nearest(cx)?, Coordinate::from_nearest(cy)?);
        (row <= MAX_POSITION && number <= MAX_POSITION).then_some(Seat { cx, cy, row, number })
    });
    Seats::new(seats.collect::<Option<_>>()?)
}

fn read_seat(errors: &mut Errors, area: &mut AreaBuilder, path: fmt::Arguments, field: Field) {
    let Some(request) = errors.object::<SeatRequest<Field, Field>>(path, field) else { return };
    let cx = errors.number(format_args!("{path}.cx"), request.cx, Coordinate::parse);
    let cy = errors.number(format_args!("{path}.cy"), request.cy, Coordinate::parse);
    let row = errors.number(format_args!("{path}.row"), request.row, parse_position);
    let number = errors.number(format_args!("{path}.number"), request.number, parse_position);
    if let (Some(cx), Some(cy), Some(row), Some(number)) = (cx, cy, row, number) {
        errors.check(path, field, area.seat(Seat { cx, cy, row, number }));
    }
}

pub(crate) fn read_shows(errors: &mut Errors, field: Field) -> Option<Shows> {
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

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;

    /// Numbers near the limits, and in unusual notations.
    const UNUSUAL: &[&str] = &[
        "-0",
        "-0.0",
        "1.0",
        "12e1",
        "1e-400",
        "5e-324",
        "0.1e1",
        "1000000",
        "-1000000",
        "1e6",
        "999999.9999999999",
        "999999.99999999999999999999",
        "1000000.00000000001",
        "1000001",
        "2147483647",
        "2147483648",
        "4294967296",
        "18446744073709551616",
        "1e400",
        "null",
        "\"1\"",
        "true",
        "[1]",
    ];

    fn any_number() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => (0..40_u32).prop_map(|number| number.to_string()),
            2 => "-?(0|[1-9][0-9]{0,5})\\.[0-9]{1,3}",
            2 => "-?(0|[1-9][0-9]{0,6})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?",
            1 => select(UNUSUAL).prop_map(str::to_owned),
        ]
    }

    /// Generates a seat with valid fields.
    fn valid_seat() -> impl Strategy<Value = String> {
        let coordinate = "-?(0|[1-9][0-9]{0,5})(\\.[0-9]{1,20})?";
        let position = prop_oneof![0..4_u32, 0..=MAX_POSITION];
        (coordinate, coordinate, position.clone(), position)
            .prop_map(|(cx, cy, row, number)| seat(&cx, &cy, &row.to_string(), &number.to_string()))
    }

    fn seat(cx: &str, cy: &str, row: &str, number: &str) -> String {
        format!("{{\"cx\":{cx},\"cy\":{cy},\"row\":{row},\"number\":{number}}}")
    }

    fn any_seat() -> impl Strategy<Value = String> {
        let number = any_number;
        let others = select(vec!["null", "[1,2,3,4]", "{}", "7", r#"{"cx":1,"cx":1,"cy":1,"row":1,"number":1}"#]);
        prop_oneof![
            8 => valid_seat(),
            8 => (number(), number(), number(), number()).prop_map(|(cx, cy, row, n)| seat(&cx, &cy, &row, &n)),
            1 => number().prop_map(|cx| format!("{{\"more\":[{{}}],\"cx\":{cx},\"cy\":1,\"row\":1,\"number\":9}}")),
            1 => others.prop_map(str::to_owned),
        ]
    }

    /// Parses a request with these seats in its only area.
    fn parse(seats: &[String]) -> Result<Draft, Error> {
        let request = format!(
            r#"{{"title":"t","description":"d","place":"p","artist":"a","eventOpenTime":0,"ticketingOpenTime":0,
                "eventDatetimes":[0],"totalMap":"<g/>",
                "areas":[{{"label":"A","price":0,"areaMap":"<g/>","seats":[{}]}}]}}"#,
            seats.join(" , ")
        );
        Draft::parse(request.as_bytes())
    }

    /// Returns every seat, with the bits of its coordinates, which `==` does not compare.
    fn seats(draft: &Draft) -> Vec<(u64, u64, u32, u32)> {
        let seats = draft.seat_map.areas().iter().flat_map(|area| &area.seats);
        seats.map(|seat| (seat.cx.value().to_bits(), seat.cy.value().to_bits(), seat.row, seat.number)).collect()
    }

    /// Asserts that seats are read alike with and without a last seat for which all are read value by value.
    fn assert_read_alike(sent: &[String]) {
        let by_value = parse(&[sent, &[seat("0", "0", "2147483646.0", "0")]].concat());
        match (parse(sent), by_value) {
            (Ok(usual), Ok(by_value)) => assert_eq!(seats(&usual), seats(&by_value)[..sent.len()], "{sent:?}"),
            (usual, by_value) => assert_eq!(format!("{usual:?}"), format!("{by_value:?}"), "{sent:?}"),
        }
    }

    fn usual(seats: &[String]) -> bool {
        usual_seats(serde_json::from_str(&format!("[{}]", seats.join(","))).unwrap()).is_some()
    }

    #[test]
    fn arrays_are_no_seats() {
        for other in ["[1,2,3,4]", r#"{"cx":1,"cy":1,"row":1,"number":[1]}"#] {
            assert!(matches!(parse(&[other.to_owned()]), Err(Error::Fields(errors)) if errors.len() == 1), "{other}");
        }
    }

    proptest! {
        #[test]
        fn seats_are_read_alike(seats in vec(any_seat(), 0..4)) {
            assert_read_alike(&seats);
        }

        #[test]
        fn valid_seats_are_usual(seats in vec(valid_seat(), 0..20)) {
            assert_read_alike(&seats);
            prop_assert_eq!(usual(&seats), parse(&seats).is_ok());
        }
    }
}
