//! Frees the seats of an order: `POST /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/cancellation`.

use api::{
    envelope::{self, Response},
    error::Error,
    hold::{CancellationRequest, HoldResponse},
    manager, messages, request,
    serve::Handler,
};
use lambda_http::Request;
use storage::holds::Holds;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Cancel {
    holds: Holds,
}

impl Cancel {
    /// Builds the endpoint on the holds; verified managers use it only for their own events.
    #[must_use]
    pub fn new(holds: Holds) -> Self {
        Self { holds }
    }
}

/// Frees the seats of an order.
///
/// The owner of the event may, and an order service. The same order again changes nothing.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/cancellation",
    operation_id = "holds-cancel",
    params(("eventId", Path), ("showId", Path), ("holdId", Path), ("x-api-managerId", Header)),
    request_body = ref("Cancellation"),
    security((), ("manager" = [])),
    responses((status = 200, description = "The seats are free.", body = ref("Hold"))),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_008", "AM_001", "AM_002", "E_002", "H_004", "H_005"
    ]))),
)]
pub fn operation() {}

impl Handler for Cancel {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let owner = manager::order_service(&request)?;
        let order = request::json::<CancellationRequest>(&request)?.order()?;
        let (place, hold) = (request::show_id(&request)?.into(), request::hold_id(&request));
        let hold = self.holds.cancel(place, owner, hold, &order).await?;
        envelope::ok(messages::ORDER_CANCELLED, &HoldResponse::new(&hold.hold, hold.status, &hold.hall))
    }
}
