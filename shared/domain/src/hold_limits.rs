//! Limits of holds: how long they last, and how many seats and holds of a show a member has.

use std::{ops::RangeInclusive, str::FromStr, time::Duration};

use crate::{error::Error, hold::MAX_HELD_SEATS};

/// Maximum number of holds that a member makes of one show in a window.
pub const MAX_HOLDS: u32 = 20;

/// Time for which holds count, from the first one.
pub const WINDOW: Duration = Duration::from_hours(1);

/// Lifetime of holds, in seconds.
const LIFETIME: RangeInclusive<u64> = 1..=3_600;

/// Values of a lifetime.
const LIFETIMES: &str = "a number of seconds from 1 to 3600";

/// Values of a limit of seats.
const SEAT_LIMITS: &str = "a number of seats from 1 to 10";

/// Limits of a deployment.
#[derive(Clone, Copy, Debug)]
pub struct HoldLimits {
    /// Time for which a hold lasts.
    pub lifetime: HoldLifetime,
    /// Number of seats of a show that a member may have, held and sold together.
    pub max_seats: SeatLimit,
}

/// Time for which a hold lasts: 1 to 3,600 seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldLifetime(Duration);

/// Number of seats of a show that a member may have: 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatLimit(usize);

/// Holds that a member made of a show lately: since a time, and how many.
///
/// They have a limit, because somebody who holds the same seats again at each expiry keeps them from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecentHolds {
    /// Time since 1970 of the first one, in seconds.
    pub since: u64,
    /// Number of holds since then.
    pub count: u32,
}

impl Default for HoldLimits {
    /// Ten minutes and four seats.
    fn default() -> Self {
        Self { lifetime: HoldLifetime(Duration::from_mins(10)), max_seats: SeatLimit(4) }
    }
}

impl HoldLifetime {
    /// Checks a number of seconds.
    ///
    /// # Errors
    ///
    /// Returns what is expected.
    pub fn from_seconds(seconds: u64) -> Result<Self, &'static str> {
        if LIFETIME.contains(&seconds) { Ok(Self(Duration::from_secs(seconds))) } else { Err(LIFETIMES) }
    }

    /// Returns the time.
    #[must_use]
    pub fn duration(self) -> Duration {
        self.0
    }

    /// Returns the time at which a hold expires, in whole seconds; it lasts less than a second longer.
    #[must_use]
    pub fn expiry(self, now: Duration) -> u64 {
        let expiry = now + self.0;
        expiry.as_secs() + u64::from(expiry.subsec_nanos() > 0)
    }
}

impl FromStr for HoldLifetime {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        text.parse().map_err(|_| LIFETIMES).and_then(Self::from_seconds)
    }
}

impl SeatLimit {
    /// Checks a number of seats.
    ///
    /// # Errors
    ///
    /// Returns what is expected.
    pub fn new(seats: usize) -> Result<Self, &'static str> {
        if (1..=MAX_HELD_SEATS).contains(&seats) { Ok(Self(seats)) } else { Err(SEAT_LIMITS) }
    }

    /// Returns the number.
    #[must_use]
    pub fn get(self) -> usize {
        self.0
    }
}

impl FromStr for SeatLimit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        text.parse().map_err(|_| SEAT_LIMITS).and_then(Self::new)
    }
}

impl RecentHolds {
    /// Counts one more hold at a time since 1970; the first one after a window begins the next.
    ///
    /// # Errors
    ///
    /// Returns `TooManyHolds` if the window has [`MAX_HOLDS`] already.
    pub fn and_one(self, now: Duration) -> Result<Self, Error> {
        let end = Duration::from_secs(self.since) + WINDOW;
        match end.checked_sub(now).filter(|left| !left.is_zero()) {
            None => Ok(Self { since: now.as_secs(), count: 1 }),
            Some(_) if self.count < MAX_HOLDS => Ok(Self { count: self.count + 1, ..self }),
            Some(left) => Err(Error::TooManyHolds(Duration::from_secs(left.as_secs() + 1))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_checked() {
        for (seconds, is_valid) in [(0, false), (1, true), (3_600, true), (3_601, false)] {
            assert_eq!(HoldLifetime::from_seconds(seconds).is_ok(), is_valid, "{seconds}");
        }
        for (seats, is_valid) in [(0, false), (1, true), (10, true), (11, false)] {
            assert_eq!(SeatLimit::new(seats).is_ok(), is_valid, "{seats}");
        }
        assert_eq!(("600".parse(), "x".parse::<SeatLimit>().is_err()), (Ok(HoldLimits::default().lifetime), true));
    }

    #[test]
    fn hold_lasts_at_least_its_lifetime() {
        let lifetime = HoldLifetime::from_seconds(600).unwrap();
        assert_eq!(lifetime.expiry(Duration::from_secs(1_000)), 1_600);
        assert_eq!(lifetime.expiry(Duration::from_millis(1_000_001)), 1_601);
    }

    #[test]
    fn holds_in_an_hour_are_limited() {
        let at = Duration::from_secs;
        let mut recent = RecentHolds::default();
        for _ in 0..MAX_HOLDS {
            recent = recent.and_one(at(10_000)).unwrap();
        }
        assert_eq!(recent, RecentHolds { since: 10_000, count: 20 });
        for (now, left) in [(at(10_000), 3_601), (Duration::from_millis(13_599_500), 1)] {
            let error = recent.and_one(now).unwrap_err();
            assert!(matches!(error, Error::TooManyHolds(time) if time == at(left)), "{error:?}");
        }
        assert_eq!(recent.and_one(at(13_600)).unwrap(), RecentHolds { since: 13_600, count: 1 });
    }
}
