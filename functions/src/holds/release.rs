//! Releases a hold of a member: `DELETE /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::holds::Holds;

use crate::{caller::AuthenticatedMember, environment::Environment, operation::Operation};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Release {
    holds: Holds,
}

/// Releases a hold.
///
/// Its seats are free at once. A hold that is released or has expired stays as it is.
#[utoipa::path(
    delete,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}",
    operation_id = "holds-release",
    responses((status = 204, description = "The seats are not held. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["H_004"]))),
)]
pub fn operation() {}

impl Operation for Release {
    type Caller = AuthenticatedMember;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { holds: Holds::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(
        &self,
        AuthenticatedMember(member): AuthenticatedMember,
        request: Request,
    ) -> Result<Response, Error> {
        self.holds.release(request::show_id(&request)?, member, request::hold_id(&request)).await?;
        Ok(envelope::no_content(messages::HOLD_RELEASED))
    }
}
