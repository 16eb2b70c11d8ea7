//! What holds of every event that is accepted.

use domain::violation::DrawingError;
use std::collections::BTreeMap;

use api::{
    event::{CreateRequest, Draft, EventDetail},
    json, svg_response,
};
use domain::{event::Event, poster::Format};
use roxmltree::Document;
use seating::{codec, plan, seat_map::SeatMap, svg};
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

use crate::drawing;

/// Asserts that an event can be answered, stored and drawn, and that its answer says the same as the request.
///
/// # Panics
///
/// If it does not.
pub fn assert_valid(draft: &Draft) {
    assert_stored(&draft.seat_map);
    assert_drawn(draft.details.title.as_str(), &draft.seat_map);
    let answer = answer(draft);
    let request = json::object::<CreateRequest>(answer.as_bytes()).expect("an answer in JSON");
    let again: Draft = request.try_into().expect("what was accepted once is accepted again");
    assert_eq!(&again, draft);
    assert_eq!(bits(&again.seat_map), bits(&draft.seat_map));
}

/// Asserts that a seat map comes out of the store as it went in.
///
/// # Panics
///
/// If it does not.
pub fn assert_stored(seat_map: &SeatMap) {
    let decoded = codec::decode(&codec::encode(seat_map)).expect("a stored map");
    assert_eq!(&decoded, seat_map);
    assert_eq!(bits(&decoded), bits(seat_map));
}

/// Asserts that the picture of a hall is well-formed, inert and not too large, and shows every seat.
fn assert_drawn(title: &str, seat_map: &SeatMap) {
    let drawn = plan::draw(title, seat_map);
    let document = Document::parse(&drawn).expect("a well-formed picture");
    let areas = document.descendants().filter(|node| node.attribute("class") == Some("area"));
    let areas = areas
        .filter(|node| node.parent().and_then(|parent| parent.parent()) == Some(document.root_element()));
    let seats = areas.map(|area| area.children().filter(|node| node.has_tag_name("circle")).count());
    assert_eq!(seats.sum::<usize>(), seat_map.areas().iter().map(|area| area.seats.len()).sum::<usize>());
    match svg::read(&drawn) {
        Ok(_) => drawing::assert_valid(&drawn),
        // The maps leave no room for what surrounds them.
        Err(DrawingError::TooManyElements | DrawingError::TooDeep | DrawingError::TooManyAttributes(_)) => {}
        Err(rejection) => panic!("{rejection:?}: {drawn}"),
    }
    assert!(svg_response::svg(drawn).is_ok(), "too large");
}

/// The answer to the registration of an event, with its shows as a request has them.
fn answer(draft: &Draft) -> String {
    let event = Event::register(Uuid::nil(), draft.details.clone(), Format::Png);
    let detail = serde_json::to_string(&EventDetail::from((&event, &draft.seat_map))).expect("an answer");
    let mut answer: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&detail).expect("an object");
    let shows: Vec<BTreeMap<&str, &RawValue>> =
        serde_json::from_str(answer["eventDatetimes"].get()).expect("shows");
    let instants: Vec<_> = shows.iter().map(|show| show["datetime"]).collect();
    let instants = to_raw_value(&instants).expect("instants");
    answer.insert("eventDatetimes".to_owned(), instants);
    serde_json::to_string(&answer).expect("a request")
}

/// The bits of every coordinate, which a comparison of maps does not tell apart.
fn bits(map: &SeatMap) -> Vec<[u64; 2]> {
    let seats = map.areas().iter().flat_map(|area| &area.seats);
    seats.map(|seat| [seat.cx.value().to_bits(), seat.cy.value().to_bits()]).collect()
}
