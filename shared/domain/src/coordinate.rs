//! Places of seats in a drawing.

use crate::{decimal::Decimal, violation::Violation};

/// A coordinate: a finite double of at most 1,000,000 in magnitude, never `-0`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Coordinate(f64);

impl Coordinate {
    /// The largest magnitude.
    pub const MAX: f64 = 1e6;

    /// Takes a number in JSON notation and keeps the nearest double.
    ///
    /// # Errors
    ///
    /// `OutOfRange` beyond the limits.
    pub fn parse(json: &str) -> Result<Self, Vec<Violation>> {
        json.parse::<f64>()
            .ok()
            .filter(|value| value.abs() < Self::MAX || is_limit(json))
            // Adding zero makes the two zeros one.
            .map(|value| Self(value + 0.0))
            .ok_or_else(|| vec![Violation::OutOfRange(-1_000_000..=1_000_000)])
    }

    /// The coordinate as a double.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }

    /// Takes a value that was stored, without checking it.
    #[must_use]
    pub fn from_stored(value: f64) -> Self {
        Self(value)
    }
}

/// Whether a number that rounds to a limit is exactly at it.
fn is_limit(json: &str) -> bool {
    Decimal::parse(json).and_then(|number| number.scaled(0)).is_some_and(|whole| whole.abs() == 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_double_is_kept() {
        for (json, value) in
            [("120.5", 120.5), ("-0", 0.0), ("1e-7", 1e-7), ("0.1", 0.1), ("1e6", 1e6), ("-1000000", -1e6)]
        {
            let parsed = Coordinate::parse(json).unwrap().value();
            assert_eq!(parsed.to_bits(), f64::to_bits(value), "{json}");
        }
    }

    #[test]
    fn magnitude_over_a_million_is_rejected() {
        for json in ["1000000.0000001", "1000000.00000000000001", "-1000001", "1e7", "1e400", "-1e400"] {
            assert_eq!(
                Coordinate::parse(json),
                Err(vec![Violation::OutOfRange(-1_000_000..=1_000_000)]),
                "{json}"
            );
        }
    }
}
