//! Number in JSON, read as a price, as a coordinate and as a row.
#![no_main]

use api::fields::{Declared, Errors, Field, Parse};
use domain::{coordinate::Coordinate, price::Price, violation::Violation};
use libfuzzer_sys::fuzz_target;
use seating::seat_map::{SeatPosition, parse_position};

fn read<D: Declared>(json: &str, parse: Parse<D::Value>) -> Option<D::Value> {
    Errors::default().number("number", serde_json::from_str::<Field<D>>(json).ok()?, parse)
}

fuzz_target!(|json: &str| {
    let double = json.trim().parse::<f64>().unwrap_or(f64::NAN);
    if let Some(price) = read::<Price>(json, Price::parse) {
        assert_eq!(read::<Price>(&price.to_string(), Price::parse), Some(price));
        assert_eq!(price.to_string().parse(), Ok(double + 0.0), "{json}");
    }
    if let Some(coordinate) = read::<Coordinate>(json, Coordinate::parse) {
        assert_eq!(coordinate.value().to_bits(), (double + 0.0).to_bits(), "{json}");
    }
    if let Some(position) = read::<SeatPosition>(json, parse_position) {
        assert_eq!(f64::from(position).to_bits(), (double + 0.0).to_bits(), "{json}");
    }
    // A rejected number always has a reason.
    if serde_json::from_str::<f64>(json).is_ok() {
        let results: [Result<(), Vec<Violation>>; 3] = [
            Price::parse(json.trim()).map(drop),
            Coordinate::parse(json.trim()).map(drop),
            parse_position(json.trim()).map(drop),
        ];
        assert!(results.into_iter().filter_map(Result::err).all(|violations| !violations.is_empty()), "{json}");
    }
});
