//! Sold seats: confirmed holds, and sales of the box office.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    decimal, described,
    error::Error,
    event::Event,
    hold::{Hold, HoldState, OrderId, Taken},
    price::Price,
    seats::{
        holding::freed,
        plan::{Expected, HoldChange, Plan, States, expect_free_or_blocked},
    },
    show::{Show, ShowStatus},
};

/// Maximum number of seats that the box office sells at once.
pub const MAX_SOLD_SEATS: usize = 100;

/// Amount that an order service charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charged {
    /// Any amount: it is not to be checked.
    Unchecked,
    /// This amount, in hundredths.
    Hundredths(u64),
    /// An amount that no seats can cost.
    Impossible,
}

described!(Charged as "PaidAmount", { "type": "number" });

impl Charged {
    /// Reads an amount from a JSON number.
    #[must_use]
    pub fn parse(json: &str) -> Self {
        decimal::parse_within(json, 2, 0..=i64::MAX / 1_000).map_or(Self::Impossible, Self::Hundredths)
    }

    /// Checks that this amount was charged for seats that cost another amount.
    fn expect(self, amount: Price) -> Result<(), Error> {
        match self {
            Self::Unchecked => Ok(()),
            Self::Hundredths(charged) if charged == amount.hundredths() => Ok(()),
            Self::Hundredths(_) | Self::Impossible => Err(Error::HoldUnusable),
        }
    }
}

/// Seats that the box office sells.
#[derive(Clone, Copy, Debug)]
pub struct BoxOfficeSale<'a> {
    /// The order.
    pub order: &'a OrderId,
    /// Numbers of the seats.
    pub seats: &'a [u32],
    /// Sum of their prices.
    pub amount: Price,
    /// Amount that was charged.
    pub charged: Charged,
}

/// Checks that the box office may sell seats of a show at a time since 1970, whoever has them.
///
/// # Errors
///
/// Returns `NotOnSale` if the show has begun, is postponed or cancelled.
pub fn permit_sale(show: &Show, now: Duration) -> Result<(), Error> {
    if show.is_on_sale(now) { Ok(()) } else { Err(Error::NotOnSale) }
}

/// Plans that the box office sells seats that are free or blocked, at a time since 1970.
///
/// # Errors
///
/// Returns `SeatsTaken`, or `HoldUnusable` if the amount is wrong.
pub fn sell(event: &Event, show: &Show, states: &States, sale: BoxOfficeSale, now: Duration) -> Result<Plan, Error> {
    expect_free_or_blocked(sale.seats, states, now)?;
    sale.charged.expect(sale.amount)?;
    let hold = Hold {
        id: Uuid::new_v4(),
        event: event.id,
        show: show.id,
        member: None,
        seats: sale.seats.to_vec(),
        amount: sale.amount,
        expires: now.as_secs(),
        state: HoldState::Confirmed(sale.order.clone()),
    };
    let expected = |seat: &u32| match states.get(seat) {
        Some(blocked @ Taken::Blocked { .. }) => Expected::Is(Some(*blocked)),
        _ => Expected::Free(now),
    };
    Ok(Plan {
        seats: sale.seats.iter().map(|seat| (*seat, expected(seat))).collect(),
        state: Some(hold.sold()),
        hold: Some(HoldChange::SoldAtOnce(hold)),
    })
}

/// Plans that an order gets the seats of a hold at a time since 1970, also if it has expired and they are still free.
///
/// Returns `None` if the order has them already.
///
/// # Errors
///
/// Returns `HoldUnusable` if the amount is wrong, the hold is of another order, released or cancelled, or the show is
/// postponed or cancelled.
pub fn confirm(
    hold: &Hold,
    show: &Show,
    order: &OrderId,
    charged: Charged,
    now: Duration,
) -> Result<Option<Plan>, Error> {
    charged.expect(hold.amount)?;
    match &hold.state {
        HoldState::Confirmed(known) if known == order => Ok(None),
        HoldState::Held if show.status == ShowStatus::Scheduled => Ok(Some(Plan {
            seats: hold.seats.iter().map(|seat| (*seat, Expected::FreeOr(now, hold.held()))).collect(),
            state: Some(hold.sold()),
            hold: Some(HoldChange::Confirmed(hold.clone(), order.clone())),
        })),
        _ => Err(Error::HoldUnusable),
    }
}

/// Plans that the seats of an order become free; `None` if the order is cancelled already.
///
/// # Errors
///
/// Returns `HoldUnusable` if the order does not have the seats.
pub fn cancel(hold: &Hold, order: &OrderId) -> Result<Option<Plan>, Error> {
    match &hold.state {
        HoldState::Confirmed(known) if known == order => {
            Ok(Some(freed(hold, HoldChange::Cancelled(hold.clone(), order.clone()))))
        }
        HoldState::Cancelled(known) if known == order => Ok(None),
        _ => Err(Error::HoldUnusable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        error::TakenSeat,
        seats::tests::{EXPIRY, event, hold, order},
    };

    const PAID: Charged = Charged::Hundredths(10_000);

    fn at(second: u64) -> Duration {
        Duration::from_secs(second)
    }

    #[test]
    fn hold_is_confirmed_for_its_amount_only() {
        let (event, held) = (event(), hold(HoldState::Held));
        let confirm = |charged| confirm(&held, &event.shows[0], &order("1"), charged, at(EXPIRY));
        // Also once it has expired: then its seats must be free or its own.
        let plan = confirm(PAID).unwrap().unwrap();
        assert_eq!(plan.seats, [7, 8].map(|seat| (seat, Expected::FreeOr(at(EXPIRY), held.held()))));
        assert_eq!(plan.state, Some(held.sold()));
        for charged in [Charged::Hundredths(9_999), Charged::Impossible] {
            assert!(matches!(confirm(charged), Err(Error::HoldUnusable)), "{charged:?}");
        }
        assert_eq!(Charged::parse("100.00"), PAID);
        assert_eq!(Charged::parse("100.001"), Charged::Impossible);
    }

    #[test]
    fn hold_is_confirmed_for_one_order() {
        let event = event();
        let confirm = |state, id| confirm(&hold(state), &event.shows[0], &order(id), PAID, at(200));
        assert_eq!(confirm(HoldState::Confirmed(order("1")), "1").unwrap(), None, "again");
        for state in [HoldState::Confirmed(order("1")), HoldState::Released, HoldState::Cancelled(order("1"))] {
            assert!(matches!(confirm(state.clone(), "2"), Err(Error::HoldUnusable)), "{state:?}");
        }
        assert!(matches!(confirm(HoldState::Cancelled(order("1")), "1"), Err(Error::HoldUnusable)));
    }

    #[test]
    fn show_that_is_off_sells_nothing() {
        let event = event();
        for status in [ShowStatus::Postponed, ShowStatus::Cancelled] {
            let show = Show { status, ..event.shows[0].clone() };
            let confirm = |state| confirm(&hold(state), &show, &order("1"), PAID, at(200));
            assert!(matches!(confirm(HoldState::Held), Err(Error::HoldUnusable)));
            assert_eq!(confirm(HoldState::Confirmed(order("1"))).unwrap(), None, "confirmed before");
            assert!(matches!(permit_sale(&show, at(200)), Err(Error::NotOnSale)));
        }
        assert!(permit_sale(&event.shows[0], at(999)).is_ok(), "before ticketing opens, too");
        assert!(matches!(permit_sale(&event.shows[0], at(1_000)), Err(Error::NotOnSale)));
    }

    #[test]
    fn only_the_order_is_cancelled() {
        let confirmed = hold(HoldState::Confirmed(order("1")));
        let plan = cancel(&confirmed, &order("1")).unwrap().unwrap();
        assert_eq!(plan.seats, [7, 8].map(|seat| (seat, Expected::Is(Some(confirmed.sold())))));
        assert_eq!((plan.state, plan.into_hold().state), (None, HoldState::Cancelled(order("1"))));
        assert_eq!(cancel(&hold(HoldState::Cancelled(order("1"))), &order("1")).unwrap(), None);
        assert!(matches!(cancel(&confirmed, &order("2")), Err(Error::HoldUnusable)));
        assert!(matches!(cancel(&hold(HoldState::Held), &order("1")), Err(Error::HoldUnusable)));
    }

    #[test]
    fn box_office_sells_free_and_blocked_seats() {
        let event = event();
        let blocked = Taken::Blocked { block: Uuid::nil() };
        let states = States::from([
            (1, blocked),
            (2, Taken::Held { hold: Uuid::nil(), until: 200 }),
            (3, Taken::Held { hold: Uuid::nil(), until: 201 }),
            (4, Taken::Sold { hold: Uuid::nil() }),
        ]);
        let order = order("1");
        let sell = |seats: &[u32], charged| {
            let sale = BoxOfficeSale { order: &order, seats, amount: Price::from_stored(10_000), charged };
            sell(&event, &event.shows[0], &states, sale, at(200))
        };
        let plan = sell(&[0, 1, 2], PAID).unwrap();
        let free = Expected::Free(at(200));
        assert_eq!(plan.seats, [(0, free), (1, Expected::Is(Some(blocked))), (2, free)]);
        let Err(Error::SeatsTaken(taken)) = sell(&[3, 0, 4], PAID) else { panic!("sold twice") };
        assert_eq!(taken, [0, 2].map(|index| TakenSeat { index, is_own: false }));
        assert!(sell(&[0], Charged::Unchecked).is_ok());
        assert!(matches!(sell(&[0], Charged::Hundredths(1)), Err(Error::HoldUnusable)));
    }
}
