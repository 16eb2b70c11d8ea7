//! Returns a member to themselves: `GET /api/v1/members/{memberId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::members::member_store::Members;

use crate::{
    caller::AuthenticatedMember, environment::Environment, members::account::ProfileResponse, operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Get {
    members: Members,
}

/// Gets a member.
///
/// Only the member may, with an access token.
#[utoipa::path(
    get,
    path = "/api/v1/members/{memberId}",
    operation_id = "members-get",
    responses((status = 200, description = "The member.", body = ref("Profile"))),
)]
pub fn operation() {}

impl Operation for Get {
    type Caller = AuthenticatedMember;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { members: Members::new(environment.table().await?) })
    }

    async fn handle(
        &self,
        AuthenticatedMember(member): AuthenticatedMember,
        request: Request,
    ) -> Result<Response, Error> {
        let stored = self.members.own(member, request::member_id(&request)).await?;
        envelope::ok(messages::MEMBER_FOUND, &ProfileResponse::from(&stored))
    }
}
