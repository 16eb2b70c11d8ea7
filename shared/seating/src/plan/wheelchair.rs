//! Sign of wheelchair places in a picture: a square with a ring, which differs from a seat without its colour.

use super::{colour, rounded};
use crate::seat_map::SeatMap;
use domain::seat_kind::SeatKind;

/// Start of a place before its `x`, and between `x` and `y`.
pub const PLACE: [&str; 2] = ["<use href='#wheelchair' x='", "' y='"];

/// Radius of the ring, as a share of the radius of a seat.
pub const RING: f64 = 0.5;
/// Width of the ring, likewise.
const RING_WIDTH: f64 = 0.3;

/// Returns the number of wheelchair places.
pub fn count(seat_map: &SeatMap) -> usize {
    let seats = seat_map.areas().iter().flat_map(|area| &area.seats);
    seats.filter(|seat| seat.kind == Some(SeatKind::Wheelchair)).count()
}

/// Returns the definition of the sign, around its centre.
pub fn definition(radius: f64) -> String {
    format!("<defs><g id='wheelchair'>{}</g></defs>", draw(radius, 0.0, 0.0))
}

/// Draws the sign in the colour that its group has, with its centre at `x` and `y`.
pub fn draw(radius: f64, x: f64, y: f64) -> String {
    let [side, ring, width] = [2.0 * radius, radius * RING, radius * RING_WIDTH].map(rounded);
    format!(
        "<rect x='{}' y='{}' width='{side}' height='{side}'/>\
         <circle cx='{x}' cy='{y}' r='{ring}' fill='none' stroke='{}' stroke-width='{width}'/>",
        x - radius,
        y - radius,
        colour::BACKGROUND,
    )
}
