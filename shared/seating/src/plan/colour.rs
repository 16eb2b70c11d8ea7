//! Colours of prices.

use std::collections::BTreeMap;

use crate::seat_map::SeatMap;
use domain::price::Price;

pub const BACKGROUND: &str = "#ffffff";

/// Colours from the lowest price to the highest, with interpolation between them.
///
/// They get steadily darker for every kind of colour vision. Each has a contrast of at least 3 with the
/// background, as WCAG 2.1 requires for graphics (1.4.11).
const RAMP: [[u8; 3]; 5] =
    [[0x0b, 0xa6, 0x82], [0x0a, 0x84, 0xa6], [0x4f, 0x54, 0xe2], [0x8d, 0x09, 0x96], [0x88, 0x03, 0x30]];

/// Prices of a hall with their colours.
pub struct Palette {
    entries: BTreeMap<Price, PriceColour>,
}

/// Colour of a price, and its number of seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceColour {
    pub seats: usize,
    /// Colour in SVG notation.
    pub colour: String,
}

impl Palette {
    pub fn new(seat_map: &SeatMap) -> Self {
        let mut entries = BTreeMap::new();
        for area in seat_map.areas() {
            let entry = entries.entry(area.price).or_insert(PriceColour { seats: 0, colour: String::new() });
            entry.seats += area.seats.len();
        }
        let count = entries.len();
        for (rank, entry) in entries.values_mut().enumerate() {
            entry.colour = colour(rank, count);
        }
        Self { entries }
    }

    pub fn colour(&self, price: Price) -> &str {
        self.entries.get(&price).map_or("", |entry| &entry.colour)
    }

    pub fn highest_first(&self) -> impl ExactSizeIterator<Item = (Price, &PriceColour)> {
        self.entries.iter().rev().map(|(&price, entry)| (price, entry))
    }
}

/// Returns the colour of a rank; the lowest price has rank 0.
fn colour(rank: usize, count: usize) -> String {
    // A single price has the middle colour.
    let (rank, last) = if count > 1 { (rank, count - 1) } else { (1, 2) };
    let steps = rank * (RAMP.len() - 1);
    let from = (steps / last).min(RAMP.len() - 2);
    let part = steps - from * last;
    let mix = |channel: usize| {
        let (a, b) = (usize::from(RAMP[from][channel]), usize::from(RAMP[from + 1][channel]));
        (a * (last - part) + b * part + last / 2) / last
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the linear light of a colour (IEC 61966-2-1).
    fn linear(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let encoded = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn times(matrix: [[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.1))
    }

    fn luminance([r, g, b]: [f64; 3]) -> f64 {
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Converts to CIE L*a*b*, in which equal distances look about equal.
    fn lab(linear: [f64; 3]) -> [f64; 3] {
        const XYZ: [[f64; 3]; 3] = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
        let [x, y, z] = times(XYZ, linear);
        let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let (x, y, z) = (f(x / 0.9505), f(y), f(z / 1.089));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Matrices of normal vision, and of vision without red, green or blue cones (Machado, Oliveira and
    /// Fernandes, 2009).
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
    ];

    #[test]
    fn eight_prices_look_distinct() {
        // About three times the smallest noticeable difference.
        const MIN_DISTANCE: f64 = 6.9;
        for count in 2..=8 {
            for vision in VISIONS {
                let seen: Vec<_> = (0..count).map(|rank| lab(times(vision, linear(&colour(rank, count))))).collect();
                for (index, a) in seen.iter().enumerate() {
                    for b in &seen[index + 1..] {
                        let distance: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
                        assert!(distance.sqrt() > MIN_DISTANCE, "{count} prices: {a:?} {b:?}");
                        assert!(a[0] > b[0], "the higher price is not darker");
                    }
                }
            }
        }
    }

    #[test]
    fn every_colour_has_contrast() {
        let background = luminance(linear(BACKGROUND));
        for count in [1, 2, 3, 8, 200] {
            for rank in 0..count {
                let contrast = (background + 0.05) / (luminance(linear(&colour(rank, count))) + 0.05);
                assert!(contrast >= 3.0, "{contrast}");
            }
        }
    }

    #[test]
    fn ramp_is_used_completely() {
        assert_eq!([colour(0, 3), colour(1, 3), colour(2, 3)], ["#0ba682", "#4f54e2", "#880330"]);
        assert_eq!(colour(0, 1), "#4f54e2");
        // This is halfway between the first two colours.
        assert_eq!(colour(1, 9), "#0b9594");
    }
}
