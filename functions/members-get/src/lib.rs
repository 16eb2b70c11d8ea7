//! Returns a member to themselves: `GET /api/v1/members/{memberId}`.

use api::{
    account::MemberResponse,
    envelope::{self, Response},
    error::Error,
    messages, request,
    serve::Handler,
};
use credentials::session::Profiles;
use lambda_http::Request;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Get {
    profiles: Profiles,
}

impl Get {
    /// Builds the endpoint on the profiles of members.
    #[must_use]
    pub fn new(profiles: Profiles) -> Self {
        Self { profiles }
    }
}

/// Gets a member.
///
/// Only the member may, with an access token.
#[utoipa::path(
    get,
    path = "/api/v1/members/{memberId}",
    operation_id = "members-get",
    params(("memberId", Path)),
    security(("member" = [])),
    responses((status = 200, description = "The member.", body = ref("Member"))),
    extensions(("x-failures" = json!(["AS_002", "AS_003"]))),
)]
pub fn operation() {}

impl Handler for Get {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let token = request::bearer_token(request.headers());
        let stored = self.profiles.read(token, request::base_url(&request)?, request::member_id(&request)).await?;
        envelope::ok(messages::MEMBER_FOUND, &MemberResponse::from(&stored.member))
    }
}
