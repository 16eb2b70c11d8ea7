//! Holds of members, until an order has the seats.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    error::Error,
    event::Event,
    hold::{Hold, HoldState, HoldStatus},
    hold_limits::{HoldLimits, RecentHolds},
    price::Price,
    seats::{
        holder::Holder,
        plan::{Expected, HoldChange, Plan},
    },
    show::Show,
};

/// What a new hold depends on, as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// The event.
    pub event: &'a Event,
    /// The show.
    pub show: &'a Show,
    /// What the member has of the show.
    pub holder: &'a Holder,
}

/// Permission of a member to hold seats, whichever these are.
#[derive(Clone, Copy, Debug)]
pub struct Permission {
    recent: RecentHolds,
    /// Time since 1970 at which a hold expires, in seconds.
    expires: u64,
    now: Duration,
}

impl Snapshot<'_> {
    /// Decides if a member may hold as many seats at a time since 1970, whoever has them.
    ///
    /// # Errors
    ///
    /// Returns the first that applies: `NotOnSale`, `TooManySeatsOfMember`, `TooManyHolds`.
    pub fn permit(&self, seats: usize, limits: HoldLimits, now: Duration) -> Result<Permission, Error> {
        let is_open = self.event.details.ticketing_open_time.since_epoch() <= now;
        if !is_open || !self.show.is_on_sale(now) {
            return Err(Error::NotOnSale);
        }
        let max_seats = limits.max_seats.get();
        if self.holder.seats(now) + seats > max_seats {
            return Err(Error::TooManySeatsOfMember(max_seats));
        }
        Ok(Permission { recent: self.holder.recent.and_one(now)?, expires: limits.lifetime.expiry(now), now })
    }

    /// Plans that a member holds seats with these numbers, which cost this amount together.
    #[must_use]
    pub fn hold(&self, permission: Permission, member: Uuid, seats: Vec<u32>, amount: Price) -> Plan {
        let Permission { recent, expires, now } = permission;
        let hold = Hold {
            id: Uuid::new_v4(),
            event: self.event.id,
            show: self.show.id,
            member: Some(member),
            seats,
            amount,
            expires,
            state: HoldState::Held,
        };
        Plan {
            seats: hold.seats.iter().map(|seat| (*seat, Expected::Free(now))).collect(),
            state: Some(hold.held()),
            hold: Some(HoldChange::Held(hold, recent)),
        }
    }
}

/// Plans that a member releases a hold at a time since 1970; `None` if it has expired or is released already.
///
/// # Errors
///
/// Returns `HoldUnusable` if it is confirmed.
pub fn release(hold: &Hold, now: Duration) -> Result<Option<Plan>, Error> {
    match hold.status(now) {
        HoldStatus::Held => Ok(Some(freed(hold, HoldChange::Released(hold.clone())))),
        HoldStatus::Expired | HoldStatus::Released => Ok(None),
        HoldStatus::Confirmed => Err(Error::HoldUnusable),
    }
}

/// Plans that the seats of a hold become free, which are held or sold.
pub(super) fn freed(hold: &Hold, change: HoldChange) -> Plan {
    let state = if hold.state == HoldState::Held { hold.held() } else { hold.sold() };
    Plan {
        seats: hold.seats.iter().map(|seat| (*seat, Expected::Is(Some(state)))).collect(),
        state: None,
        hold: Some(change),
    }
}
