//! Gives the seats of a hold to an order: `POST /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/confirmation`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::{Errors, Field},
    messages, request,
};
use domain::{error::Cause, hold::OrderId, seats::selling::Charged};
use lambda_http::Request;
use schemars::JsonSchema;
use serde::Deserialize;
use storage::seats::holds::Holds;

use crate::{caller::SeatSeller, environment::Environment, holds::hold::HoldResponse, operation::Operation};

/// Body of a request to confirm a hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(rename = "Confirmation")]
pub struct ConfirmationRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a, OrderId>,
    /// Amount that was charged. It must be that of the hold.
    amount: Field<'a, Charged>,
}

/// Order that paid for a hold.
#[derive(Debug)]
pub struct Confirmation {
    /// The order.
    pub order: OrderId,
    /// Amount that was charged.
    pub charged: Charged,
}

impl ConfirmationRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn confirmation(self) -> Result<Confirmation, Error> {
        let mut errors = Errors::default();
        let order = errors.text("orderId", self.order_id, OrderId::parse);
        let charged = errors.number("amount", self.amount, |json| Ok(Charged::parse(json)));
        match (order, charged) {
            (Some(order), Some(charged)) => Ok(Confirmation { order, charged }),
            _ => Err(errors.into_error()),
        }
    }
}

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Confirm {
    holds: Holds,
}

/// Gives the seats of a hold to an order.
///
/// The owner of the event may, and an order service. The same order with the same amount again changes nothing. A hold
/// that has expired is confirmed too, if nobody else has one of its seats.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/confirmation",
    operation_id = "holds-confirm",
    params(("x-api-managerId", Header)),
    request_body = ref("Confirmation"),
    responses((status = 200, description = "The order has the seats.", body = ref("Hold"))),
    extensions(("x-failures" = json!(["H_004"]))),
)]
pub fn operation() {}

impl Operation for Confirm {
    type Caller = SeatSeller;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { holds: Holds::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, SeatSeller(seller): SeatSeller, request: Request) -> Result<Response, Error> {
        let confirmation = request::json::<ConfirmationRequest>(&request)?.confirmation()?;
        let (show, hold) = (request::show_id(&request)?, request::hold_id(&request));
        let hold = self.holds.confirm(show, seller.events, hold, &confirmation.order, confirmation.charged).await?;
        envelope::ok(messages::HOLD_CONFIRMED, &HoldResponse::new(&hold.hold, hold.status, &hold.hall))
    }
}
