//! Changes the nickname of a member who is logged in: `PATCH /api/v1/members/{memberId}/nickname`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
    serve::Handler,
    session::{NicknameRequest, NicknameResponse},
};
use credentials::session::Profiles;
use domain::member::Member;
use lambda_http::Request;
use storage::member::StoredMember;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct ChangeNickname {
    profiles: Profiles,
}

impl ChangeNickname {
    /// Builds the endpoint on the profiles of members.
    #[must_use]
    pub fn new(profiles: Profiles) -> Self {
        Self { profiles }
    }
}

/// Changes the nickname.
///
/// Only the member may, with an access token. Other changes need the password (`members-edit`).
#[utoipa::path(
    patch,
    path = "/api/v1/members/{memberId}/nickname",
    operation_id = "members-nickname",
    params(("memberId", Path)),
    security(("member" = [])),
    request_body = ref("NicknameRequest"),
    responses((status = 200, description = "The nickname is changed.", body = ref("ChangedNickname"))),
    extensions(("x-failures" = json!(["C_001", "C_002", "C_004", "C_005", "AJ_002", "AS_002", "AS_003"]))),
)]
pub fn operation() {}

impl Handler for ChangeNickname {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let token = request::bearer_token(request.headers());
        let id = request::member_id(&request);
        let mut old = self.profiles.read(token, request::base_url(&request)?, id).await?;
        let nickname = request::json::<NicknameRequest>(&request)?.nickname()?;
        // A transaction is only lost to one that succeeded, so some request always makes progress.
        loop {
            let member = Member { nickname: nickname.clone(), ..old.member.clone() };
            let response = envelope::ok(messages::MEMBER_EDITED, &NicknameResponse::from(&member))?;
            if member == old.member || self.profiles.replace(&old, &StoredMember { member, ..old.clone() }).await? {
                return Ok(response);
            }
            old = self.profiles.stored(id).await?;
        }
    }
}
