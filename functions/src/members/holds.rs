//! Lists the holds of a member: `GET /api/v1/members/{memberId}/holds`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::{Cause, Error as DomainError};
use lambda_http::Request;
use storage::seats::holds::Holds;

use crate::{caller::AuthenticatedMember, environment::Environment, holds::hold::HoldResponse, operation::Operation};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct OwnHolds {
    holds: Holds,
}

/// Lists a member's own holds.
///
/// Returns those that are held or confirmed, or whose order was cancelled within 30 days, newest first, at most 100.
/// Those of deleted events and of drafts are left out. `showStatus` says if the show is postponed or cancelled, and
/// `notice` is what the manager tells its visitors.
#[utoipa::path(
    get,
    path = "/api/v1/members/{memberId}/holds",
    operation_id = "members-holds",
    responses((status = 200, description = "The holds.", body = ref("OwnHolds"))),
)]
pub fn operation() {}

impl Operation for OwnHolds {
    type Caller = AuthenticatedMember;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { holds: Holds::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(
        &self,
        AuthenticatedMember(member): AuthenticatedMember,
        request: Request,
    ) -> Result<Response, Error> {
        if request::member_id(&request) != member {
            return Err(DomainError::NotTheMember.into());
        }
        let holds = self.holds.list(member).await?;
        let holds = holds
            .iter()
            .map(|own| HoldResponse::new(&own.hold, own.status, &own.hall).with_show(&own.event, &own.show))
            .collect::<Vec<_>>();
        envelope::ok(messages::HOLDS_LISTED, &holds)
    }
}
