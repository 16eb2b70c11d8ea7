//! Returns a hold to its member: `GET /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::holds::Holds;

use crate::{caller::AuthenticatedMember, environment::Environment, holds::hold::HoldResponse, operation::Operation};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Get {
    holds: Holds,
}

/// Gets a hold.
///
/// Only the member who made it may, for 30 days.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}",
    operation_id = "holds-get",
    responses((status = 200, description = "The hold.", body = ref("Hold"))),
)]
pub fn operation() {}

impl Operation for Get {
    type Caller = AuthenticatedMember;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { holds: Holds::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(
        &self,
        AuthenticatedMember(member): AuthenticatedMember,
        request: Request,
    ) -> Result<Response, Error> {
        let hold = self.holds.get(request::show_id(&request)?, member, request::hold_id(&request)).await?;
        envelope::ok(messages::HOLD_FOUND, &HoldResponse::new(&hold.hold, hold.status, &hold.hall))
    }
}
