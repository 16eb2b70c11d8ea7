//! Ends the session of a member: `POST /api/v1/auth/logout`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::refresh_token::RefreshKey;
use domain::error::Cause;
use lambda_http::Request;
use storage::members::sessions::Sessions;

use crate::{auth::tokens::RefreshRequest, caller::Anyone, environment::Environment, operation::Operation};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Logout {
    sessions: Sessions,
    key: RefreshKey,
}

/// Ends a session.
///
/// Any refresh token of the session ends it, used or not. An invalid token gets the same response (RFC 7009, 2.2).
/// Access tokens of the session stay valid until they expire.
#[utoipa::path(
    post,
    path = "/api/v1/auth/logout",
    operation_id = "auth-logout",
    request_body = ref("RefreshRequest"),
    responses((status = 204, description = "The session has ended. HTTP sends no body with this status.")),
)]
pub fn operation() {}

impl Operation for Logout {
    type Caller = Anyone;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let key = RefreshKey::derive(&environment.parse("SESSION_SECRET")?);
        Ok(Self { sessions: Sessions::new(environment.table().await?), key })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        let token = request::json::<RefreshRequest>(&request)?.token()?;
        if let Some(token) = self.key.verify(&token) {
            self.sessions.end(token.session).await?;
        }
        Ok(envelope::no_content(messages::LOGGED_OUT))
    }
}
