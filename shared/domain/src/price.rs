//! Prices of seats.

use std::fmt;

use serde::{Serialize, Serializer, ser};
use serde_json::value::RawValue;

use crate::{decimal, described, violation::Violation};

/// A price of 0 to 1,000,000,000 with at most two decimals, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price {
    hundredths: u64,
}

described!(Price as "Price", {
    "description": "Exact, with at most two decimals.",
    "type": "number",
    "minimum": 0,
    "maximum": Self::MAX.hundredths / 100,
    "multipleOf": 0.01,
});

impl Price {
    /// Maximum price.
    pub const MAX: Self = Self { hundredths: 1_000_000_000 * 100 };

    /// Parses a JSON number.
    ///
    /// # Errors
    ///
    /// Returns `TooManyDecimals` if there are more than two decimals, `OutOfRange` if the price exceeds a limit,
    /// or both.
    pub fn parse(json: &str) -> Result<Self, Vec<Violation>> {
        decimal::parse_within(json, 2, 0..=1_000_000_000).map(Self::from_stored)
    }

    /// Returns the price in hundredths.
    #[must_use]
    pub fn hundredths(self) -> u64 {
        self.hundredths
    }

    /// Rebuilds a stored value without validating it.
    #[must_use]
    pub const fn from_stored(hundredths: u64) -> Self {
        Self { hundredths }
    }
}

/// Writes the shortest JSON number: `50000`, `99.5`, `0.01`.
impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.hundredths / 100, self.hundredths % 100);
        match rest {
            0 => write!(f, "{whole}"),
            tenths if tenths % 10 == 0 => write!(f, "{whole}.{}", tenths / 10),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl Serialize for Price {
    /// Serializes the shortest JSON number, which a float could not always express.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string()).map_err(ser::Error::custom)?.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn price_is_printed_in_shortest_form() {
        for (input, printed) in [
            ("5e4", "50000"),
            ("-0", "0"),
            ("99.50", "99.5"),
            ("0.07", "0.07"),
            ("1000000000", "1000000000"),
            ("999999999.99", "999999999.99"),
        ] {
            assert_eq!(Price::parse(input).unwrap().to_string(), printed);
        }
    }

    #[test]
    fn invalid_price_breaks_rules() {
        let (decimals, range) = (Violation::TooManyDecimals(2), Violation::OutOfRange(0..=1_000_000_000));
        for json in ["-0.01", "1000000000.01", "1e400", "123456789012345678901234567890123"] {
            assert_eq!(Price::parse(json), Err(vec![range.clone()]), "{json}");
        }
        for json in ["0.001", "1e-400", "0.1234567890123456789012345678901234567890"] {
            assert_eq!(Price::parse(json), Err(vec![decimals.clone()]), "{json}");
        }
        assert_eq!(Price::parse("-0.001"), Err(vec![decimals, range]));
    }
}
