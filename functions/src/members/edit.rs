//! Changes a member: `PATCH /api/v1/members/{memberId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::Parse,
    messages, request,
};
use auth::credentials::Verifier;
use domain::{
    error::Cause,
    password::{Password, common::CommonPasswords},
};
use lambda_http::Request;
use storage::members::member_store::{Members, StoredMember};

use crate::{
    caller::Client,
    environment::Environment,
    members::account::{EditMemberRequest, MemberResponse},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Edit {
    members: Members,
    verifier: Verifier,
    parse_new_password: Parse<Password>,
}

/// Changes a member.
///
/// Changes the fields that are sent; the password alone changes nothing. A field can be changed, but not removed. The
/// old nickname is free at once. A deployment may reject short and common new passwords. An unknown id and a wrong
/// password look alike.
#[utoipa::path(
    patch,
    path = "/api/v1/members/{memberId}",
    operation_id = "members-edit",
    request_body = ref("EditMemberRequest"),
    responses((status = 200, description = "The member, as a login returns it.", body = ref("Member"))),
    extensions(("x-failures" = json!(["AJ_002", "AL_001", "AL_002"]))),
)]
pub fn operation() {}

impl Operation for Edit {
    type Caller = Client;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let (table, hasher) = (environment.table().await?, environment.hasher()?);
        let common: CommonPasswords = environment.parse("COMMON_PASSWORDS")?;
        let members = Members::new(table.clone());
        Ok(Self { members, verifier: Verifier::new(table, hasher), parse_new_password: common.parser() })
    }

    async fn handle(&self, Client(client): Client, request: Request) -> Result<Response, Error> {
        let id = request::member_id(&request);
        let edit = request::json::<EditMemberRequest>(&request)?.edit(self.parse_new_password)?;
        let verified = self.verifier.by_id(id, &edit.password, &client).await?;
        let new_hash = edit.new_password.as_ref().map(|password| self.verifier.hash(password)).transpose()?;
        let attempt = async |is_first: bool| {
            let again = self.verifier.again(&verified, &edit.password, &client);
            let old = if is_first { verified.clone() } else { again.await? };
            let member = edit.apply(&old.member);
            let response = envelope::ok(messages::MEMBER_EDITED, &MemberResponse::from(&member));
            if response.is_ok() && (new_hash.is_some() || member != old.member) {
                let password = new_hash.as_ref().unwrap_or(&old.password).clone();
                // A new password ends all sessions.
                let epoch = old.epoch + u64::from(new_hash.is_some());
                self.members.replace(&old, &StoredMember { member, password, epoch, ..old.clone() }).await?;
            }
            Ok(response)
        };
        self.members.until_decided(attempt).await?
    }
}
