//! Sold seats: confirmed holds, and sales of the box office.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    decimal,
    error::Error,
    event::Event,
    hold::{Hold, HoldState, OrderId, Taken},
    price::Price,
    seats::{
        holding::freed,
        plan::{Expected, HoldChange, Plan, States, expect_not_taken},
    },
    show::{Show, ShowStatus},
};

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
    expect_not_taken(sale.seats, states, now, true, None)?;
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
