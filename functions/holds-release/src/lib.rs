//! Releases a hold of a member: `DELETE /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
    serve::Handler,
};
use credentials::session::AccessVerifier;
use lambda_http::Request;
use storage::holds::Holds;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Release {
    verifier: AccessVerifier,
    holds: Holds,
}

impl Release {
    /// Builds the endpoint on the verifier of members and the holds.
    #[must_use]
    pub fn new(verifier: AccessVerifier, holds: Holds) -> Self {
        Self { verifier, holds }
    }
}

/// Releases a hold.
///
/// Its seats are free at once. A hold that is released or has expired stays as it is.
#[utoipa::path(
    delete,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}",
    operation_id = "holds-release",
    params(("eventId", Path), ("showId", Path), ("holdId", Path)),
    security(("member" = [])),
    responses((status = 204, description = "The seats are not held. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["C_008", "AS_002", "E_002", "H_004", "H_005"]))),
)]
pub fn operation() {}

impl Handler for Release {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let token = request::bearer_token(request.headers());
        let member = self.verifier.member(token, request::base_url(&request)?).await?;
        let place = request::show_id(&request);
        if place.is_err() {
            self.holds.expect_member(member).await?;
        }
        self.holds.release(place?.into(), member, request::hold_id(&request)).await?;
        Ok(envelope::no_content(messages::HOLD_RELEASED))
    }
}
