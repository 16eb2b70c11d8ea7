//! Returns a hold to its member: `GET /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    hold::HoldResponse,
    messages, request,
    serve::Handler,
};
use credentials::session::AccessVerifier;
use lambda_http::Request;
use storage::holds::Holds;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Get {
    verifier: AccessVerifier,
    holds: Holds,
}

impl Get {
    /// Builds the endpoint on the verifier of members and the holds.
    #[must_use]
    pub fn new(verifier: AccessVerifier, holds: Holds) -> Self {
        Self { verifier, holds }
    }
}

/// Gets a hold.
///
/// Only the member who made it may, for 30 days.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}",
    operation_id = "holds-get",
    params(("eventId", Path), ("showId", Path), ("holdId", Path)),
    security(("member" = [])),
    responses((status = 200, description = "The hold.", body = ref("Hold"))),
    extensions(("x-failures" = json!(["C_008", "AS_002", "E_002", "H_005"]))),
)]
pub fn operation() {}

impl Handler for Get {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let token = request::bearer_token(request.headers());
        let member = self.verifier.member(token, request::base_url(&request)?).await?;
        let place = request::show_id(&request);
        if place.is_err() {
            self.holds.expect_member(member).await?;
        }
        let hold = self.holds.get(place?.into(), member, request::hold_id(&request)).await?;
        envelope::ok(messages::HOLD_FOUND, &HoldResponse::new(&hold.hold, hold.status, &hold.hall))
    }
}
