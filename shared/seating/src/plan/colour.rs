//! Colours of prices.

use std::collections::BTreeMap;

use crate::seat_map::SeatMap;
use domain::price::Price;

pub const BACKGROUND: &str = "#ffffff";

/// Colours from the lowest price to the highest.
///
/// They get steadily darker for every kind of colour vision. Each has a contrast of at least 3 with the
/// background, as WCAG 2.1 requires for graphics (1.4.11).
const COLOURS: [&str; 9] =
    ["#0ba682", "#0b9594", "#0a84a6", "#2d6cc4", "#4f54e2", "#6e2fbc", "#8d0996", "#8b0663", "#880330"];

/// Prices that share a colour.
pub struct Band {
    pub lowest: Price,
    pub highest: Price,
    pub seats: usize,
    pub colour: &'static str,
}

/// Divides the prices of a hall into at most nine bands, from the lowest price to the highest.
pub fn bands(seat_map: &SeatMap) -> Vec<Band> {
    let mut seats_by_price = BTreeMap::new();
    for area in seat_map.areas() {
        *seats_by_price.entry(area.price).or_default() += area.seats.len();
    }
    let prices: Vec<(Price, usize)> = seats_by_price.into_iter().collect();
    let count = prices.len().min(COLOURS.len());
    let band = |index: usize| {
        let prices = &prices[index * prices.len() / count..(index + 1) * prices.len() / count];
        Band {
            lowest: prices[0].0,
            highest: prices[prices.len() - 1].0,
            seats: prices.iter().map(|(_, seats)| seats).sum(),
            colour: COLOURS[index * (COLOURS.len() - 1) / (count - 1).max(1)],
        }
    };
    (0..count).map(band).collect()
}

/// Returns the colour of a price.
pub fn of(price: Price, bands: &[Band]) -> &'static str {
    bands.iter().find(|band| price <= band.highest).map_or(COLOURS[0], |band| band.colour)
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
    fn colours_look_distinct() {
        // Well above the smallest noticeable difference, which is about 2.3.
        const MIN_DISTANCE: f64 = 6.0;
        for vision in VISIONS {
            let seen = COLOURS.map(|colour| lab(times(vision, linear(colour))));
            for (index, a) in seen.iter().enumerate() {
                for b in &seen[index + 1..] {
                    let distance: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
                    assert!(distance.sqrt() > MIN_DISTANCE, "{a:?} {b:?}");
                    assert!(a[0] > b[0], "the higher price is not darker");
                }
            }
        }
    }

    #[test]
    fn every_colour_has_contrast() {
        let background = luminance(linear(BACKGROUND));
        for colour in COLOURS {
            let contrast = (background + 0.05) / (luminance(linear(colour)) + 0.05);
            assert!(contrast >= 3.0, "{contrast}");
        }
    }
}
