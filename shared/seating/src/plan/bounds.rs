//! Bounds of a picture in user coordinates.

use std::fmt::{self, Display, Formatter};

use super::{markup::Shortest, spacing::radius};
use crate::seat_map::{Seat, SeatMap};

/// Margin around the seats of a hall whose drawing has no bounds, as a share of their longer side.
const MARGIN: f64 = 0.1;
/// Space around the centre of a seat, in radii: the dot and its rim.
const AROUND_SEAT: f64 = 1.2;
/// Longer side of a hall without seats, or with all seats at one point.
const POINT_SIDE: f64 = 100.0;
/// Minimum side, as a share of the largest coordinate: browsers compute with seven digits.
const MIN_SIDE: f64 = 1e-4;
/// Minimum of the shorter side of a hall, as a share of the longer.
const MIN_ASPECT: f64 = 0.25;

/// Rectangle in user coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    fn from_edges(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        Self { x: left, y: top, width: right - left, height: bottom - top }
    }

    pub fn longer_side(self) -> f64 {
        self.width.max(self.height)
    }

    pub fn bottom(self) -> f64 {
        self.y + self.height
    }

    /// Returns true if the centre of a seat is inside or on an edge.
    pub fn contains(self, seat: &Seat) -> bool {
        let (x, y) = (seat.cx.value(), seat.cy.value());
        (self.x..=self.x + self.width).contains(&x) && (self.y..=self.bottom()).contains(&y)
    }

    pub fn attributes(self) -> String {
        let Self { x, y, width, height } = self;
        let [x, y, width, height] = [x, y, width, height].map(Shortest);
        format!("x='{x}' y='{y}' width='{width}' height='{height}'")
    }

    fn union(self, other: Self) -> Self {
        let right = (self.x + self.width).max(other.x + other.width);
        Self::from_edges(self.x.min(other.x), self.y.min(other.y), right, self.bottom().max(other.bottom()))
    }

    fn grown_by(self, by: f64) -> Self {
        Self::from_edges(self.x - by, self.y - by, self.x + self.width + by, self.bottom() + by)
    }

    /// Extends opposite sides equally, up to a minimum width and height.
    fn widened_to(self, width: f64, height: f64) -> Self {
        let (wider, higher) = ((width - self.width).max(0.0), (height - self.height).max(0.0));
        Self {
            x: self.x - wider / 2.0,
            y: self.y - higher / 2.0,
            width: self.width + wider,
            height: self.height + higher,
        }
    }

    /// Moves the edges outwards, to numbers of about four digits.
    fn rounded_outwards(self) -> Self {
        // Larger powers of ten are infinite.
        let decimals = (3.0 - self.longer_side().log10().floor()).clamp(0.0, 300.0);
        #[expect(clippy::cast_possible_truncation, reason = "at most 300")]
        let power = 10_f64.powi(decimals as i32);
        let out = |low: f64, length: f64| {
            let (from, to) = ((low * power).floor(), ((low + length) * power).ceil());
            (from / power, (to - from) / power)
        };
        let ((x, width), (y, height)) = (out(self.x, self.width), out(self.y, self.height));
        Self { x, y, width, height }
    }
}

/// Formats the rectangle as a `viewBox`.
impl Display for Rect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [x, y, width, height] = [self.x, self.y, self.width, self.height].map(Shortest);
        write!(f, "{x} {y} {width} {height}")
    }
}

/// Returns the bounds of a hall: those of its drawing, if it has any, and of every seat.
///
/// If all dots are inside the drawing, its bounds are returned unchanged. `spacing` is that of the seats.
pub fn hall(drawing: Option<Rect>, seat_map: &SeatMap, spacing: f64) -> Rect {
    let seats = extent(seat_map);
    let Some(drawing) = drawing else {
        let seats = seats.unwrap_or(Rect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 });
        // This matters only if the seats are so close that all are about equally far from the origin.
        let farthest = seats.x.abs().max(seats.y.abs());
        let side = if seats.longer_side() > 0.0 { seats.longer_side() } else { POINT_SIDE };
        let side = side.max(farthest * MIN_SIDE);
        let hall = seats.widened_to(side, side * MIN_ASPECT);
        let hall = if seats.height > seats.width { seats.widened_to(side * MIN_ASPECT, side) } else { hall };
        return hall.grown_by(side * MARGIN).rounded_outwards();
    };
    let Some(seats) = seats else { return drawing };
    let side = drawing.union(seats).longer_side();
    let hall = drawing.union(seats.grown_by(radius(spacing, side) * AROUND_SEAT));
    if hall == drawing { hall } else { hall.rounded_outwards() }
}

/// Returns the smallest rectangle that contains every seat's centre.
fn extent(seat_map: &SeatMap) -> Option<Rect> {
    let mut seats = seat_map.areas().iter().flat_map(|area| &area.seats);
    let first = seats.next()?;
    let (x, y) = (first.cx.value(), first.cy.value());
    let (mut left, mut top, mut right, mut bottom) = (x, y, x, y);
    for seat in seats {
        let (x, y) = (seat.cx.value(), seat.cy.value());
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    Some(Rect::from_edges(left, top, right, bottom))
}

#[cfg(test)]
mod tests {
    use domain::{coordinate::Coordinate, price::Price, text::Label};

    use super::*;
    use crate::{drawing::Drawing, seat_map::Area};

    const fn rect(x: f64, y: f64, width: f64, height: f64) -> Rect {
        Rect { x, y, width, height }
    }

    fn seats_at(places: &[(f64, f64)]) -> SeatMap {
        let seat = |&(cx, cy): &(f64, f64)| Seat {
            cx: Coordinate::from_stored(cx),
            cy: Coordinate::from_stored(cy),
            row: 1,
            number: 1,
        };
        let drawing = || Drawing::parse("/a.svg").unwrap().0;
        let area = Area {
            label: Label::parse("A").unwrap(),
            price: Price::parse("1000").unwrap(),
            area_map: drawing(),
            seats: places.iter().map(seat).collect(),
        };
        SeatMap::from_stored(drawing(), vec![area])
    }

    fn bounds_of(places: &[(f64, f64)]) -> Rect {
        hall(None, &seats_at(places), f64::INFINITY)
    }

    #[test]
    fn hall_without_drawing_has_tenth_margin() {
        assert_eq!(bounds_of(&[(10.0, 0.0), (30.0, 100.0)]), rect(10.0 - 2.5 - 10.0, -10.0, 25.0 + 20.0, 120.0));
        assert_eq!(bounds_of(&[(0.0, 0.0), (100.0, 60.0)]), rect(-10.0, -10.0, 120.0, 80.0));
    }

    #[test]
    fn flat_hall_is_widened_to_quarter() {
        assert_eq!(bounds_of(&[(0.0, 0.0), (100.0, 0.0)]), rect(-10.0, -12.5 - 10.0, 120.0, 25.0 + 20.0));
        assert_eq!(bounds_of(&[(0.0, 8.0), (0.0, 108.0)]), rect(-12.5 - 10.0, -2.0, 25.0 + 20.0, 120.0));
        assert_eq!(bounds_of(&[(0.0, 0.0), (100.0, 10.0)]), rect(-10.0, 5.0 - 12.5 - 10.0, 120.0, 45.0));
    }

    #[test]
    fn hall_without_extent_is_100_long() {
        assert_eq!(bounds_of(&[(50.0, 50.0); 3]), rect(-10.0, 50.0 - 12.5 - 10.0, 120.0, 45.0));
        assert_eq!(bounds_of(&[]), rect(-60.0, -12.5 - 10.0, 120.0, 45.0));
    }

    #[test]
    fn distant_hall_keeps_minimum_size() {
        // The side is a ten thousandth of two million, and the margin a tenth of the side.
        for (x, y) in [(2e6, 0.0), (-2e6, 0.0)] {
            assert_eq!(bounds_of(&[(x, y), (x, y)]), rect(x - 120.0, y - 25.0 - 20.0, 240.0, 90.0), "{x} {y}");
        }
        assert_eq!(bounds_of(&[(0.0, 2e6), (0.0, 2e6)]), rect(-120.0, 2e6 - 25.0 - 20.0, 240.0, 90.0));
        assert_eq!(bounds_of(&[(0.0, -2e6), (0.0, -2e6)]), rect(-120.0, -2e6 - 25.0 - 20.0, 240.0, 90.0));
    }

    #[test]
    fn drawing_is_widened_for_outer_seats() {
        let drawing = rect(0.0, 0.0, 1_000.0, 500.0);
        // The largest dots of this hall have a radius of 20, and 24 with their rims.
        assert_eq!(hall(Some(drawing), &seats_at(&[(24.0, 24.0), (976.0, 476.0)]), 1e9), drawing);
        assert_eq!(hall(Some(drawing), &seats_at(&[]), 1e9), drawing);
        let odd = rect(0.0, 0.0, 1_000.123, 500.0);
        assert_eq!(hall(Some(odd), &seats_at(&[(500.0, 250.0)]), 1e9), odd);
        assert_eq!(hall(Some(odd), &seats_at(&[(20.0, 250.0)]), 1e9), rect(-5.0, 0.0, 1_006.0, 500.0));
        let widened = hall(Some(drawing), &seats_at(&[(20.0, 480.0)]), 1e9);
        assert_eq!(widened, rect(-4.0, 0.0, 1_004.0, 504.0));
        let beyond = hall(Some(drawing), &seats_at(&[(-1_000.0, -200.0), (1_500.0, 10.0)]), 1e9);
        // The dots add a fiftieth of 2,500, and the rims a fifth of that.
        assert_eq!(beyond, rect(-1_060.0, -260.0, 2_620.0, 760.0));
    }

    #[test]
    fn edges_round_outwards() {
        assert_eq!(rect(0.123_49, -1.000_1, 9.0, 1.0).rounded_outwards(), rect(0.123, -1.001, 9.001, 1.001));
        assert_eq!(rect(12.37, 0.0, 1_234.0, 99.5).rounded_outwards(), rect(12.0, 0.0, 1_235.0, 100.0));
        assert_eq!(rect(12.37, 0.0, 123_456.7, 99.5).rounded_outwards(), rect(12.0, 0.0, 123_458.0, 100.0));
        assert!((1e-301..1e-299).contains(&rect(0.0, 0.0, 2e-320, 1e-320).rounded_outwards().width));
    }

    #[test]
    fn edges_contain_seats() {
        let map = seats_at(&[(10.0, 20.0), (40.0, 60.0), (9.9, 20.0), (40.1, 60.0), (10.0, 19.9), (40.0, 60.1)]);
        let contained: Vec<_> =
            map.areas()[0].seats.iter().map(|seat| rect(10.0, 20.0, 30.0, 40.0).contains(seat)).collect();
        assert_eq!(contained, [true, true, false, false, false, false]);
    }
}
