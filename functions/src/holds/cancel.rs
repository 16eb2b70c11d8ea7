//! Frees the seats of an order: `POST /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/cancellation`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::{Errors, Field},
    messages, request,
};
use domain::{error::Cause, hold::OrderId};
use lambda_http::Request;
use schemars::JsonSchema;
use serde::Deserialize;
use storage::seats::holds::Holds;

use crate::{caller::SeatSeller, environment::Environment, holds::hold::HoldResponse, operation::Operation};

/// Body of a request to cancel an order.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(rename = "Cancellation")]
pub struct CancellationRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a, OrderId>,
}

impl CancellationRequest<'_> {
    /// Validates the order.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn order(self) -> Result<OrderId, Error> {
        let mut errors = Errors::default();
        let order = errors.text("orderId", self.order_id, OrderId::parse);
        order.ok_or_else(|| errors.into_error())
    }
}

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Cancel {
    holds: Holds,
}

/// Frees the seats of an order.
///
/// The owner of the event may, and an order service. The same order again changes nothing.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/cancellation",
    operation_id = "holds-cancel",
    params(("x-api-managerId", Header)),
    request_body = ref("Cancellation"),
    responses((status = 200, description = "The seats are free.", body = ref("Hold"))),
    extensions(("x-failures" = json!(["H_004"]))),
)]
pub fn operation() {}

impl Operation for Cancel {
    type Caller = SeatSeller;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { holds: Holds::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, SeatSeller(seller): SeatSeller, request: Request) -> Result<Response, Error> {
        let order = request::json::<CancellationRequest>(&request)?.order()?;
        let (show, hold) = (request::show_id(&request)?, request::hold_id(&request));
        let hold = self.holds.cancel(show, seller.events, hold, &order).await?;
        envelope::ok(messages::ORDER_CANCELLED, &HoldResponse::new(&hold.hold, hold.status, &hold.hall))
    }
}
