//! Gives the seats of a hold to an order: `POST /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/confirmation`.

use api::{
    envelope::{self, Response},
    error::Error,
    hold::{ConfirmationRequest, HoldResponse},
    manager, messages, request,
    serve::Handler,
};
use lambda_http::Request;
use storage::holds::Holds;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Confirm {
    holds: Holds,
}

impl Confirm {
    /// Builds the endpoint on the holds; verified managers use it only for their own events.
    #[must_use]
    pub fn new(holds: Holds) -> Self {
        Self { holds }
    }
}

/// Gives the seats of a hold to an order.
///
/// The owner of the event may, and an order service. The same order with the same amount again changes nothing. A hold
/// that has expired is confirmed too, if nobody else has one of its seats.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/confirmation",
    operation_id = "holds-confirm",
    params(("eventId", Path), ("showId", Path), ("holdId", Path), ("x-api-managerId", Header)),
    request_body = ref("Confirmation"),
    security((), ("manager" = [])),
    responses((status = 200, description = "The order has the seats.", body = ref("Hold"))),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_008", "AM_001", "AM_002", "E_002", "H_004", "H_005"
    ]))),
)]
pub fn operation() {}

impl Handler for Confirm {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let owner = manager::order_service(&request)?;
        let confirmation = request::json::<ConfirmationRequest>(&request)?.confirmation()?;
        let (place, hold) = (request::show_id(&request)?.into(), request::hold_id(&request));
        let hold = self.holds.confirm(place, owner, hold, &confirmation.order, confirmation.amount).await?;
        envelope::ok(messages::HOLD_CONFIRMED, &HoldResponse::new(&hold.hold, hold.status, &hold.hall))
    }
}
