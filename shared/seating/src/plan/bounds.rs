//! Bounds of a picture, and the size of its dots, in user coordinates.

use std::fmt::{self, Display, Formatter};

use super::rounded;
use crate::seat_map::{Seat, SeatMap};

/// Margin around the seats of a hall whose drawing has no bounds, as a share of their longer side.
const MARGIN: f64 = 0.1;
/// Longer side of a hall without seats, or with all seats at one point.
const POINT_SIDE: f64 = 100.0;
/// Space around the centre of a seat, in radii: the dot and its rim.
const AROUND_SEAT: f64 = 1.2;

/// Radius of a dot, as a share of the distance to the next.
const RADIUS_PER_SPACING: f64 = 0.43;
/// Maximum radius, as a share of the hall's longer side, so that a few seats are not huge.
const MAX_RADIUS: f64 = 1.0 / 50.0;
/// Minimum radius, likewise, so that dots can be seen.
const MIN_RADIUS: f64 = 1.0 / 2_000.0;
/// Number of seats that are compared with all seats of their area.
const SAMPLE_SIZE: usize = 64;
/// One of this many seats may have a closer neighbour than the dots are sized for.
const CROWDED: usize = 10;

/// Rectangle in user coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    pub fn width(self) -> f64 {
        self.right - self.left
    }

    pub fn height(self) -> f64 {
        self.bottom - self.top
    }

    fn longer_side(self) -> f64 {
        self.width().max(self.height())
    }

    /// Returns true if the centre of a seat is inside or on an edge.
    pub fn contains(self, seat: &Seat) -> bool {
        (self.left..=self.right).contains(&seat.cx.value()) && (self.top..=self.bottom).contains(&seat.cy.value())
    }

    pub fn attributes(self) -> String {
        let (x, y, width, height) = (self.left, self.top, self.width(), self.height());
        format!("x='{x}' y='{y}' width='{width}' height='{height}'")
    }

    fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn grown_by(self, by: f64) -> Self {
        Self { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }
}

/// Formats the rectangle as a `viewBox`.
impl Display for Rect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.left, self.top, self.width(), self.height())
    }
}

/// Returns the bounds of a hall, which contain its drawing and every seat, and the radius of its dots.
pub fn hall(drawing: Option<Rect>, seat_map: &SeatMap) -> (Rect, f64) {
    let seats = seat_map.areas().iter().flat_map(|area| &area.seats).map(|seat| {
        let (x, y) = (seat.cx.value(), seat.cy.value());
        Rect { left: x, top: y, right: x, bottom: y }
    });
    let seats = seats.reduce(Rect::union);
    let radius_of = |hall: Rect| {
        let side = hall.longer_side();
        rounded((spacing(seat_map) * RADIUS_PER_SPACING).clamp(side * MIN_RADIUS, side * MAX_RADIUS))
    };
    match (drawing, seats) {
        (Some(drawing), Some(seats)) => {
            let radius = radius_of(drawing.union(seats));
            (drawing.union(seats.grown_by(radius * AROUND_SEAT)), radius)
        }
        (Some(drawing), None) => (drawing, radius_of(drawing)),
        (None, seats) => {
            let seats = seats.unwrap_or(Rect { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 });
            let side = if seats.longer_side() > 0.0 { seats.longer_side() } else { POINT_SIDE };
            let hall = seats.grown_by(side * MARGIN);
            (hall, radius_of(hall))
        }
    }
}

/// Returns the distance that nearly all seats have to the next seat of their area.
///
/// It is infinite if no area has two seats.
fn spacing(seat_map: &SeatMap) -> f64 {
    let seats = || seat_map.areas().iter().flat_map(|area| area.seats.iter().map(|seat| (seat, &area.seats)));
    let sample = seats().step_by(seats().count().div_ceil(SAMPLE_SIZE).max(1));
    let mut distances: Vec<f64> = sample.map(|(seat, others)| nearest_distance(seat, others)).collect();
    distances.retain(|distance| distance.is_finite());
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / CROWDED).copied().unwrap_or(f64::INFINITY)
}

/// Returns the distance of a seat to the next of its area.
fn nearest_distance(seat: &Seat, seats: &[Seat]) -> f64 {
    let others = seats.iter().filter(|other| (other.row, other.number) != (seat.row, seat.number));
    let square = |other: &Seat| {
        let (x, y) = (other.cx.value() - seat.cx.value(), other.cy.value() - seat.cy.value());
        x * x + y * y
    };
    others.map(square).fold(f64::INFINITY, f64::min).sqrt()
}

#[cfg(test)]
mod tests {
    use domain::{coordinate::Coordinate, price::Price, text::Label};

    use super::*;
    use crate::{drawing::Drawing, seat_map::Area};

    const fn rect(left: f64, top: f64, right: f64, bottom: f64) -> Rect {
        Rect { left, top, right, bottom }
    }

    fn bounds_of(drawing: Option<Rect>, places: &[(f64, f64)]) -> Rect {
        let coordinate = Coordinate::from_stored;
        let seat = |(&(cx, cy), number)| Seat { cx: coordinate(cx), cy: coordinate(cy), row: 1, number, kind: None };
        let drawing_of_area = || Drawing::from_stored("/a.svg".to_owned());
        let area = Area {
            label: Label::from_stored("A".to_owned()),
            price: Price::from_stored(0),
            area_map: drawing_of_area(),
            seats: places.iter().zip(1..).map(seat).collect(),
        };
        hall(drawing, &SeatMap::new(drawing_of_area(), vec![area])).0
    }

    #[test]
    fn hall_without_drawing_has_margin() {
        for (places, bounds) in [
            (&[(10.0, 0.0), (30.0, 100.0)][..], rect(0.0, -10.0, 40.0, 110.0)),
            (&[(50.0, 50.0); 3], rect(40.0, 40.0, 60.0, 60.0)),
            (&[], rect(-10.0, -10.0, 10.0, 10.0)),
        ] {
            assert_eq!(bounds_of(None, places), bounds);
        }
    }

    #[test]
    fn drawing_is_widened_for_outer_seats() {
        let drawing = rect(0.0, 0.0, 1_000.0, 500.0);
        for (places, bounds) in [
            // The largest dots of this hall have a radius of 20, and 24 with their rims.
            (&[(24.0, 24.0), (976.0, 476.0)][..], drawing),
            (&[], drawing),
            (&[(20.0, 480.0)], rect(-4.0, 0.0, 1_000.0, 504.0)),
            // The dots add a fiftieth of 2,500, and the rims a fifth of that.
            (&[(-1_000.0, -200.0), (1_500.0, 10.0)], rect(-1_060.0, -260.0, 1_560.0, 500.0)),
        ] {
            assert_eq!(bounds_of(Some(drawing), places), bounds);
        }
    }
}
