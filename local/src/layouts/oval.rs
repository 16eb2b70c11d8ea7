//! Tiers of straight sections around a superellipse.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::{
    Seat,
    block::{AISLE, Block, MARGIN, STEP, seat_offsets},
};

/// Superellipse: its centre, half its width and half its height; with power 2 it is an ellipse.
pub struct Oval {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub power: f64,
}

/// Ring of sections around an oval: its floor, the distance between seats, its rows, and the distance
/// of its first row from the oval.
pub struct Tier {
    pub floor: u32,
    pub pitch: f64,
    pub rows: u32,
    pub front: f64,
    pub sections: u32,
}

/// Point near an oval, and its outward normal of length 1.
#[derive(Clone, Copy)]
struct CurvePoint {
    x: f64,
    y: f64,
    out: (f64, f64),
}

impl Oval {
    /// Builds the sections of a tier, clockwise from the top.
    ///
    /// The price depends on the direction of a section; a section without a price is omitted.
    pub fn tier(&self, tier: &Tier, price: impl Fn((f64, f64)) -> Option<u64>) -> Vec<Block> {
        let middle = tier.front + tier.half_depth();
        self.curve_points(middle, 2 * tier.sections)
            .array_windows()
            .step_by(2)
            .filter_map(|[from, centre, to]| Some((from, centre, to, price(centre.out)?)))
            .zip(1..)
            .map(|((from, centre, to, price), number)| {
                tier.section(100 * tier.floor + number, price, [from, centre, to])
            })
            .collect()
    }

    /// Returns evenly spaced points on the curve at a distance outside the oval.
    ///
    /// They run clockwise from the top, and the first point is repeated at the end.
    fn curve_points(&self, distance: f64, count: u32) -> Vec<CurvePoint> {
        const SAMPLES: u32 = 7200;
        let curve: Vec<CurvePoint> = (0..=SAMPLES)
            .map(|n| self.curve_point(TAU * f64::from(n) / f64::from(SAMPLES) - FRAC_PI_2, distance))
            .collect();
        let mut length = 0.0;
        let mut lengths = vec![length];
        for [a, b] in curve.array_windows() {
            length += (b.x - a.x).hypot(b.y - a.y);
            lengths.push(length);
        }
        (0..=count)
            .map(|n| length * f64::from(n) / f64::from(count))
            .map(|reach| lengths.partition_point(|length| *length < reach))
            .map(|index| curve[index.min(curve.len() - 1)])
            .collect()
    }

    fn curve_point(&self, angle: f64, distance: f64) -> CurvePoint {
        let (sin, cos) = angle.sin_cos();
        let (x, y) = (cos / self.width, sin / self.height);
        let radius = (x.abs().powf(self.power) + y.abs().powf(self.power)).powf(-1.0 / self.power);
        let slope = |part: f64, half: f64| part.signum() * (radius * part).abs().powf(self.power - 1.0) / half;
        let (dx, dy) = (slope(x, self.width), slope(y, self.height));
        let out = (dx / dx.hypot(dy), dy / dx.hypot(dy));
        CurvePoint { x: self.x + radius * cos + distance * out.0, y: self.y + radius * sin + distance * out.1, out }
    }
}

impl Tier {
    fn step(&self) -> f64 {
        self.pitch * STEP
    }

    /// Half the distance between the first row and the last.
    fn half_depth(&self) -> f64 {
        f64::from(self.rows - 1) * self.step() / 2.0
    }

    /// Builds straight rows between two points, perpendicular to the normal of the centre point.
    ///
    /// The centre point lies halfway between the first row and the last.
    fn section(&self, number: u32, price: u64, [from, centre, to]: [&CurvePoint; 3]) -> Block {
        let (ox, oy) = centre.out;
        let point = |along: f64, depth: f64| (centre.x - along * oy + depth * ox, centre.y + along * ox + depth * oy);
        let edge = |curve_point: &CurvePoint, depth: f64| {
            let (dx, dy) = (curve_point.x - centre.x, curve_point.y - centre.y);
            let (mx, my) = curve_point.out;
            let reach = (depth - dx * ox - dy * oy) / (mx * ox + my * oy);
            (dy + reach * my) * ox - (dx + reach * mx) * oy
        };

        let mut seats = Vec::new();
        for row in 1..=self.rows {
            let depth = f64::from(row - 1) * self.step() - self.half_depth();
            let (left, right) = (edge(from, depth), edge(to, depth));
            let places = seat_offsets(self.pitch, right - left - AISLE * self.pitch);
            for (along, number) in places.zip(1..) {
                let (cx, cy) = point(f64::midpoint(left, right) + along, depth);
                seats.push(Seat { cx, cy, row, number, kind: None });
            }
        }

        let far = self.half_depth() + MARGIN * self.pitch;
        let inset = (AISLE / 2.0 - MARGIN) * self.pitch;
        let font_size = 2.0 * self.pitch;
        let corners = [
            (edge(from, -far) + inset, -far),
            (edge(to, -far) - inset, -far),
            (edge(to, far) - inset, far),
            (edge(from, far) + inset, far),
        ]
        .map(|(along, depth)| point(along, depth))
        .map(|(x, y)| format!("{x:.1} {y:.1}"));
        Block {
            label: number.to_string(),
            price,
            outline: format!("M{}Z", corners.join("L")),
            // To the left or right of a section the label needs more room than above or below it.
            label_at: point(0.0, far + font_size * (0.75 + 0.6 * ox.abs())),
            font_size,
            seats,
        }
    }
}
