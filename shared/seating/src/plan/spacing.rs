//! How large the dots of a hall are.

use crate::seat_map::{Area, Seat, SeatMap};

/// How many seats are looked at; comparing each with all of its area takes the time.
const SAMPLE: usize = 64;
/// One of so many seats may have a closer neighbour than the dots are sized for.
const CROWDED: usize = 10;
/// A dot's radius as a share of the distance to the next.
const FILL: f64 = 0.43;
/// The largest dots, as a share of the hall's longer side; a few seats are no balloons.
const LARGEST: f64 = 1.0 / 50.0;
/// The smallest dots: a pixel wide where the hall is shown 300 pixels wide.
const SMALLEST: f64 = 1.0 / 600.0;

/// The distance to the next seat of the same area that nearly all seats of a hall keep;
/// infinite where no area has two.
pub fn spacing(seat_map: &SeatMap) -> f64 {
    let seats: usize = seat_map.areas().iter().map(|area| area.seats.len()).sum();
    let all = seat_map.areas().iter().flat_map(|area| area.seats.iter().map(move |seat| (area, seat)));
    let sample = all.step_by(seats.div_ceil(SAMPLE).max(1));
    let mut distances: Vec<f64> = sample.filter_map(|(area, seat)| nearest(area, seat)).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / CROWDED).copied().unwrap_or(f64::INFINITY)
}

/// The radius of every dot of a hall with this spacing and longer side.
pub fn radius(spacing: f64, longer_side: f64) -> f64 {
    (spacing * FILL).clamp(longer_side * SMALLEST, longer_side * LARGEST)
}

/// How wide the rim of a dot is; the smallest dots have none, as it would pale them.
pub fn rim(radius: f64, longer_side: f64) -> f64 {
    (radius - longer_side * SMALLEST).max(0.0) / 6.0
}

/// The distance to the next seat of the area, where there is another.
fn nearest(area: &Area, seat: &Seat) -> Option<f64> {
    let (x, y) = (seat.cx.value(), seat.cy.value());
    let mut least = f64::INFINITY;
    for other in &area.seats {
        let (dx, dy) = (other.cx.value() - x, other.cy.value() - y);
        if !std::ptr::eq(other, seat) {
            least = least.min(dx * dx + dy * dy);
        }
    }
    least.is_finite().then(|| least.sqrt())
}
