//! Logs a member in, and starts a session: `POST /api/v1/auth/login`.

use api::{
    account::LoginRequest,
    client,
    envelope::{self, Response},
    error::Error,
    messages, request,
    serve::Handler,
    session::TokenResponse,
};
use credentials::{Verifier, session::TokenIssuer};
use domain::password::Hasher;
use lambda_http::Request;
use storage::{session::Sessions, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Login {
    verifier: Verifier,
    sessions: Sessions,
    tokens: TokenIssuer,
}

impl Login {
    /// Builds the endpoint on a table.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher, tokens: TokenIssuer) -> Self {
        Self { verifier: Verifier::new(table.clone(), hasher), sessions: Sessions::new(table), tokens }
    }
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
    extensions(("x-failures" = json!(["C_001", "C_002", "C_004", "C_005", "AL_001", "AL_002"]))),
)]
pub fn operation() {}

impl Handler for Login {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let client = client::address(&request);
        let credentials = request::json::<LoginRequest>(&request)?.credentials()?;
        let issuer = request::base_url(&request)?;
        let stored = self.verifier.log_in(&credentials, &client).await?;
        let refresh = self.sessions.start(&stored).await?;
        let tokens = self.tokens.issue(issuer, stored.member.id, refresh).await?;
        envelope::ok(messages::LOGGED_IN, &TokenResponse::from(tokens))
    }
}
