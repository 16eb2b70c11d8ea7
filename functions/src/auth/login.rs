//! Logs a member in, and starts a session: `POST /api/v1/auth/login`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::{credentials::Verifier, session::TokenIssuer};
use domain::error::Cause;
use lambda_http::Request;
use storage::members::sessions::Sessions;

use crate::{
    auth::tokens::TokenResponse, caller::Client, environment::Environment, members::account::LoginRequest,
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Login {
    verifier: Verifier,
    sessions: Sessions,
    tokens: TokenIssuer,
}

/// Starts a session.
///
/// Logs a member in. Returns an access token, which is valid for `expiresIn` seconds, and a refresh token, which can be
/// used once to get both again. The session lasts 14 days after its last refresh, and at most 90 days. Failures are
/// those of `members-login`, and count together with them.
#[utoipa::path(
    post,
    path = "/api/v1/auth/login",
    operation_id = "auth-login",
    request_body = ref("LoginRequest"),
    responses((status = 200, description = "The credentials are correct.", body = ref("Tokens"))),
    extensions(("x-failures" = json!(["AL_001", "AL_002"]))),
)]
pub fn operation() {}

impl Operation for Login {
    type Caller = Client;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let (table, tokens) = (environment.table().await?, environment.token_issuer().await?);
        Ok(Self {
            verifier: Verifier::new(table.clone(), environment.hasher()?),
            sessions: Sessions::new(table),
            tokens,
        })
    }

    async fn handle(&self, Client(client): Client, request: Request) -> Result<Response, Error> {
        let credentials = request::json::<LoginRequest>(&request)?.credentials()?;
        let issuer = request::base_url(&request)?;
        let stored = self.verifier.log_in(&credentials, &client).await?;
        let refresh = self.sessions.start(&stored).await?;
        let tokens = self.tokens.issue(issuer, stored.member.id, refresh).await?;
        envelope::ok(messages::LOGGED_IN, &TokenResponse::from(tokens))
    }
}
