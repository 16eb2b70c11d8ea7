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

/// Event, show and holder of a new hold, as they were read.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// The event.
    pub event: &'a Event,
    /// The show.
    pub show: &'a Show,
    /// Seats of the show that the member has.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        hold_limits::MAX_HOLDS,
        seats::{
            holder::HeldSeats,
            tests::{EXPIRY, event, hold, order},
        },
        show::ShowStatus,
    };

    fn at(second: u64) -> Duration {
        Duration::from_secs(second)
    }

    fn holder(seats: u8, until: Option<u32>) -> Holder {
        Holder { holds: vec![(Uuid::max(), HeldSeats { seats, until })], ..Holder::default() }
    }

    #[test]
    fn seats_are_on_sale_from_opening_to_show() {
        let event = event();
        let permit = |status, second| {
            let show = Show { status, ..event.shows[0].clone() };
            let snapshot = Snapshot { event: &event, show: &show, holder: &Holder::default() };
            snapshot.permit(4, HoldLimits::default(), at(second)).map(drop)
        };
        for (status, second, is_on_sale) in [
            (ShowStatus::Scheduled, 99, false),
            (ShowStatus::Scheduled, 100, true),
            (ShowStatus::Scheduled, 999, true),
            (ShowStatus::Scheduled, 1_000, false),
            (ShowStatus::Postponed, 500, false),
            (ShowStatus::Cancelled, 500, false),
        ] {
            let permitted = permit(status, second);
            assert_eq!(permitted.is_ok(), is_on_sale, "{status:?} {second}");
            assert!(is_on_sale || matches!(permitted, Err(Error::NotOnSale)));
        }
    }

    #[test]
    fn held_and_sold_seats_count_for_limit() {
        let event = event();
        let permit = |holder: &Holder, seats| {
            let snapshot = Snapshot { event: &event, show: &event.shows[0], holder };
            snapshot.permit(seats, HoldLimits::default(), at(200)).map(drop)
        };
        assert!(permit(&holder(3, Some(201)), 1).is_ok() && permit(&holder(3, None), 1).is_ok());
        for held in [holder(3, Some(201)), holder(3, None)] {
            assert!(matches!(permit(&held, 2), Err(Error::TooManySeatsOfMember(4))));
        }
        assert!(permit(&holder(3, Some(200)), 4).is_ok(), "an expired hold");
        let often = Holder { recent: RecentHolds { since: 0, count: MAX_HOLDS }, ..Holder::default() };
        assert!(matches!(permit(&often, 1), Err(Error::TooManyHolds(_))));
    }

    #[test]
    fn hold_takes_free_seats() {
        let (event, holder) = (event(), Holder::default());
        let snapshot = Snapshot { event: &event, show: &event.shows[0], holder: &holder };
        let permission = snapshot.permit(2, HoldLimits::default(), at(200)).unwrap();
        let plan = snapshot.hold(permission, Uuid::max(), vec![3, 4], Price::from_stored(5));
        assert_eq!(plan.seats, [(3, Expected::Free(at(200))), (4, Expected::Free(at(200)))]);
        let Some(HoldChange::Held(hold, recent)) = &plan.hold else { panic!("no hold") };
        assert_eq!((hold.member, hold.expires, recent.count), (Some(Uuid::max()), 200 + 600, 1));
        assert_eq!(plan.state, Some(hold.held()));
    }

    #[test]
    fn only_held_seats_are_released() {
        let held = hold(HoldState::Held);
        let plan = release(&held, at(EXPIRY - 1)).unwrap().unwrap();
        assert_eq!(plan.seats, [7, 8].map(|seat| (seat, Expected::Is(Some(held.held())))));
        assert_eq!((plan.state, plan.hold), (None, Some(HoldChange::Released(held.clone()))));
        assert_eq!(release(&held, at(EXPIRY)).unwrap(), None);
        assert_eq!(release(&hold(HoldState::Released), at(0)).unwrap(), None);
        let confirmed = hold(HoldState::Confirmed(order("1")));
        assert!(matches!(release(&confirmed, at(0)), Err(Error::HoldUnusable)));
    }
}
