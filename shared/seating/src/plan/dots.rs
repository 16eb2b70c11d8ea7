//! Seats of a large hall, as dots in few paths.
//!
//! A line of no length with round caps is a dot. Its place is a whole number of steps from the corner of the hall, and
//! a step is a fraction of a dot. So a seat takes about ten bytes, and the picture of the largest hall has a few
//! hundred elements. A wheelchair place is a square dot with a white one in it.

use super::{
    area_start,
    bounds::Rect,
    colour::{self, Band},
    push, rounded, wheelchair,
};
use crate::seat_map::{Seat, SeatMap};
use domain::seat_kind::SeatKind;

/// Number of steps in the radius of a dot.
const STEPS: f64 = 10.0;

/// Maximum number of dots in a path; browsers draw a path again as a whole.
const DOTS_PER_PATH: usize = 1_000;

/// Draws a group for each area: a title and the dots of its seats, in the colour of its price.
pub fn draw(seat_map: &SeatMap, bands: &[Band], hall: Rect, radius: f64) -> String {
    let step = rounded(radius / STEPS);
    #[expect(clippy::cast_possible_truncation, reason = "a hall is at most 20,000 steps long")]
    let steps = |length: f64| (length / step).round() as i64;
    let mut svg = format!(
        "<g transform='translate({} {}) scale({step})' fill='none' stroke-width='{}' stroke-linecap='round'>",
        hall.left,
        hall.top,
        2.0 * STEPS,
    );
    let paths = |attributes: &str, seats: &[&Seat], svg: &mut String| {
        for seats in seats.chunks(DOTS_PER_PATH) {
            push(svg, format_args!("<path{attributes} d='"));
            let (mut x, mut y) = (0, 0);
            for seat in seats {
                let (from_x, from_y) = (x, y);
                (x, y) = (steps(seat.cx.value() - hall.left), steps(seat.cy.value() - hall.top));
                // The first place of a path is absolute.
                push(svg, format_args!("m{} {}h0", x - from_x, y - from_y));
            }
            svg.push_str("'/>");
        }
    };
    for area in seat_map.areas() {
        svg.push_str(&area_start("stroke", area, bands));
        let is_wheelchair = |seat: &&Seat| seat.kind == Some(SeatKind::Wheelchair);
        let (wheelchairs, others): (Vec<_>, Vec<_>) = area.seats.iter().partition(is_wheelchair);
        paths("", &others, &mut svg);
        paths(" stroke-linecap='square'", &wheelchairs, &mut svg);
        paths(
            &format!(" stroke='{}' stroke-width='{}'", colour::BACKGROUND, 2.0 * STEPS * wheelchair::RING),
            &wheelchairs,
            &mut svg,
        );
        svg.push_str("</g>");
    }
    svg + "</g>"
}
