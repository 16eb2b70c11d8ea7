//! Sales of a show on the wire.

use api::{
    error::Error,
    fields::{Errors, Field},
};
use domain::{
    hold::{Hold, MAX_SOLD_SEATS, OrderId},
    idempotency::{Fingerprint, IdempotencyKey},
    price::Price,
    seats::selling::Charged,
};
use seating::seat_map::SeatMap;
use serde::{Deserialize, Serialize};
use storage::sales::NewSale;
use uuid::Uuid;

use crate::holds::hold::{HeldSeat, held_seats, read_seats};

/// Body of a request to sell seats.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SaleRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a>,
    seat_ids: Field<'a>,
    amount: Field<'a>,
}

impl SaleRequest<'_> {
    /// Validates the fields of a request with this idempotency key and the fingerprint of its body.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn sale(self, key: Option<(IdempotencyKey, Fingerprint)>) -> Result<NewSale, Error> {
        let mut errors = Errors::default();
        let order = errors.text("orderId", self.order_id, OrderId::parse);
        let seats = read_seats(&mut errors, self.seat_ids, MAX_SOLD_SEATS);
        let amount = self.amount.not_null();
        let charged = amount.and_then(|field| errors.number("amount", field, |json| Ok(Charged::parse(json))));
        match order {
            Some(order) if errors.is_empty() => {
                Ok(NewSale { order, seats, charged: charged.unwrap_or(Charged::Unchecked), key })
            }
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
