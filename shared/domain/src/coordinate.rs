//! Coordinates of seats in a drawing.

use crate::{decimal::Decimal, violation::Violation};

/// A finite double of at most 1,000,000 in magnitude, never `-0`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Coordinate(f64);

impl Coordinate {
    /// Maximum magnitude.
    pub const MAX: f64 = 1e6;

    /// Parses a JSON number to the nearest double.
    ///
    /// # Errors
    ///
    /// Returns `OutOfRange` if the number exceeds a limit.
    pub fn parse(json: &str) -> Result<Self, Vec<Violation>> {
        json.parse::<f64>()
            .ok()
            .filter(|value| value.abs() < Self::MAX || is_limit(json))
            // Adding zero turns `-0` into `0`.
            .map(|value| Self(value + 0.0))
            .ok_or_else(|| vec![Violation::OutOfRange(-1_000_000..=1_000_000)])
    }

    /// Returns the coordinate as a double.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }

    /// Rebuilds a stored value without validating it.
    #[must_use]
    pub fn from_stored(value: f64) -> Self {
        Self(value)
    }
}

/// Returns true if a number is exactly a limit, not only rounded to it.
fn is_limit(json: &str) -> bool {
    Decimal::parse(json).and_then(|number| number.scaled(0)).is_some_and(|integer| integer.abs() == 1_000_000)
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
            assert_eq!(Coordinate::parse(json), Err(vec![Violation::OutOfRange(-1_000_000..=1_000_000)]), "{json}");
        }
    }
}
