//! Holds: seats of a show that a member holds, until an order has them.

use std::{ops::RangeInclusive, time::Duration};

use serde::Serialize;
use uuid::Uuid;

use crate::{described, integer::Integer, price::Price, violation::Violation};

/// Maximum number of seats in a hold.
pub const MAX_HELD_SEATS: usize = 10;

/// Maximum number of areas among which a hold asks for the best seats.
pub const MAX_BEST_AREAS: usize = 50;

/// Maximum number of holds in the list of a member.
pub const MAX_OWN_HOLDS: usize = 100;

/// Time for which a hold that expired or was released can still be read.
pub const RETENTION: Duration = Duration::from_hours(30 * 24);

/// Number of seats for which a hold asks.
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "the maximum is small")]
pub type GroupSize = Integer<1, { MAX_HELD_SEATS as i32 }>;

/// Characters of an order's id.
const ORDER_LENGTH: RangeInclusive<usize> = 1..=100;

/// Order of an order service: 1 to 100 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
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
    /// The member who holds the seats; none if the box office sold them.
    pub member: Option<Uuid>,
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
        /// Id of the block, which stands for its label.
        block: Uuid,
    },
}

described!(OrderId as "OrderId", {
    "description": "Visible ASCII characters.",
    "type": "string",
    "minLength": ORDER_LENGTH.start(),
    "maxLength": ORDER_LENGTH.end(),
    "pattern": "^[!-~]+$",
});

described!(HoldStatus as "HoldStatus", {
    "type": "string",
    "enum": ([Self::Held, Self::Confirmed, Self::Expired, Self::Released].map(Self::name)),
});

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

    /// Returns the state of its seats until it is confirmed.
    #[must_use]
    pub fn held(&self) -> Taken {
        Taken::Held { hold: self.id, until: self.expires }
    }

    /// Returns the state of its seats once it is confirmed.
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
    /// Returns the id of the block, if the seat is blocked.
    #[must_use]
    pub fn block(self) -> Option<Uuid> {
        if let Self::Blocked { block } = self { Some(block) } else { None }
    }

    /// Returns the hold that has the seat; none if it is blocked.
    #[must_use]
    pub fn hold(self) -> Option<Uuid> {
        match self {
            Self::Held { hold, .. } | Self::Sold { hold } => Some(hold),
            Self::Blocked { .. } => None,
        }
    }

    /// Returns true if the seat is still taken at a time since 1970.
    #[must_use]
    pub fn is_current(self, now: Duration) -> bool {
        match self {
            Self::Held { until, .. } => now.as_secs() < until,
            Self::Sold { .. } | Self::Blocked { .. } => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            member: None,
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
        assert!(Taken::Blocked { block: Uuid::nil() }.is_current(Duration::MAX));
    }
}
