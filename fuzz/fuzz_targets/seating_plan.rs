//! Picture of a hall from the drawings of a request: `totalMap` and one for each area, separated by NUL.
#![no_main]

use std::array;

use api::json;
use arbitrary::Arbitrary;
use functions::events::registration::{CreateRequest, Registration};
use fuzz::{event, rejection};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json, value::RawValue};

/// Maximum number of areas; further drawings are ignored.
const MAX_AREAS: usize = 6;

#[derive(Arbitrary, Debug)]
struct Hall<'a> {
    seats: [Seat; 8],
    drawings: &'a str,
}

#[derive(Arbitrary, Debug)]
struct Seat {
    area: u8,
    x: i32,
    y: i32,
    decimals: u8,
}

impl Hall<'_> {
    /// Writes the hall as a request, with exponents in its numbers.
    fn request(&self) -> String {
        let mut drawings = self.drawings.split('\0');
        let total_map = drawings.next();
        let areas: Vec<_> = drawings.take(MAX_AREAS).collect();
        let mut seats: [Vec<Value>; MAX_AREAS] = array::from_fn(|_| Vec::new());
        for (number, seat) in self.seats.iter().enumerate() {
            let area = usize::from(seat.area) % areas.len().max(1);
            let coordinate = |whole: i32| {
                let json = format!("{}e-{}", whole % 1_000_001, seat.decimals % 16);
                RawValue::from_string(json).expect("the coordinate is not a number")
            };
            seats[area].push(json!({
                "cx": coordinate(seat.x), "cy": coordinate(seat.y), "row": seat.area, "number": number,
            }));
        }
        let areas = areas.iter().zip(seats).enumerate().map(|(index, (drawing, seats))| {
            json!({"label": index.to_string(), "price": 10 * index, "areaMap": drawing, "seats": seats})
        });
        json!({
            "title": "a", "description": "a", "place": "a", "artist": "a", "eventOpenTime": 0,
            "ticketingOpenTime": 0, "eventDatetimes": [0], "totalMap": total_map,
            "areas": areas.collect::<Vec<_>>(),
        })
        .to_string()
    }
}

fuzz_target!(|hall: Hall| {
    let request = hall.request();
    let request = json::object::<CreateRequest>(request.as_bytes()).expect("not a JSON object");
    match Registration::try_from(request) {
        Ok(draft) => event::assert_valid(&draft),
        Err(error) => rejection::assert_explained(&error),
    }
});
