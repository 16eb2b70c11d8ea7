//! Instants in time.

use std::{
    borrow::Cow,
    fmt,
    time::{Duration, SystemTime},
};

use chrono::{DateTime, Datelike as _, SecondsFormat, TimeDelta, Utc, format::ParseErrorKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{clock::Clock, decimal, described, violation::Violation};

/// An instant from 1970 to 9999, with nanosecond precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(DateTime<Utc>);

described!(Instant as "Time", {
    "description": "ISO 8601 in UTC, with 0, 3, 6 or 9 decimals.",
    "type": "string",
    "format": "date-time",
    "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.([0-9]{3}){1,3})?Z$",
});

/// Pattern of most texts that [`Instant::from_text`] parses.
pub const PATTERN: &str = "^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?\
                           (Z|[+-][0-9]{2}:[0-9]{2})$";

const NANOS_PER_SECOND: u32 = 1_000_000_000;
/// Maximum number of decimals of a second.
const MAX_DECIMALS: u32 = 9;
/// 9999-12-31T23:59:59Z, the last second of the year 9999.
pub const LAST_SECOND: i64 = 253_402_300_799;

impl Instant {
    /// Builds an instant from a time since 1970; `None` after the year 9999.
    #[must_use]
    pub fn from_epoch(since_epoch: Duration) -> Option<Self> {
        Self::from_nanos(since_epoch.as_nanos())
    }

    /// Builds the instant this many milliseconds after 1970; `None` after the year 9999.
    #[must_use]
    pub fn from_milliseconds(milliseconds: u64) -> Option<Self> {
        Self::from_epoch(Duration::from_millis(milliseconds))
    }

    /// Returns the date and time of a clock in Korea, such as `2026년 3월 1일 9시 05분`.
    #[must_use]
    pub fn in_korea(self) -> String {
        (self.0 + TimeDelta::hours(9)).format("%Y년 %-m월 %-d일 %-H시 %M분").to_string()
    }

    /// Parses epoch seconds: a JSON number whose value has at most nine decimals.
    ///
    /// # Errors
    ///
    /// Returns `TooManyDecimals` if there are more, `TimeOutOfRange` if the year is not 1970 to 9999, or both.
    pub fn from_number(json: &str) -> Result<Self, Vec<Violation>> {
        let time_out_of_range = |violation| match violation {
            Violation::OutOfRange(_) => Violation::TimeOutOfRange,
            other => other,
        };
        let nanos = decimal::parse_within(json, MAX_DECIMALS, 0..=LAST_SECOND + 1)
            .map_err(|violations| violations.into_iter().map(time_out_of_range).collect::<Vec<_>>())?;
        Self::from_nanos(nanos).ok_or_else(|| vec![Violation::TimeOutOfRange])
    }

    /// Parses an ISO 8601 date and time with an offset in the profile of RFC 3339; seconds are optional.
    ///
    /// # Errors
    ///
    /// Returns `TooManyDecimals` if there are more than nine decimals, `TimeOutOfRange` if the year is not 1970 to
    /// 9999, `NoSuchTime` for a time that does not exist or is a leap second, and `InvalidTime` for other texts.
    pub fn from_text(text: &str) -> Result<Self, Vec<Violation>> {
        let decimals = text.split_once('.').map_or("", |(_, rest)| rest).bytes().take_while(u8::is_ascii_digit);
        if decimals.count() > MAX_DECIMALS as usize {
            return Err(vec![Violation::TooManyDecimals(MAX_DECIMALS)]);
        }
        if is_after_9999(text) {
            return Err(vec![Violation::TimeOutOfRange]);
        }
        // chrono accepts other minus signs, and requires seconds.
        let with_seconds = match text.get(16..) {
            _ if !text.is_ascii() => return Err(vec![Violation::InvalidTime]),
            Some(offset @ ("Z" | "z")) => format!("{}:00{offset}", &text[..16]),
            Some(offset) if offset.starts_with(['+', '-']) => format!("{}:00{offset}", &text[..16]),
            _ => text.to_owned(),
        };
        let time = DateTime::parse_from_rfc3339(&with_seconds).map_err(|error| match error.kind() {
            ParseErrorKind::OutOfRange | ParseErrorKind::Impossible => vec![Violation::NoSuchTime],
            _ => vec![Violation::InvalidTime],
        })?;
        let time = time.to_utc();
        // chrono represents a leap second by a billion nanoseconds or more.
        if time.timestamp_subsec_nanos() >= NANOS_PER_SECOND {
            return Err(vec![Violation::NoSuchTime]);
        }
        if is_in_range(&time) { Ok(Self(time)) } else { Err(vec![Violation::TimeOutOfRange]) }
    }

    /// Returns the current time of a clock.
    #[must_use]
    pub fn now(clock: &Clock) -> Self {
        Self((SystemTime::UNIX_EPOCH + clock.now()).into())
    }

    /// Returns the time since 1970.
    #[must_use]
    pub fn since_epoch(self) -> Duration {
        Duration::new(self.0.timestamp().unsigned_abs(), self.0.timestamp_subsec_nanos())
    }

    /// Returns the number of nanoseconds since 1970.
    #[must_use]
    pub fn nanos(self) -> u128 {
        let seconds = u128::from(self.0.timestamp().unsigned_abs());
        seconds * u128::from(NANOS_PER_SECOND) + u128::from(self.0.timestamp_subsec_nanos())
    }

    /// Returns the instant this many nanoseconds after 1970, up to the year 9999.
    #[must_use]
    pub fn from_nanos(nanos: u128) -> Option<Self> {
        let seconds = i64::try_from(nanos / u128::from(NANOS_PER_SECOND)).ok()?;
        let rest = u32::try_from(nanos % u128::from(NANOS_PER_SECOND)).ok()?;
        DateTime::from_timestamp(seconds, rest).filter(is_in_range).map(Self)
    }

    /// Returns the number of seconds since 1970, if the instant has no fraction of a second.
    #[must_use]
    pub fn whole_seconds(self) -> Option<u64> {
        (self.0.timestamp_subsec_nanos() == 0).then(|| self.0.timestamp().unsigned_abs())
    }

    /// Returns the number of its month in UTC, counted from January 1970.
    #[must_use]
    pub fn month(self) -> u32 {
        (self.0.year_ce().1 - 1970) * 12 + self.0.month0()
    }
}

fn is_in_range(time: &DateTime<Utc>) -> bool {
    (0..=LAST_SECOND).contains(&time.timestamp())
}

/// Returns true for a year of five or six digits; browsers write the year 10000 as `+010000`.
fn is_after_9999(text: &str) -> bool {
    let mut parts = text.strip_prefix('+').unwrap_or(text).split('-');
    let year = parts.next().filter(|year| (5..=6).contains(&year.len())).and_then(|year| year.parse::<u32>().ok());
    year.is_some_and(|year| year > 9999) && parts.next().is_some_and(|month| month.len() == 2)
}

/// Writes ISO 8601 in UTC with `Z` and as few decimals (0, 3, 6 or 9) as keep the value.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::from_text(&text).map_err(|_| de::Error::custom("invalid time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(json: &str) -> String {
        Instant::from_number(json).unwrap().to_string()
    }

    fn text(text: &str) -> String {
        Instant::from_text(text).unwrap().to_string()
    }

    #[test]
    fn epoch_seconds_are_printed_as_iso() {
        assert_eq!(number("17455572e2"), "2025-04-25T05:00:00Z");
        assert_eq!(number("1745557200.5"), "2025-04-25T05:00:00.500Z");
        assert_eq!(number("1745557200.0000010"), "2025-04-25T05:00:00.000001Z");
        assert_eq!(number("1745557200.12345678900"), "2025-04-25T05:00:00.123456789Z");
    }

    #[test]
    fn iso_times_are_printed_in_utc() {
        for time in ["2025-04-25T14:00:00+09:00", "2025-04-25T05:00:00.000Z", "2025-04-25T14:00+09:00"] {
            assert_eq!(text(time), "2025-04-25T05:00:00Z", "{time}");
        }
        assert_eq!(text("2025-04-24T22:00:00.123456789-07:00"), "2025-04-25T05:00:00.123456789Z");
    }

    #[test]
    fn years_outside_1970_to_9999_are_rejected() {
        assert_eq!(number("-0"), "1970-01-01T00:00:00Z");
        assert_eq!(number("253402300799.999999999"), "9999-12-31T23:59:59.999999999Z");
        assert_eq!(text("1970-01-01T09:00:00+09:00"), "1970-01-01T00:00:00Z");
        for json in ["-0.000000001", "253402300800", "1745557200000", "1e400", &"9".repeat(40)] {
            assert_eq!(Instant::from_number(json), Err(vec![Violation::TimeOutOfRange]), "{json}");
        }
        for time in ["1970-01-01T00:00:00+09:00", "9999-12-31T23:59:59-01:00", "+010000-01-01T00:00:00.000Z"] {
            assert_eq!(Instant::from_text(time), Err(vec![Violation::TimeOutOfRange]), "{time}");
        }
    }

    #[test]
    fn tenth_decimal_is_rejected() {
        let too_precise = Err(vec![Violation::TooManyDecimals(9)]);
        for json in ["1.0000000001", "1e-400", &format!("1745557200.{}", "1".repeat(40))] {
            assert_eq!(Instant::from_number(json), too_precise, "{json}");
        }
        assert_eq!(Instant::from_text("2025-04-25T05:00:00.0000000001Z"), too_precise);
    }

    #[test]
    fn impossible_times_are_rejected() {
        for time in ["2025-02-29T00:00+09:00", "2025-04-25T24:00:00Z", "2025-04-25T23:59:60Z"] {
            assert_eq!(Instant::from_text(time), Err(vec![Violation::NoSuchTime]), "{time}");
        }
    }

    #[test]
    fn invalid_times_are_rejected() {
        let times = "2025-04-25|2025-04-25T05:00:00|2025-4-25T5:00+09:00|  2025-04-25T05:00Z|2025-04-25T05:00+0900\
                     |2025-04-25T05:00:00\u{2212}09:00|1745557200|내일";
        for time in times.split('|') {
            assert_eq!(Instant::from_text(time), Err(vec![Violation::InvalidTime]), "{time}");
        }
    }

    #[test]
    fn nanos_count_from_1970() {
        for (nanos, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_000_000_001, "1970-01-01T00:00:01.000000001Z"),
            (253_402_300_799_999_999_999, "9999-12-31T23:59:59.999999999Z"),
        ] {
            let instant = Instant::from_nanos(nanos).unwrap();
            assert_eq!((instant.to_string().as_str(), instant.nanos()), (text, nanos));
        }
        assert_eq!(Instant::from_nanos(253_402_300_800_000_000_000), None);
    }

    #[test]
    fn months_count_from_1970_in_utc() {
        let month = |text| Instant::from_text(text).unwrap().month();
        assert_eq!(month("1970-02-01T00:00:00+09:00"), 0);
        assert_eq!(month("1970-02-01T00:00:00Z"), 1);
        assert_eq!(month("9999-12-31T23:59:59Z"), 8_030 * 12 - 1);
    }
}
