//! Registers a member: `POST /api/v1/members/join`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::Parse,
    messages, request,
};
use domain::hashing_time::measure_hash;
use domain::{
    error::{Cause, Error as DomainError},
    member::Member,
    password::{Hasher, Password, common::CommonPasswords},
};
use lambda_http::Request;
use storage::member::Members;
use uuid::Uuid;

use crate::{
    caller::Anyone,
    environment::Environment,
    members::account::{JoinRequest, MemberResponse},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Join {
    members: Members,
    hasher: Hasher,
    parse_new_password: Parse<Password>,
}

/// Registers a member.
///
/// The e-mail address and the nickname must be unique. A deployment may reject passwords of fewer than eight
/// characters, and common ones.
#[utoipa::path(
    post,
    path = "/api/v1/members/join",
    operation_id = "members-join",
    request_body = ref("JoinRequest"),
    responses((status = 201, description = "The member is registered.", body = ref("Member"), headers(("Location")))),
    extensions(("x-failures" = json!(["C_001", "C_002", "C_004", "C_005", "AJ_001", "AJ_002"]))),
)]
pub fn operation() {}

/// Registers a member, at the path of sessions.
///
/// Takes and returns what `members-join` does.
#[utoipa::path(
    post,
    path = "/api/v1/auth/join",
    operation_id = "auth-join",
    request_body = ref("JoinRequest"),
    responses((status = 201, description = "The member is registered.", body = ref("Member"), headers(("Location")))),
    extensions(("x-failures" = json!(["C_001", "C_002", "C_004", "C_005", "AJ_001", "AJ_002"]))),
)]
pub fn operation_at_auth() {}

impl Operation for Join {
    type Caller = Anyone;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let common: CommonPasswords = environment.parse("COMMON_PASSWORDS")?;
        let (members, hasher) = (Members::new(environment.table().await?), environment.hasher()?);
        Ok(Self { members, hasher, parse_new_password: common.parser() })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        let registration = request::json::<JoinRequest>(&request)?.registration(self.parse_new_password)?;
        let hash = measure_hash(|| self.hasher.hash(&registration.password)).map_err(DomainError::Unexpected)?;
        let member = Member::new(Uuid::new_v4(), registration);

        let location = format!("/api/v1/members/{}", member.id);
        let response = envelope::created(&location, messages::JOINED, &MemberResponse::from(&member))?;
        self.members.add(&member, &hash).await?;
        Ok(response)
    }
}
