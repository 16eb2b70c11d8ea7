//! Prices of seats.

use std::fmt;

use crate::{decimal, violation::Violation};

/// A price of 0 to 1,000,000,000 with at most two decimals, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price {
    hundredths: u64,
}

impl Price {
    /// The highest price.
    pub const MAX: Self = Self { hundredths: 1_000_000_000 * 100 };

    /// Takes a number in JSON notation.
    ///
    /// # Errors
    ///
    /// `TooPrecise` with over two decimals, `OutOfRange` beyond the limits.
    pub fn parse(json: &str) -> Result<Self, Vec<Violation>> {
        decimal::parse_within(json, 2, 0..=1_000_000_000).map(Self::stored)
    }

    /// The price in hundredths.
    #[must_use]
    pub fn hundredths(self) -> u64 {
        self.hundredths
    }

    /// Takes a value that was stored, without checking it.
    #[must_use]
    pub fn stored(hundredths: u64) -> Self {
        Self { hundredths }
    }
}

/// The shortest JSON number: `50000`, `99.5`, `0.01`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_come_back_shortest() {
        for (sent, back) in [
            ("50000", "50000"),
            ("50000.0", "50000"),
            ("5e4", "50000"),
            ("-0", "0"),
            ("99.50", "99.5"),
            ("0.01", "0.01"),
            ("0.07", "0.07"),
            ("1000000000", "1000000000"),
            ("999999999.99", "999999999.99"),
        ] {
            assert_eq!(Price::parse(sent).unwrap().to_string(), back);
        }
    }

    #[test]
    fn prices_beyond_the_limits_are_refused() {
        let out_of_range = Err(vec![Violation::OutOfRange(0..=1_000_000_000)]);
        for json in
            ["-0.01", "-1", "1000000000.01", "1000000001", "1e400", "123456789012345678901234567890123"]
        {
            assert_eq!(Price::parse(json), out_of_range, "{json}");
        }
    }

    #[test]
    fn a_price_that_is_wrong_twice_breaks_both_rules() {
        let both = Err(vec![Violation::TooPrecise(2), Violation::OutOfRange(0..=1_000_000_000)]);
        for json in ["-0.001", "1000000000.001"] {
            assert_eq!(Price::parse(json), both, "{json}");
        }
    }

    #[test]
    fn a_third_decimal_is_too_precise() {
        for json in ["0.001", "1.005", "1e-400", "0.1234567890123456789012345678901234567890"] {
            assert_eq!(Price::parse(json), Err(vec![Violation::TooPrecise(2)]), "{json}");
        }
    }
}
