//! States of the seats of a show on the wire.

use std::time::Duration;

use base64_simd::STANDARD;
use domain::{coordinate::Coordinate, hold::Taken, id, price::Price, text::Label};
use headers::ETag;
use schemars::JsonSchema;
use seating::seat_map::{SeatMap, SeatPosition};
use serde::{Serialize, Serializer, ser::SerializeSeq as _};
use uuid::Uuid;

use api::conditional;

/// Seats of a show by area, in the order of the detail.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Availability {
    areas: Vec<AreaAvailability>,
}

/// Free and taken seats of an area.
#[derive(Debug, Serialize, JsonSchema)]
struct AreaAvailability {
    id: Uuid,
    /// Number of seats.
    seats: usize,
    /// Number of free seats.
    free: usize,
    /// One bit for each seat in the order of the detail, 1 if it is taken, in base64. The first seat is the highest bit
    /// of the first byte.
    #[schemars(regex(pattern = "^[A-Za-z0-9+/]*={0,2}$"))]
    taken: String,
}

impl Availability {
    /// Combines a hall with the states of its seats at a time since 1970.
    #[must_use]
    pub fn new(event: Uuid, hall: &SeatMap, states: &[Option<Taken>], now: Duration) -> Self {
        let mut states = states.iter().map(|state| is_taken(*state, now));
        let area = |(index, area): (usize, &seating::seat_map::Area)| {
            let taken: Vec<_> = states.by_ref().take(area.seats.len()).collect();
            AreaAvailability {
                id: id::area(event, index),
                seats: taken.len(),
                free: taken.iter().filter(|taken| !**taken).count(),
                taken: bitmap(&taken),
            }
        };
        Self { areas: hall.areas().iter().enumerate().map(area).collect() }
    }
}

/// Encodes one bit for each value in base64, the first in the highest bit of the first byte.
pub(crate) fn bitmap(bits: &[bool]) -> String {
    let byte = |bits: &[bool]| (0..).zip(bits).fold(0, |byte: u8, (place, bit)| byte | u8::from(*bit) << (7 - place));
    STANDARD.encode_to_string(bits.chunks(8).map(byte).collect::<Vec<_>>())
}

fn is_taken(state: Option<Taken>, now: Duration) -> bool {
    state.is_some_and(|state| state.is_current(now))
}

/// All seats of a show in one list, for clients that expect one flat list.
#[derive(Debug)]
pub struct SeatList<'a> {
    event: Uuid,
    hall: &'a SeatMap,
    states: &'a [Option<Taken>],
    now: Duration,
}

/// Seat of a show in the flat list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSeat<'a> {
    id: Uuid,
    area_id: Uuid,
    area_label: &'a Label,
    area_price: Price,
    cx: Coordinate,
    cy: Coordinate,
    #[schemars(with = "SeatPosition")]
    row: u32,
    #[schemars(with = "SeatPosition")]
    number: u32,
    /// Null if the seat is free, and otherwise a text that names no one.
    reservation_id: Option<&'static str>,
    reserver_id: (),
    reserver_name: (),
    reserver_email: (),
}

impl<'a> SeatList<'a> {
    /// Combines a hall with the states of its seats at a time since 1970.
    #[must_use]
    pub fn new(event: Uuid, hall: &'a SeatMap, states: &'a [Option<Taken>], now: Duration) -> Self {
        Self { event, hall, states, now }
    }

    /// Returns the `ETag` of the list in each encoding. Nothing but the taken seats ever changes.
    #[must_use]
    pub fn etags(&self) -> [ETag; 2] {
        let taken: Vec<_> = self.states.iter().map(|state| u8::from(is_taken(*state, self.now))).collect();
        conditional::etags(&taken)
    }
}

impl Serialize for SeatList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.states.len()))?;
        let mut states = self.states.iter().enumerate();
        for (index, area) in self.hall.areas().iter().enumerate() {
            for (seat, (number, state)) in area.seats.iter().zip(states.by_ref()) {
                list.serialize_element(&ListedSeat {
                    id: id::seat(self.event, number),
                    area_id: id::area(self.event, index),
                    area_label: &area.label,
                    area_price: area.price,
                    cx: seat.cx,
                    cy: seat.cy,
                    row: seat.row,
                    number: seat.number,
                    reservation_id: is_taken(*state, self.now).then_some("taken"),
                    reserver_id: (),
                    reserver_name: (),
                    reserver_email: (),
                })?;
            }
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_seat_is_highest_bit() {
        assert_eq!(bitmap(&[]), "");
        assert_eq!(bitmap(&[true]), STANDARD.encode_to_string([0b1000_0000]));
        let bits = [false, true, false, false, false, false, false, true, true, false];
        assert_eq!(bitmap(&bits), STANDARD.encode_to_string([0b0100_0001, 0b1000_0000]));
    }
}
