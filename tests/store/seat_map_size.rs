//! Size of a stored seat map, which determines the number of items of an event.

use domain::{coordinate::Coordinate, price::Price, text::Label};
use local::layouts::{self, Layout};
use seating::{
    codec::{decode, encode},
    drawing::Drawing,
    seat_map::{Area, Seat, SeatMap},
};

/// Maximum average size of a seat: its two coordinates, its row and its number.
const BYTES_A_SEAT: f64 = 2.5;

/// Builds the seat map of a request from a sample hall.
fn seat_map(layout: &Layout) -> SeatMap {
    let coordinate = |value: f64| Coordinate::parse(&value.to_string()).unwrap();
    let seat = |seat: &layouts::Seat| Seat {
        cx: coordinate(seat.cx),
        cy: coordinate(seat.cy),
        row: seat.row,
        number: seat.number,
    };
    let area = |area: &layouts::Area| Area {
        label: Label::parse(&area.label).unwrap(),
        price: Price::parse(&area.price.to_string()).unwrap(),
        area_map: Drawing::parse(&area.area_map).unwrap().0,
        seats: area.seats.iter().map(seat).collect(),
    };
    SeatMap::new(Drawing::parse(&layout.total_map).unwrap().0, layout.areas.iter().map(area).collect())
}

#[test]
fn seat_takes_at_most_2_5_bytes() {
    for layout in [layouts::theatre(), layouts::arena(), layouts::stadium(), layouts::main_stadium()] {
        let full = seat_map(&layout);
        let without_seats = |area: &Area| Area { seats: Vec::new(), ..area.clone() };
        let areas = full.areas().iter().map(without_seats).collect();
        let empty = SeatMap::new(full.total_map().clone(), areas);
        let bytes = u32::try_from(encode(&full).len() - encode(&empty).len()).unwrap();
        let seats = u32::try_from(layout.seats()).unwrap();
        let bytes_a_seat = f64::from(bytes) / f64::from(seats);
        assert!(bytes_a_seat <= BYTES_A_SEAT, "{}: {bytes_a_seat:.3} bytes a seat", layout.name);
    }
}

#[test]
fn real_layouts_round_trip() {
    for layout in [layouts::theatre(), layouts::arena(), layouts::main_stadium(), layouts::grid(100_000)] {
        let map = seat_map(&layout);
        assert_eq!(decode(&encode(&map)).unwrap(), map, "{}", layout.name);
    }
}
