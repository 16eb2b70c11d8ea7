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
    one_pass::{Limited, Object},
};

/// Part `request` of the form that registers an event.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CreateRequest<'a, A = Field<'a>> {
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
    areas: A,
    event_datetimes: Field<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct AreaRequest<'a, S> {
    #[serde(borrow)]
    label: Field<'a>,
    price: Field<'a>,
    area_map: Field<'a>,
    seats: S,
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

/// Areas that are parsed in one pass, because all their seats have the usual types and notations.
///
/// Nearly all requests have only such seats. Only the others are read value by value, which takes four times the
/// instructions, because it finds every error.
type UsualAreas<'a> = Option<Limited<Object<UsualArea<'a>>, MAX_AREAS>>;

type UsualArea<'a> = AreaRequest<'a, Option<Limited<Object<UsualSeat>, MAX_SEATS>>>;

/// Seat with whole numbers in their shortest notation.
#[derive(Deserialize)]
struct UsualSeat {
    cx: f64,
    cy: f64,
    row: u32,
    number: u32,
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
        let usual = usual_request(part).and_then(|request| request.read(add_usual_areas));
        usual.or_else(|_| json::object::<CreateRequest>(part)?.try_into())
    }
}

fn usual_request(part: &[u8]) -> Result<CreateRequest<'_, UsualAreas<'_>>, Error> {
    json::object_with_known(part, |request: &CreateRequest<UsualAreas>| {
        let seats = |Object(area): &Object<UsualArea>| area.seats.as_ref().map_or(0, |Limited(seats)| 1 + seats.len());
        let areas = |Limited(areas): &Limited<_, _>| 1 + areas.iter().map(|area| 1 + seats(area)).sum::<usize>();
        1 + request.areas.as_ref().map_or(0, areas)
    })
}

impl TryFrom<CreateRequest<'_>> for Draft {
    type Error = Error;

    /// Reads every field and collects all errors, in the order of the field table.
    fn try_from(request: CreateRequest) -> Result<Self, Error> {
        request.read(collect_areas)
    }
}

impl<A> CreateRequest<'_, A> {
    fn read(self, read_areas: impl FnOnce(&mut Errors, &mut seat_map::Builder, A)) -> Result<Draft, Error> {
        let request = self;
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
        let details = Details {
            title,
            description,
            place,
            artist,
            genre,
            age_rating,
            running_minutes,
            address,
            event_open_time,
            ticketing_open_time,
        };
        let seat_map = hall.build().ok_or_else(|| Error::unexpected("a hall without errors is invalid"))?;
        Ok(Draft { details, shows, seat_map })
    }
}

/// Reads areas value by value, and collects all errors.
fn collect_areas(errors: &mut Errors, hall: &mut seat_map::Builder, field: Field) {
    let Some(items) = errors.items("areas", field, MAX_AREAS) else { return };
    let before = errors.len();
    for (index, item) in items.into_iter().enumerate() {
        let path = format!("areas[{index}]");
        let Some(request) = errors.object::<AreaRequest<Field>>(&path, item) else { continue };
        let mut area = hall.area();
        read_area(errors, &mut area, &path, &request);
        // One seat beyond the limit of the hall shows that it is exceeded.
        if let Some(seats) = errors.first_items(format_args!("{path}.seats"), request.seats, MAX_SEATS + 1) {
            read_seats(errors, &mut area, &path, seats);
            area.finish();
        }
    }
    for violation in hall.violations().into_iter().rev() {
        errors.insert(before, "areas", field, violation);
    }
}

/// Adds areas; if there are errors or a seat is invalid, adds none, so that the hall is invalid.
fn add_usual_areas(errors: &mut Errors, hall: &mut seat_map::Builder, areas: UsualAreas) {
    let areas = areas.filter(|_| errors.is_empty()).map_or_else(Vec::new, |Limited(areas)| areas);
    let seats: Option<Vec<_>> = areas.iter().map(usual_seats).collect();
    for (index, (Object(request), seats)) in areas.iter().zip(seats.into_iter().flatten()).enumerate() {
        let mut area = hall.area();
        read_area(errors, &mut area, &format!("areas[{index}]"), request);
        area.finish_with(seats);
    }
}

fn usual_seats(Object(area): &Object<UsualArea>) -> Option<Seats> {
    let Limited(seats) = area.seats.as_ref()?;
    let seats = seats.iter().map(|Object(seat)| {
        let is_in_limits = seat.row <= MAX_POSITION && seat.number <= MAX_POSITION;
        let (cx, cy) = (Coordinate::from_nearest(seat.cx)?, Coordinate::from_nearest(seat.cy)?);
        is_in_limits.then_some(Seat { cx, cy, row: seat.row, number: seat.number })
    });
    Seats::new(seats.collect::<Option<_>>()?)
}

/// Reads an area except for its seats.
fn read_area<S>(errors: &mut Errors, area: &mut AreaBuilder, path: &str, request: &AreaRequest<S>) {
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
}

fn read_seats(errors: &mut Errors, area: &mut AreaBuilder, path: &str, seats: Vec<Field>) {
    // Seats beyond the limit of the hall are not read.
    if area.reserve(seats.len()) {
        for (index, seat) in seats.into_iter().enumerate() {
            read_seat(errors, area, format_args!("{path}.seats[{index}]"), seat);
        }
    }
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
    use super::*;
    use crate::json;
    use proptest::{collection::vec, option::weighted, prelude::*, sample::select};

    /// Numbers that every pass must accept or reject alike: near the limits, and in unusual notations.
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

    fn any_area(seat: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
        let price = prop_oneof![4 => Just("99000.5"), 1 => Just("0.001"), 1 => Just("null")];
        let map = prop_oneof![6 => Just("<g/>"), 1 => Just("<script/>")];
        let seats = weighted(0.95, vec(seat, 0..4));
        ("[A-C]", price, map, seats).prop_map(|(label, price, map, seats)| {
            let seats = seats.map_or_else(|| "null".to_owned(), |seats| format!("[{}]", seats.join(" , ")));
            format!(r#"{{"label":"{label}","price":{price},"areaMap":"{map}","seats":{seats}}}"#)
        })
    }

    fn request(areas: &str) -> String {
        format!(
            r#"{{"title":"t","description":"d","place":"p","artist":"a","eventOpenTime":0,"ticketingOpenTime":0,
                "eventDatetimes":[0],"totalMap":"<g/>","areas":{areas}}}"#
        )
    }

    /// Returns the bits of every coordinate, which `==` of maps does not compare.
    fn bits(draft: &Draft) -> Vec<[u64; 2]> {
        let seats = draft.seat_map.areas().iter().flat_map(|area| &area.seats);
        seats.map(|seat| [seat.cx.value().to_bits(), seat.cy.value().to_bits()]).collect()
    }

    fn usual(request: &str) -> Option<Draft> {
        usual_request(request.as_bytes()).ok()?.read(add_usual_areas).ok()
    }

    /// Asserts that one pass accepts only requests that the other accepts, with the same values and errors.
    fn assert_passes_agree(request: &str) {
        let collected = json::object::<CreateRequest>(request.as_bytes()).and_then(Draft::try_from);
        if let Some(usual) = usual(request) {
            let collected = collected.as_ref().expect("only one pass accepts the request");
            assert_eq!(&usual, collected, "{request}");
            assert_eq!(bits(&usual), bits(collected), "{request}");
        }
        assert_eq!(format!("{:?}", Draft::parse(request.as_bytes())), format!("{collected:?}"));
    }

    proptest! {
        #[test]
        fn both_passes_agree(areas in vec(any_area(any_seat()), 0..3)) {
            assert_passes_agree(&request(&format!("[{}]", areas.join(","))));
        }

        #[test]
        fn valid_seats_are_usual(seats in vec(valid_seat(), 0..20)) {
            let area = format!(r#"[{{"label":"A","price":0,"areaMap":"<g/>","seats":[{}]}}]"#, seats.join(","));
            let request = request(&area);
            assert_passes_agree(&request);
            let is_valid = Draft::parse(request.as_bytes()).is_ok();
            prop_assert_eq!(usual(&request).is_some(), is_valid);
        }

        #[test]
        fn number_is_nearest_double(number in any_number()) {
            if let Ok(double) = serde_json::from_str::<f64>(&number) {
                prop_assert_eq!(double.to_bits(), number.parse::<f64>().unwrap().to_bits());
            }
        }
    }

    #[test]
    fn unknown_values_are_checked_in_both_passes() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let in_area = |value: &str, more_seats: usize| {
            let mut seats = vec![seat("1", "1", "1", "0").replace('}', &format!(",\"more\":{value}}}"))];
            seats.extend((1..=more_seats).map(|number| seat("1", "1", "1", &number.to_string())));
            let seats = seats.join(",");
            request(&format!(r#"[{{"label":"A","price":0,"areaMap":"<g/>","seats":[{seats}]}}]"#))
        };
        // A seat is four deep: in an object, the areas, an area, and the seats, it is the fifth value.
        let max = json::MAX_DEPTH - 5;
        for (request, is_usual) in [
            (in_area(&deep(max), 0), true),
            (in_area(&deep(max), 1_000), true),
            (in_area(&deep(max + 1), 0), false),
            (in_area(&deep(max + 1), 1_000), false),
            (in_area("\"\\ud83c\\udfab\"", 0), true),
            (in_area("\"\\ud83c\"", 0), false),
            (in_area(&format!("\"{}\"", "[".repeat(1_000)), 0), true),
        ] {
            assert_eq!(usual(&request).is_some(), is_usual, "{request}");
            assert_passes_agree(&request);
        }
    }

    #[test]
    fn limits_are_the_same_in_both_passes() {
        let areas = |count: usize, seats: &dyn Fn(usize) -> String| {
            let area =
                |index| format!(r#"{{"label":"{index}","price":0,"areaMap":"<g/>","seats":[{}]}}"#, seats(index));
            request(&format!("[{}]", (0..count).map(area).collect::<Vec<_>>().join(",")))
        };
        let seats =
            |count: usize| (0..count).map(|n| seat("1", "1", "1", &n.to_string())).collect::<Vec<_>>().join(",");
        for (request, is_usual) in [
            (areas(0, &|_| String::new()), false),
            (areas(MAX_AREAS, &|_| String::new()), true),
            (areas(MAX_AREAS + 1, &|_| String::new()), false),
            (areas(2, &|index| seats([MAX_SEATS - 1, 1][index])), true),
            (areas(2, &|index| seats([MAX_SEATS - 1, 2][index])), false),
            (areas(1, &|_| [seat("1", "2", "3", "4"), seat("5", "6", "3", "4")].join(",")), false),
            (areas(1, &|_| seat("1", "2", "2147483647", "4294967295")), false),
            (areas(1, &|_| seat("1", "2", "2147483647", "2147483647")), true),
        ] {
            assert_eq!(usual(&request).is_some(), is_usual);
            assert_passes_agree(&request);
        }
    }
}
