//! Sales of a show on the wire.

use api::{
    error::Error,
    fields::{Errors, Field, Nullable, Set},
};
use domain::{
    hold::{Hold, OrderId},
    idempotency::{Fingerprint, IdempotencyKey},
    price::Price,
    seats::selling::{Charged, MAX_SOLD_SEATS},
};
use schemars::JsonSchema;
use seating::seat_map::SeatMap;
use serde::{Deserialize, Serialize};
use storage::seats::sales::NewSale;
use uuid::Uuid;

use crate::{
    holds::hold::{Amount, HeldSeat, held_seats},
    seats::seat_ids::read_seats,
};

/// Body of a request to sell seats.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct SaleRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a, OrderId>,
    /// Ids of seats of the event.
    seat_ids: Field<'a, Set<Uuid, MAX_SOLD_SEATS>>,
    /// Amount that was charged. It must be the sum of the prices.
    amount: Field<'a, Nullable<Charged>>,
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
        let seats = read_seats(&mut errors, self.seat_ids);
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
