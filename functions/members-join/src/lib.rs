//! Registers a member: `POST /api/v1/members/join`.

use api::{
    account::{JoinRequest, MemberResponse},
    envelope::{self, Response},
    error::Error,
    fields::Parse,
    messages, request,
    serve::Handler,
};
use domain::{
    error::Error as DomainError,
    member::Member,
    password::{Hasher, Password},
};
use lambda_http::Request;
use runtime::hashing_time::measure_hash;
use storage::{member::Members, table::Table};
use uuid::Uuid;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Join {
    members: Members,
    hasher: Hasher,
    parse_new_password: Parse<Password>,
}

impl Join {
    /// Builds the endpoint on a table, with the hasher and the parser of new passwords.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher, parse_new_password: Parse<Password>) -> Self {
        Self { members: Members::new(table), hasher, parse_new_password }
    }
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

impl Handler for Join {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let registration = request::json::<JoinRequest>(&request)?.registration(self.parse_new_password)?;
        let hash = measure_hash(|| self.hasher.hash(&registration.password)).map_err(DomainError::Unexpected)?;
        let member = Member::new(Uuid::new_v4(), registration);

        let location = format!("/api/v1/members/{}", member.id);
        let response = envelope::created(&location, messages::JOINED, &MemberResponse::from(&member))?;
        self.members.add(&member, &hash).await?;
        Ok(response)
    }
}
