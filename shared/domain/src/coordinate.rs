//! Coordinates of seats in a drawing.

use serde::{Serialize, Serializer};

use crate::{decimal::Decimal, described, violation::Violation};

/// A finite double of at most 1,000,000 in magnitude, never `-0`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Coordinate(f64);

described!(Coordinate as "Coordinate", {
    "description": "In the coordinates of `totalMap`.",
    "type": "number",
    "minimum": -Self::MAX,
    "maximum": Self::MAX,
});

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

    /// Appends the shortest JSON number that parses to the same double.
    pub fn write_to(self, json: &mut String) {
        if self.0.fract() == 0.0 {
            #[expect(clippy::cast_possible_truncation, reason = "a coordinate is at most a million")]
            json.push_str(itoa::Buffer::new().format(self.0 as i64));
        } else {
            json.push_str(zmij::Buffer::new().format_finite(self.0));
        }
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

impl Serialize for Coordinate {
    /// Serializes the shortest JSON number that parses to the same double: `12`, not `12.0`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            #[expect(clippy::cast_possible_truncation, reason = "a coordinate is at most a million")]
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
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
        for (json, value) in [("120.5", 120.5), ("-0", 0.0), ("1e-7", 1e-7), ("1e6", 1e6), ("-1000000", -1e6)] {
            let parsed = Coordinate::parse(json).unwrap().value();
            assert_eq!(parsed.to_bits(), f64::to_bits(value), "{json}");
        }
    }

    #[test]
    fn shortest_number_is_written() {
        for (double, expected) in [(0.0, "0"), (-12.0, "-12"), (120.5, "120.5"), (0.1, "0.1"), (-1e-7, "-1e-7")] {
            let mut json = String::new();
            Coordinate::from_stored(double).write_to(&mut json);
            assert_eq!(json, expected);
        }
    }

    #[test]
    fn magnitude_over_a_million_is_rejected() {
        for json in ["1000000.00000000000001", "-1000001", "1e7", "-1e400"] {
            assert_eq!(Coordinate::parse(json), Err(vec![Violation::OutOfRange(-1_000_000..=1_000_000)]), "{json}");
        }
    }
}
