//! Logs a member in: `POST /api/v1/members/login`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::credentials::Verifier;
use domain::error::Cause;
use lambda_http::Request;

use crate::{
    caller::Client,
    environment::Environment,
    members::account::{LoginRequest, MemberResponse},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Login {
    verifier: Verifier,
}

/// Logs a member in.
///
/// Returns the member; the response contains no token. Failed logins with one e-mail address are limited to 10 from one
/// client and 100 from all clients in 15 minutes. Over the limit, logins are rejected (`AL_002`). Edits and withdrawals
/// with a wrong password count too.
///
/// - Over a limit, even the correct password gets `AL_002`, until 15 minutes after the first failure. A success
///   resets the failures of its client.
#[utoipa::path(
    post,
    path = "/api/v1/members/login",
    operation_id = "members-login",
    request_body = ref("LoginRequest"),
    responses((status = 200, description = "The credentials are correct.", body = ref("Member"))),
    extensions(("x-failures" = json!(["AL_001", "AL_002"]))),
)]
pub fn operation() {}

impl Operation for Login {
    type Caller = Client;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { verifier: Verifier::new(environment.table().await?, environment.hasher()?) })
    }

    async fn handle(&self, Client(client): Client, request: Request) -> Result<Response, Error> {
        let credentials = request::json::<LoginRequest>(&request)?.credentials()?;
        let stored = self.verifier.log_in(&credentials, &client).await?;
        envelope::ok(messages::LOGGED_IN, &MemberResponse::from(&stored.member))
    }
}
