//! Continues the session of a member: `POST /api/v1/auth/refresh`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::session::TokenIssuer;
use domain::error::{Cause, Error as DomainError};
use lambda_http::Request;
use storage::members::sessions::Sessions;

use crate::{
    auth::tokens::{RefreshRequest, TokenResponse},
    caller::Anyone,
    environment::Environment,
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Refresh {
    sessions: Sessions,
    tokens: TokenIssuer,
}

/// Continues a session.
///
/// Returns a new access token and a new refresh token. A response can be lost, and a tab can be slow: within 60 seconds
/// of its first use, a refresh token gets the newest one of the session again. If it is used later, or is older than
/// the last 50, somebody else may have it, so the session ends (`AS_001`). A new password and a withdrawal end all
/// sessions of a member.
#[utoipa::path(
    post,
    path = "/api/v1/auth/refresh",
    operation_id = "auth-refresh",
    request_body = ref("RefreshRequest"),
    responses((status = 200, description = "The session continues.", body = ref("Tokens"))),
    extensions(("x-failures" = json!(["AS_001"]))),
)]
pub fn operation() {}

impl Operation for Refresh {
    type Caller = Anyone;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { sessions: Sessions::new(environment.table().await?), tokens: environment.token_issuer().await? })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        let token = request::json::<RefreshRequest>(&request)?.token()?;
        let issuer = request::base_url(&request)?;
        let token = self.tokens.refresh_token(&token).ok_or(DomainError::InvalidRefreshToken)?;
        let refreshed = self.sessions.refresh(token).await?;
        let tokens = self.tokens.issue(issuer, refreshed.member, refreshed.token).await?;
        envelope::ok(messages::REFRESHED, &TokenResponse::from(tokens))
    }
}
