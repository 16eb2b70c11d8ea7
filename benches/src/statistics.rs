//! Statistics of repeated measurements.

use serde::{Deserialize, Serialize};

/// Median of measurements, and the range of their middle half.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quartiles {
    /// First quartile.
    pub lower: f64,
    /// Second quartile.
    pub median: f64,
    /// Third quartile.
    pub upper: f64,
}

impl Quartiles {
    /// Computes the quartiles, or zeros if there are no measurements.
    #[must_use]
    pub fn new(measurements: &[f64]) -> Self {
        let mut sorted = measurements.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |quarter: usize| {
            let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
            let (index, rest) = (last * quarter / 4, last * quarter % 4);
            let next = sorted[(index + 1).min(last)];
            sorted[index] + (next - sorted[index]) * [0.0, 0.25, 0.5, 0.75][rest]
        };
        Self { lower: at(1), median: at(2), upper: at(3) }
    }
}

/// Returns the exponent of the power between two points: 0 is constant, 1 is proportional.
#[must_use]
pub fn exponent((x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> f64 {
    (y1 / y0).ln() / (x1 / x0).ln()
}

/// Fits the exponent of a power to all points, by least squares of their logarithms.
#[must_use]
pub fn fitted_exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count: f64 = logs.iter().map(|_| 1.0).sum();
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), log| (x + log.0 / count, y + log.1 / count));
    let covariance: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let variance: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    covariance / variance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_interpolated() {
        let spread = Quartiles::new(&[5.0, 1.0, 3.0, 2.0, 4.0]);
        assert_eq!(spread, Quartiles { lower: 2.0, median: 3.0, upper: 4.0 });
        let spread = Quartiles::new(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!(spread, Quartiles { lower: 1.75, median: 2.5, upper: 3.25 });
    }

    #[test]
    fn one_or_no_value_has_quartiles() {
        assert_eq!(Quartiles::new(&[7.0]), Quartiles { lower: 7.0, median: 7.0, upper: 7.0 });
        assert_eq!(Quartiles::new(&[]), Quartiles { lower: 0.0, median: 0.0, upper: 0.0 });
    }

    #[test]
    fn exponent_matches_power() {
        assert!((exponent((2.0, 12.0), (4.0, 48.0)) - 2.0).abs() < 1e-12);
        let square: Vec<_> = [1.0, 2.0, 5.0].map(|x: f64| (x, 3.0 * x * x)).into();
        assert!((fitted_exponent(&square) - 2.0).abs() < 1e-12);
        assert!(fitted_exponent(&[(1.0, 4.0), (10.0, 4.0), (100.0, 4.0)]).abs() < 1e-12);
    }
}
