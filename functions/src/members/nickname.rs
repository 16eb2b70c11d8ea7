//! Changes the nickname of a member who is logged in: `PATCH /api/v1/members/{memberId}/nickname`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::{Errors, Field},
    messages, request,
};
use domain::{
    error::Cause,
    member::{Member, Nickname},
};
use lambda_http::Request;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storage::members::member_store::{Members, StoredMember};
use uuid::Uuid;

use crate::{caller::AuthenticatedMember, environment::Environment, operation::Operation};

/// Body of a request to change the nickname.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct NicknameRequest<'a> {
    #[serde(borrow)]
    nickname: Field<'a, Nickname>,
}

/// Member with a changed nickname.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ChangedNickname")]
pub struct NicknameResponse<'a> {
    id: Uuid,
    nickname: &'a Nickname,
}

/// Endpoint with its stores.
#[derive(Debug)]
pub struct ChangeNickname {
    members: Members,
}

/// Changes the nickname.
///
/// Only the member may, with an access token. Other changes need the password (`members-edit`).
#[utoipa::path(
    patch,
    path = "/api/v1/members/{memberId}/nickname",
    operation_id = "members-nickname",
    request_body = ref("NicknameRequest"),
    responses((status = 200, description = "The nickname is changed.", body = ref("ChangedNickname"))),
    extensions(("x-failures" = json!(["AJ_002"]))),
)]
pub fn operation() {}

impl Operation for ChangeNickname {
    type Caller = AuthenticatedMember;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { members: Members::new(environment.table().await?) })
    }

    async fn handle(
        &self,
        AuthenticatedMember(member): AuthenticatedMember,
        request: Request,
    ) -> Result<Response, Error> {
        let id = request::member_id(&request);
        let stored = self.members.own(member, id).await?;
        let nickname = request::json::<NicknameRequest>(&request)?.nickname()?;
        let attempt = async |is_first: bool| {
            let old = if is_first { stored.clone() } else { self.members.authenticated(id).await? };
            let member = Member { nickname: nickname.clone(), ..old.member.clone() };
            let response = envelope::ok(messages::MEMBER_EDITED, &NicknameResponse::from(&member));
            if response.is_ok() && member != old.member {
                self.members.replace(&old, &StoredMember { member, ..old.clone() }).await?;
            }
            Ok(response)
        };
        self.members.until_decided(attempt).await?
    }
}

impl NicknameRequest<'_> {
    /// Validates the nickname.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn nickname(self) -> Result<Nickname, Error> {
        let mut errors = Errors::default();
        let nickname = errors.text("nickname", self.nickname, Nickname::parse);
        nickname.ok_or_else(|| errors.into_error())
    }
}

impl<'a> From<&'a Member> for NicknameResponse<'a> {
    fn from(member: &'a Member) -> Self {
        Self { id: member.id, nickname: &member.nickname }
    }
}
