//! Encoding of seat maps, compared with parsing their JSON.

use std::{hint::black_box, time::Instant};

use api::{
    json,
    registration::{CreateRequest, Draft},
};
use domain::error::Cause;
use local::layouts::{self, Layout};
use seating::{
    codec::{decode, encode},
    seat_map::{self, SeatMap},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::timing::milliseconds;
use crate::{environment::cause, sample, statistics::Quartiles};

/// Number of measurements of each operation.
const ROUNDS: usize = 41;

/// Measurements of one seat map. Times are in milliseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Codec {
    /// Name of the layout.
    pub layout: String,
    /// Number of seats.
    pub seats: usize,
    /// Bytes of the JSON.
    pub json: usize,
    /// Time to parse the JSON to numbers and strings by `serde_json`.
    pub parse: Quartiles,
    /// Time to encode the seat map.
    pub encode: Quartiles,
    /// Time to decode the seat map.
    pub decode: Quartiles,
    /// Average stored bytes of a seat, without drawings and labels.
    pub bytes_a_seat: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "parsed to be timed")]
struct Hall {
    total_map: String,
    areas: Vec<Area>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "parsed to be timed")]
struct Area {
    label: String,
    price: f64,
    #[serde(rename = "areaMap")]
    map: String,
    seats: Vec<Seat>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "parsed to be timed")]
struct Seat {
    cx: f64,
    cy: f64,
    row: u32,
    number: u32,
}

/// Measures the layouts of a theatre, an arena and a stadium.
///
/// # Errors
///
/// Returns an error if a seat map cannot be built or decoded.
pub fn measure() -> Result<Vec<Codec>, Cause> {
    [layouts::theatre(), layouts::arena(), layouts::stadium()].iter().map(measure_layout).collect()
}

fn measure_layout(layout: &Layout) -> Result<Codec, Cause> {
    let json = serde_json::to_string(layout)?;
    let map = seat_map_of(layout)?;
    let stored = encode(&map);
    let (mut parse, mut encoding, mut decoding) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let started = Instant::now();
        black_box(serde_json::from_str::<Hall>(black_box(&json))?);
        parse.push(milliseconds(started.elapsed()));

        let started = Instant::now();
        black_box(encode(black_box(&map)));
        encoding.push(milliseconds(started.elapsed()));

        let started = Instant::now();
        black_box(decode(black_box(&stored))?);
        decoding.push(milliseconds(started.elapsed()));
    }
    let without_seats = |area: &seat_map::Area| seat_map::Area { seats: Vec::new(), ..area.clone() };
    let empty = SeatMap::new(map.total_map().clone(), map.areas().iter().map(without_seats).collect());
    let bytes = f64::from(u32::try_from(stored.len() - encode(&empty).len())?);
    Ok(Codec {
        layout: layout.name.to_owned(),
        seats: layout.seats(),
        json: json.len(),
        parse: Quartiles::new(&parse),
        encode: Quartiles::new(&encoding),
        decode: Quartiles::new(&decoding),
        bytes_a_seat: bytes / f64::from(u32::try_from(layout.seats())?),
    })
}

/// Builds the seat map of a layout by the conversion that requests use.
fn seat_map_of(layout: &Layout) -> Result<SeatMap, Cause> {
    let mut event = sample::event();
    let hall = json!(layout);
    event["totalMap"] = hall["totalMap"].clone();
    event["areas"] = hall["areas"].clone();
    let request = event.to_string();
    let request: CreateRequest = json::object(request.as_bytes()).map_err(cause)?;
    let draft: Draft = request.try_into().map_err(cause)?;
    Ok(draft.seat_map)
}
