//! Sales of a show on the wire.

use api::{
    error::Error,
    fields::{Errors, Field},
};
use domain::{
    hold::{Hold, MAX_SOLD_SEATS, OrderId},
    price::Price,
};
use seating::seat_map::SeatMap;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::holds::hold::{HeldSeat, held_seats, hundredths, read_seats};

/// Body of a request to sell seats.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SaleRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a>,
    seat_ids: Field<'a>,
    amount: Field<'a>,
}

/// Seats that the box office sells.
#[derive(Debug)]
pub struct SoldSeats {
    /// The order.
    pub order: OrderId,
    /// Ids of the seats, all different.
    pub seats: Vec<Uuid>,
    /// Amount that was charged, in hundredths, if it is to be checked; `Some(None)` if no sale can have it.
    pub amount: Option<Option<u64>>,
}

impl SaleRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn sale(self) -> Result<SoldSeats, Error> {
        let mut errors = Errors::default();
        let order = errors.text("orderId", self.order_id, OrderId::parse);
        let seats = read_seats(&mut errors, self.seat_ids, MAX_SOLD_SEATS);
        let amount =
            self.amount.not_null().and_then(|field| errors.number("amount", field, |json| Ok(hundredths(json))));
        match order {
            Some(order) if errors.is_empty() => Ok(SoldSeats { order, seats, amount }),
            _ => Err(errors.into_error()),
        }
    }
}

/// Sale, as the list contains it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SaleResponse<'a> {
    id: Uuid,
    order_id: Option<&'a str>,
    member_id: Option<Uuid>,
    amount: Price,
    seats: Vec<HeldSeat<'a>>,
}

impl<'a> SaleResponse<'a> {
    /// Combines a confirmed hold with its hall.
    #[must_use]
    pub fn new(sale: &'a Hold, hall: &'a SeatMap) -> Self {
        Self {
            id: sale.id,
            order_id: sale.order().map(OrderId::as_str),
            member_id: sale.member,
            amount: sale.amount,
            seats: held_seats(sale, hall),
        }
    }
}
