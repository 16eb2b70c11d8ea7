//! Properties of accepted events.

use std::collections::BTreeMap;

use api::{content_encoding::ContentEncoding, envelope, json};
use domain::{event::Event, poster::Format};
use functions::events::{
    event_response::EventDetail,
    registration::{CreateRequest, Registration},
    seat_map,
};
use roxmltree::Document;
use seating::{codec, plan, seat_map::SeatMap};
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

/// Asserts that an event can be stored and drawn, and that its response has the same content as the request.
///
/// # Panics
///
/// Panics if an assertion fails.
pub fn assert_valid(registration: &Registration) {
    assert_round_trip(&registration.seat_map);
    assert_drawn(registration.details.title.as_str(), &registration.seat_map);
    let response = response(registration);
    let request = json::object::<CreateRequest>(response.as_bytes()).expect("not a JSON object");
    let reread: Registration = request.try_into().expect("the response is not accepted as a request");
    assert_eq!(&reread, registration);
    assert_eq!(bits(&reread.seat_map), bits(&registration.seat_map));
}

/// Asserts that encoding and decoding do not change a seat map.
fn assert_round_trip(seat_map: &SeatMap) {
    let decoded = codec::decode(&codec::encode(seat_map)).expect("failed to decode a stored map");
    assert_eq!(&decoded, seat_map);
    assert_eq!(bits(&decoded), bits(seat_map));
}

/// Asserts that the picture of a hall is well-formed and not too large, and shows every seat.
fn assert_drawn(title: &str, seat_map: &SeatMap) {
    let picture = plan::draw(title, seat_map);
    let document = Document::parse(&picture).expect("the picture is not well-formed");
    let areas = document.descendants().filter(|node| node.attribute("class") == Some("area"));
    let areas = areas.filter(|node| node.parent().and_then(|parent| parent.parent()) == Some(document.root_element()));
    let seats = areas.map(|area| area.children().filter(|node| node.has_tag_name("circle")).count());
    assert_eq!(seats.sum::<usize>(), seat_map.areas().iter().map(|area| area.seats.len()).sum::<usize>());
    for image in document.descendants().filter(|node| node.has_tag_name("image")) {
        let base64 = image.attribute("href").and_then(|url| url.strip_prefix("data:image/svg+xml;base64,"));
        let drawing = base64_simd::STANDARD.decode_to_vec(base64.expect("not an embedded drawing")).expect("no base64");
        Document::parse(str::from_utf8(&drawing).expect("not UTF-8")).expect("a drawing is not well-formed");
    }
    assert!(
        envelope::document(seat_map::MEDIA_TYPE, picture, ContentEncoding::Gzip).is_ok(),
        "the picture is too large"
    );
}

/// Builds the response for an event, with its shows in the notation of a request.
fn response(registration: &Registration) -> String {
    let event = Event::register(
        Uuid::nil(),
        registration.details.clone(),
        &registration.shows,
        registration.published,
        Format::Png,
    );
    let detail = serde_json::to_string(&EventDetail::new(&event, &registration.seat_map)).expect("no response");
    let mut response: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&detail).expect("not a JSON object");
    let shows: Vec<BTreeMap<&str, &RawValue>> =
        serde_json::from_str(response["eventDatetimes"].get()).expect("the shows are not objects");
    let instants: Vec<_> = shows.iter().map(|show| show["datetime"]).collect();
    let instants = to_raw_value(&instants).expect("failed to write the times");
    response.insert("eventDatetimes".to_owned(), instants);
    serde_json::to_string(&response).expect("failed to write the request")
}

/// Returns the bits of every coordinate, which `==` of maps does not compare.
fn bits(map: &SeatMap) -> Vec<[u64; 2]> {
    let seats = map.areas().iter().flat_map(|area| &area.seats);
    seats.map(|seat| [seat.cx.value().to_bits(), seat.cy.value().to_bits()]).collect()
}
