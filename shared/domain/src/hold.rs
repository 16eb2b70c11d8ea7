//! Holds: seats of a show that a member holds, until an order has them.

use std::{collections::HashSet, ops::RangeInclusive, str::FromStr, time::Duration};

use uuid::Uuid;

use crate::{error::Error, event::Show, price::Price, violation::Violation};

/// Maximum number of seats in a hold.
pub const MAX_SEATS: usize = 10;

/// Maximum number of seats that one request blocks or frees.
pub const MAX_BLOCKED_SEATS: usize = 500;

/// Time for which a hold that expired or was released can still be read.
pub const RETENTION: Duration = Duration::from_hours(30 * 24);

/// Time after a show for which its seats and its sold holds are kept.
pub const RETENTION_AFTER_SHOW: Duration = Duration::from_hours(365 * 24);

/// Maximum number of holds that a member makes of one show in a window.
pub const MAX_HOLDS: u32 = 20;

/// Time for which holds count, from the first one.
pub const WINDOW: Duration = Duration::from_hours(1);

/// Characters of an order's id.
const ORDER_LENGTH: RangeInclusive<usize> = 1..=100;

/// Lifetime of holds, in seconds.
const LIFETIME: RangeInclusive<u64> = 1..=3_600;

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

/// Order of an order service: 1 to 100 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderId(String);

/// Seats of a show that a member holds or an order has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// A random UUID.
    pub id: Uuid,
    /// The event.
    pub event: Uuid,
    /// The show.
    pub show: Uuid,
    /// The member who holds the seats.
    pub member: Uuid,
    /// Numbers of the seats, counted through the whole hall, in the order of the request.
    pub seats: Vec<u32>,
    /// Sum of the prices of the seats.
    pub amount: Price,
    /// Time since 1970 at which the hold expires, in seconds.
    pub expires: u64,
    /// State after the last request.
    pub state: HoldState,
}

/// State of a hold after the last request about it; it expires without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldState {
    /// The member holds the seats until the hold expires.
    Held,
    /// The order has the seats.
    Confirmed(OrderId),
    /// The member released the seats.
    Released,
    /// The order was cancelled.
    Cancelled(OrderId),
}

/// Status of a hold at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldStatus {
    /// The member holds the seats.
    Held,
    /// An order has the seats.
    Confirmed,
    /// The hold expired.
    Expired,
    /// The member released the seats, or the order was cancelled.
    Released,
}

/// Reason why a seat of a show is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// A member holds it.
    Held {
        /// The hold.
        hold: Uuid,
        /// Time since 1970 at which the hold expires, in seconds.
        until: u64,
    },
    /// An order has it.
    Sold {
        /// The confirmed hold.
        hold: Uuid,
    },
    /// The manager blocked it.
    Blocked {
        /// The request that did, as [`block_id`] returns it.
        block: Uuid,
    },
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
        if LIFETIME.contains(&seconds) {
            Ok(Self(Duration::from_secs(seconds)))
        } else {
            Err("a number of seconds from 1 to 3600")
        }
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
        Self::from_seconds(text.parse().unwrap_or(0))
    }
}

impl SeatLimit {
    /// Checks a number of seats.
    ///
    /// # Errors
    ///
    /// Returns what is expected.
    pub fn new(seats: usize) -> Result<Self, &'static str> {
        if (1..=MAX_SEATS).contains(&seats) { Ok(Self(seats)) } else { Err("a number of seats from 1 to 10") }
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
        Self::new(text.parse().unwrap_or(0))
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

impl OrderId {
    /// Parses an order's id.
    ///
    /// # Errors
    ///
    /// Returns `InvalidOrderId` if it has another length or another character.
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        if ORDER_LENGTH.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(vec![Violation::InvalidOrderId(*ORDER_LENGTH.end())])
        }
    }

    /// Returns the unchanged id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Rebuilds a stored id without validating it.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }
}

impl Hold {
    /// Returns the status at a time since 1970.
    #[must_use]
    pub fn status(&self, now: Duration) -> HoldStatus {
        match self.state {
            HoldState::Held if now.as_secs() < self.expires => HoldStatus::Held,
            HoldState::Held => HoldStatus::Expired,
            HoldState::Confirmed(_) => HoldStatus::Confirmed,
            HoldState::Released | HoldState::Cancelled(_) => HoldStatus::Released,
        }
    }

    /// Returns the order that has or had the seats.
    #[must_use]
    pub fn order(&self) -> Option<&OrderId> {
        match &self.state {
            HoldState::Confirmed(order) | HoldState::Cancelled(order) => Some(order),
            HoldState::Held | HoldState::Released => None,
        }
    }

    /// Returns what the hold makes of its seats until it is confirmed.
    #[must_use]
    pub fn held(&self) -> Taken {
        Taken::Held { hold: self.id, until: self.expires }
    }

    /// Returns what the hold makes of its seats once it is confirmed.
    #[must_use]
    pub fn sold(&self) -> Taken {
        Taken::Sold { hold: self.id }
    }
}

impl HoldStatus {
    /// Returns the name in responses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Held => "HELD",
            Self::Confirmed => "CONFIRMED",
            Self::Expired => "EXPIRED",
            Self::Released => "RELEASED",
        }
    }
}

impl Taken {
    /// Returns whether the seat is still taken at a time since 1970.
    #[must_use]
    pub fn is_current(self, now: Duration) -> bool {
        match self {
            Self::Held { until, .. } => now.as_secs() < until,
            Self::Sold { .. } | Self::Blocked { .. } => true,
        }
    }
}

/// Returns the id of a new block: a random UUID of version 8, unlike that of a hold, which has version 4.
#[must_use]
pub fn block_id() -> Uuid {
    Uuid::new_v8(Uuid::new_v4().into_bytes())
}

/// Returns the time since 1970 until which the seats of a show are kept.
#[must_use]
pub fn kept_until(show: &Show, now: Duration) -> Duration {
    show.instant.since_epoch().max(now) + RETENTION_AFTER_SHOW
}

/// Returns the indexes of ids that stand before, too.
#[must_use]
pub fn repeated(ids: &[Uuid]) -> Vec<usize> {
    let mut seen = HashSet::new();
    ids.iter().enumerate().filter(|(_, id)| !seen.insert(**id)).map(|(index, _)| index).collect()
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
    fn order_is_visible_ascii() {
        for valid in ["1", "order-1!~", &"a".repeat(100)] {
            assert_eq!(OrderId::parse(valid).unwrap().as_str(), valid);
        }
        for invalid in ["", "a b", "주문", "\n", &"a".repeat(101)] {
            assert_eq!(OrderId::parse(invalid), Err(vec![Violation::InvalidOrderId(100)]), "{invalid}");
        }
    }

    #[test]
    fn hold_expires_at_its_second() {
        let order = || OrderId::parse("1").unwrap();
        let hold = |state| Hold {
            id: Uuid::nil(),
            event: Uuid::nil(),
            show: Uuid::nil(),
            member: Uuid::nil(),
            seats: vec![0],
            amount: Price::from_stored(1),
            expires: 100,
            state,
        };
        let status = |state, seconds| hold(state).status(Duration::from_secs(seconds));
        assert_eq!(status(HoldState::Held, 99), HoldStatus::Held);
        assert_eq!(hold(HoldState::Held).status(Duration::from_millis(99_999)), HoldStatus::Held);
        assert_eq!(status(HoldState::Held, 100), HoldStatus::Expired);
        assert_eq!(status(HoldState::Confirmed(order()), 100), HoldStatus::Confirmed);
        assert_eq!(status(HoldState::Released, 99), HoldStatus::Released);
        assert_eq!(status(HoldState::Cancelled(order()), 100), HoldStatus::Released);
        let state = hold(HoldState::Held).held();
        assert!(state.is_current(Duration::from_secs(99)) && !state.is_current(Duration::from_secs(100)));
        assert!(Taken::Blocked { block: block_id() }.is_current(Duration::MAX));
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

    #[test]
    fn repetitions_are_found() {
        let [one, two] = [1, 2].map(Uuid::from_u128);
        assert_eq!(repeated(&[one, two, one, one]), [2, 3]);
    }
}
