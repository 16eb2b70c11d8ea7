//! The seats of an event, and where they are.

use super::{
    coordinate::Coordinate, decimal, drawing::Drawing, price::Price, text::Label, violation::Violation,
};

/// The most areas of an event.
pub const MAX_AREAS: usize = 200;
/// The most seats of an event, in all its areas together.
pub const MAX_SEATS: usize = 25_000;
/// The most bytes of an event's drawings together.
pub const MAX_DRAWINGS: usize = 1024 * 1024;

/// The highest row, and the highest number of a seat in it.
pub const MAX_POSITION: u32 = 2_147_483_647;

/// A hall: its drawing and its areas, in the order in which they were sent.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatMap {
    /// The drawing of the whole hall.
    pub total_map: Drawing,
    /// 1 to 200 areas with distinct labels and at most 25,000 seats together.
    pub areas: Vec<Area>,
}

/// An area of seats at one price.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Distinct within the event.
    pub label: Label,
    /// The price of every seat in it.
    pub price: Price,
    /// The drawing of the area.
    pub area_map: Drawing,
    /// Seats with distinct `(row, number)`; there may be none.
    pub seats: Vec<Seat>,
}

/// One seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// The horizontal coordinate of its centre.
    pub cx: Coordinate,
    /// The vertical coordinate of its centre.
    pub cy: Coordinate,
    /// The row, 0 to 2,147,483,647.
    pub row: u32,
    /// The number within the row, 0 to 2,147,483,647.
    pub number: u32,
}

/// Reads a row or the number of a seat: a whole number in JSON notation.
///
/// # Errors
///
/// `NotWhole` for a fraction, `OutOfRange` beyond 0 to 2,147,483,647.
pub fn parse_position(json: &str) -> Result<u32, Vec<Violation>> {
    decimal::parse_within(json, 0, 0..=i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_whole_number_in_any_notation() {
        for (json, position) in
            [("0", 0), ("-0", 0), ("1.0", 1), ("12e1", 120), ("2147483647", 2_147_483_647)]
        {
            assert_eq!(parse_position(json), Ok(position), "{json}");
        }
    }

    #[test]
    fn a_position_beyond_the_limits_is_refused() {
        for json in ["-1", "2147483648", "1e400", "99999999999999999999999999999999999999"] {
            assert_eq!(parse_position(json), Err(vec![Violation::OutOfRange(0..=2_147_483_647)]), "{json}");
        }
    }

    #[test]
    fn a_position_has_no_fraction() {
        for json in ["1.5", "1e-1"] {
            assert_eq!(parse_position(json), Err(vec![Violation::NotWhole]), "{json}");
        }
    }
}
