//! Sales of a show on the wire.

use api::{
    error::Error,
    fields::{Errors, Field, Nullable, Set},
};
use domain::{
    hold::{Hold, MAX_SOLD_SEATS, OrderId},
    price::Price,
};
use schemars::JsonSchema;
use seating::seat_map::SeatMap;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::holds::hold::{Amount, HeldSeat, PaidAmount, held_seats, hundredths, read_seats};

/// Body of a request to sell seats.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct SaleRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a, OrderId>,
    /// Ids of seats of the event.
    seat_ids: Field<'a, Set<Uuid, MAX_SOLD_SEATS>>,
    /// Amount that was charged. It must be the sum of the prices.
    amount: Field<'a, Nullable<PaidAmount>>,
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
        let seats = read_seats(&mut errors, self.seat_ids);
        let amount = errors.optional_number("amount", self.amount, |json| Ok(hundredths(json)));
        match order {
            Some(order) if errors.is_empty() => Ok(SoldSeats { order, seats, amount }),
            _ => Err(errors.into_error()),
        }
    }
}

/// Sale: a confirmed hold, or one of the box office.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Sale")]
pub struct SaleResponse<'a> {
    /// The hold, which a cancellation names.
    id: Uuid,
    #[schemars(with = "OrderId")]
    order_id: Option<&'a OrderId>,
    /// Member who bought the seats. Null if the box office sold them.
    member_id: Option<Uuid>,
    #[schemars(with = "Amount")]
    amount: Price,
    seats: Vec<HeldSeat<'a>>,
}

impl<'a> SaleResponse<'a> {
    /// Combines a confirmed hold with its hall.
    #[must_use]
    pub fn new(sale: &'a Hold, hall: &'a SeatMap) -> Self {
        Self {
            id: sale.id,
            order_id: sale.order(),
            member_id: sale.member,
            amount: sale.amount,
            seats: held_seats(sale, hall),
        }
    }
}
