//! Seats of a large hall, as dots in few paths.
//!
//! A line of no length with round caps is a dot. Its place is a whole number of steps from the corner of the hall, and a
//! step is a fraction of a dot. So a seat takes about ten bytes, and the picture of the largest hall has a few hundred
//! elements.

use super::{
    bounds::Rect,
    colour::Palette,
    markup::{Escaped, Shortest, rounded},
    push,
    spacing::{MAX_RADIUS, RADIUS_PER_SPACING},
    won,
};
use crate::seat_map::{Area, Seat, SeatMap};

/// Minimum radius of a dot, as a share of the hall's longer side.
///
/// Smaller than that of a circle, so that the dots of a stadium remain separate in an enlarged picture.
const MIN_RADIUS: f64 = 1.0 / 2_000.0;

/// Number of steps in the radius of a dot.
const STEPS: f64 = 10.0;

/// Maximum number of dots in a path; browsers draw a path again as a whole.
const DOTS_PER_PATH: usize = 1_000;

pub struct Dots {
    hall: Rect,
    /// Length of a step in user coordinates.
    step: f64,
}

impl Dots {
    pub fn new(hall: Rect, spacing: f64) -> Self {
        let side = hall.longer_side();
        let radius = (spacing * RADIUS_PER_SPACING).clamp(side * MIN_RADIUS, side * MAX_RADIUS);
        Self { hall, step: rounded(radius / STEPS) }
    }

    /// Writes a group for each area: a title and the dots of its seats, in the colour of its price.
    pub fn write(&self, svg: &mut String, seat_map: &SeatMap, palette: &Palette) {
        let [x, y, step, width] = [self.hall.x, self.hall.y, self.step, 2.0 * STEPS].map(Shortest);
        push(
            svg,
            format_args!(
                "<g transform='translate({x} {y}) scale({step})' fill='none' stroke-width='{width}' \
                 stroke-linecap='round'>"
            ),
        );
        for area in seat_map.areas() {
            self.write_area(svg, area, palette.colour(area.price));
        }
        svg.push_str("</g>");
    }

    fn write_area(&self, svg: &mut String, area: &Area, colour: &str) {
        let (label, price) = (Escaped(area.label.as_str()), won(area.price));
        push(svg, format_args!("<g class='area' stroke='{colour}'><title>{label} {price}</title>"));
        for seats in area.seats.chunks(DOTS_PER_PATH) {
            svg.push_str("<path d='M");
            let mut previous = (0, 0);
            for (index, seat) in seats.iter().enumerate() {
                let (x, y) = self.place(seat);
                let separator = if index == 0 { "" } else { "m" };
                push(svg, format_args!("{separator}{} {}h0", x - previous.0, y - previous.1));
                previous = (x, y);
            }
            svg.push_str("'/>");
        }
        svg.push_str("</g>");
    }

    /// Returns the place of a seat in steps.
    fn place(&self, seat: &Seat) -> (i64, i64) {
        #[expect(clippy::cast_possible_truncation, reason = "a hall is at most 20,000 steps long")]
        let steps = |length: f64| (length / self.step).round() as i64;
        (steps(seat.cx.value() - self.hall.x), steps(seat.cy.value() - self.hall.y))
    }
}
