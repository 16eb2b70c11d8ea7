//! Exact decimal numbers, compared by value in any notation.

use std::{fmt::Display, ops::RangeInclusive};

use crate::violation::Violation;

/// The exact value of a JSON number: `digits × 10^exponent`.
///
/// Two numbers are equal if their values are, for example `1.0` and `1e0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: i128,
    exponent: i64,
}

/// Maximum number of digits: enough for all limits of the service, and few enough for an `i128`.
const MAX_DIGITS: usize = 30;

impl Decimal {
    /// Parses a JSON number.
    ///
    /// Returns `None` if it has more than 30 significant digits, which no accepted number has.
    #[must_use]
    pub fn parse(json: &str) -> Option<Self> {
        let (mantissa, exponent) = json.split_once(['e', 'E']).unwrap_or((json, "0"));
        let (sign, mantissa) = mantissa.split_at(usize::from(mantissa.starts_with('-')));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.to_owned() + fraction;
        let significant = digits.trim_matches('0');
        if significant.is_empty() {
            return Some(Self { digits: 0, exponent: 0 });
        }
        if significant.len() > MAX_DIGITS {
            return None;
        }
        let zeros = digits.len() - digits.trim_end_matches('0').len();
        let shift = i64::try_from(zeros).ok()? - i64::try_from(fraction.len()).ok()?;
        // If an exponent is too large for an `i64`, its sign is enough.
        let exponent: i64 = exponent.parse().unwrap_or(if exponent.starts_with('-') { i64::MIN } else { i64::MAX });
        let digits = format!("{sign}{significant}").parse().ok()?;
        Some(Self { digits, exponent: exponent.saturating_add(shift) })
    }

    /// Returns the number of decimals of the value: 2 for `1.25`, 0 for `100`.
    #[must_use]
    pub fn decimals(self) -> u64 {
        self.exponent.min(0).unsigned_abs()
    }

    /// Returns the value times `10^places` if that is an integer within `i128`.
    #[must_use]
    pub fn scaled(self, places: u32) -> Option<i128> {
        let power = u32::try_from(self.exponent.checked_add(i64::from(places))?).ok()?;
        self.digits.checked_mul(10_i128.checked_pow(power)?)
    }
}

/// Parses a number within a range and with at most `decimals` decimals; returns it times `10^decimals`.
///
/// # Errors
///
/// Returns `TooManyDecimals` (`NotAnInteger` if `decimals` is 0), `OutOfRange`, or both.
pub fn parse_within<T: TryFrom<i128>>(
    json: &str,
    decimals: u32,
    range: RangeInclusive<i64>,
) -> Result<T, Vec<Violation>> {
    // The nearest double is on the same side of an integer limit as the number, or is that limit.
    let nearest: f64 = json.parse().unwrap_or(f64::INFINITY);
    #[expect(clippy::cast_precision_loss, reason = "all limits of the service are exact as doubles")]
    let is_within = (*range.start() as f64..=*range.end() as f64).contains(&nearest);
    let number = Decimal::parse(json);
    let mut violations = Vec::new();
    // If a number within the range has too many digits, most are decimals.
    if number.map_or(is_within, |number| number.decimals() > u64::from(decimals)) {
        violations.push(if decimals == 0 { Violation::NotAnInteger } else { Violation::TooManyDecimals(decimals) });
    }
    if !is_within {
        violations.push(Violation::OutOfRange(range));
    }
    match number.and_then(|number| T::try_from(number.scaled(decimals)?).ok()) {
        Some(scaled) if violations.is_empty() => Ok(scaled),
        _ => Err(violations),
    }
}

/// Formats a number with a comma before each group of three integer digits.
#[must_use]
pub fn grouped(number: impl Display) -> String {
    let number = number.to_string();
    let whole = number.find('.').unwrap_or(number.len());
    let mut grouped = String::with_capacity(number.len() + whole / 3);
    for (index, digit) in number.char_indices() {
        if index < whole && (whole - index).is_multiple_of(3) && !matches!(&*grouped, "" | "-") {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(json: &str, places: u32) -> Option<i128> {
        Decimal::parse(json)?.scaled(places)
    }

    #[test]
    fn digits_are_grouped_before_the_point() {
        for (number, expected) in [
            ("100", "100"),
            ("-100", "-100"),
            ("1000", "1,000"),
            ("-1000000", "-1,000,000"),
            ("1234567.25", "1,234,567.25"),
            ("100.2500", "100.2500"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn notation_does_not_change_the_value() {
        for json in ["50000", "5E+4", "50000.000", "0.5e5", "500000e-1", "5000000000000000000000000000000000000e-32"] {
            assert_eq!(scaled(json, 0), Some(50_000), "{json}");
        }
        for json in ["0", "-0", "0.0", "0e9", "-0.000e-5"] {
            assert_eq!(scaled(json, 0), Some(0), "{json}");
        }
    }

    #[test]
    fn fractions_are_exact() {
        assert_eq!(scaled("1745557200.123456789", 9), Some(1_745_557_200_123_456_789));
        assert_eq!(scaled("-0.01", 2), Some(-1));
        assert_eq!(scaled("0.001", 2), None);
    }

    #[test]
    fn decimals_are_counted_by_value() {
        for (json, decimals) in [("1.50", 1), ("1.25", 2), ("100", 0), ("1e-9", 9), ("12e-1", 1)] {
            assert_eq!(Decimal::parse(json).unwrap().decimals(), decimals, "{json}");
        }
    }

    #[test]
    fn huge_numbers_are_rejected() {
        assert!(Decimal::parse(&"9".repeat(30)).is_some());
        assert_eq!(Decimal::parse(&"9".repeat(31)), None);
        for json in ["1e999999999999999999999", &format!("1{}", "0".repeat(1_000))] {
            assert_eq!(scaled(json, 0), None);
        }
        for json in ["1e-999999999999999999999", &format!("0.{}1", "0".repeat(1_000))] {
            assert_eq!(scaled(json, 9), None);
        }
    }
}
