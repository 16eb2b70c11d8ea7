//! Changes the nickname of a member who is logged in: `PATCH /api/v1/members/{memberId}/nickname`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::session::Profiles;
use domain::{error::Cause, member::Member};
use lambda_http::Request;
use storage::member::StoredMember;

use crate::{
    auth::tokens::{NicknameRequest, NicknameResponse},
    caller::AuthenticatedMember,
    environment::Environment,
    members::attempts::until_decided,
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct ChangeNickname {
    profiles: Profiles,
}

/// Changes the nickname.
///
/// Only the member may, with an access token. Other changes need the password (`members-edit`).
#[utoipa::path(
    patch,
    path = "/api/v1/members/{memberId}/nickname",
    operation_id = "members-nickname",
    params(("memberId", Path)),
    request_body = ref("NicknameRequest"),
    responses((status = 200, description = "The nickname is changed.", body = ref("ChangedNickname"))),
    extensions(("x-failures" = json!(["C_001", "C_002", "C_004", "C_005", "AJ_002", "AS_002", "AS_003"]))),
)]
pub fn operation() {}

impl Operation for ChangeNickname {
    type Caller = AuthenticatedMember;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { profiles: Profiles::new(environment.table().await?) })
    }

    async fn handle(
        &self,
        AuthenticatedMember(member): AuthenticatedMember,
        request: Request,
    ) -> Result<Response, Error> {
        let id = request::member_id(&request);
        let mut old = self.profiles.read(member, id).await?;
        let nickname = request::json::<NicknameRequest>(&request)?.nickname()?;
        until_decided(Box::pin(async {
            loop {
                let member = Member { nickname: nickname.clone(), ..old.member.clone() };
                let response = envelope::ok(messages::MEMBER_EDITED, &NicknameResponse::from(&member))?;
                if member == old.member || self.profiles.replace(&old, &StoredMember { member, ..old.clone() }).await? {
                    return Ok(response);
                }
                old = self.profiles.stored(id).await?;
            }
        }))
        .await
    }
}
