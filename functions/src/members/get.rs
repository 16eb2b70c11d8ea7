//! Returns a member to themselves: `GET /api/v1/members/{memberId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::session::Profiles;
use domain::error::Cause;
use lambda_http::Request;

use crate::{
    caller::AuthenticatedMember, environment::Environment, members::account::ProfileResponse, operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Get {
    profiles: Profiles,
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
        Ok(Self { profiles: Profiles::new(environment.table().await?) })
    }

    async fn handle(
        &self,
        AuthenticatedMember(member): AuthenticatedMember,
        request: Request,
    ) -> Result<Response, Error> {
        let stored = self.profiles.read(member, request::member_id(&request)).await?;
        envelope::ok(messages::MEMBER_FOUND, &ProfileResponse::from(&stored))
    }
}
