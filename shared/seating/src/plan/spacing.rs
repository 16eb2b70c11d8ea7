//! Size of the dots of a hall.

use crate::seat_map::{Seat, SeatMap};

/// Number of seats that are compared with all seats of their area, which takes most of the time.
const SAMPLE_SIZE: usize = 64;
/// One of this many seats may have a closer neighbour than the dots are sized for.
const CROWDED: usize = 10;
/// Radius of a dot, as a share of the distance to the next.
pub const RADIUS_PER_SPACING: f64 = 0.43;
/// Maximum radius, as a share of the hall's longer side, so that a few seats are not huge.
pub const MAX_RADIUS: f64 = 1.0 / 50.0;
/// Minimum radius, likewise: dots are a pixel wide if the hall is shown 300 pixels wide.
const MIN_RADIUS: f64 = 1.0 / 600.0;

/// Returns the distance that nearly all seats have to the next seat of their area.
///
/// It is infinite if no area has two seats.
pub fn spacing(seat_map: &SeatMap) -> f64 {
    let seats: usize = seat_map.areas().iter().map(|area| area.seats.len()).sum();
    let all = seat_map.areas().iter().flat_map(|area| (0..area.seats.len()).map(|index| (&*area.seats, index)));
    let sample = all.step_by(seats.div_ceil(SAMPLE_SIZE).max(1));
    let mut distances: Vec<f64> = sample.filter_map(|(seats, index)| nearest_distance(seats, index)).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / CROWDED).copied().unwrap_or(f64::INFINITY)
}

pub fn radius(spacing: f64, longer_side: f64) -> f64 {
    (spacing * RADIUS_PER_SPACING).clamp(longer_side * MIN_RADIUS, longer_side * MAX_RADIUS)
}

/// Returns the width of a dot's rim; the smallest dots have none, because it would make them pale.
pub fn rim(radius: f64, longer_side: f64) -> f64 {
    (radius - longer_side * MIN_RADIUS).max(0.0) / 6.0
}

/// Returns the distance of a seat to the next of its area, if there is another.
fn nearest_distance(seats: &[Seat], index: usize) -> Option<f64> {
    let (before, from) = seats.split_at(index);
    let (seat, after) = from.split_first()?;
    let square = nearest_square(before, seat).min(nearest_square(after, seat));
    square.is_finite().then(|| square.sqrt())
}

/// Returns the square of the distance to the nearest seat; computes it for several seats at once.
fn nearest_square(seats: &[Seat], to: &Seat) -> f64 {
    let (x, y) = (to.cx.value(), to.cy.value());
    let square = |seat: &Seat| {
        let (dx, dy) = (seat.cx.value() - x, seat.cy.value() - y);
        dx * dx + dy * dy
    };
    let (chunks, rest) = seats.as_chunks::<8>();
    let mut nearest = [f64::INFINITY; 8];
    for chunk in chunks {
        for (nearest, seat) in nearest.iter_mut().zip(chunk) {
            let square = square(seat);
            *nearest = if square < *nearest { square } else { *nearest };
        }
    }
    nearest.into_iter().chain(rest.iter().map(square)).fold(f64::INFINITY, f64::min)
}
