//! Sessions of members on the wire.

use serde::{Deserialize, Serialize};

use api::{
    error::Error,
    fields::{Errors, Field},
};
use auth::refresh_token::Tokens;

/// Body of a request to continue or to end a session.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RefreshRequest<'a> {
    #[serde(borrow)]
    refresh_token: Field<'a>,
}

/// Tokens of a session.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenResponse {
    /// Access token.
    pub access_token: String,
    /// Scheme of the access token.
    pub token_type: &'static str,
    /// Seconds for which the access token is valid.
    pub expires_in: u64,
    /// Refresh token, which can be used once.
    pub refresh_token: String,
}

impl RefreshRequest<'_> {
    /// Returns the token, of any form.
    ///
    /// # Errors
    ///
    /// Returns `Fields` if it is missing or not a text.
    pub fn token(self) -> Result<String, Error> {
        let mut errors = Errors::default();
        let token = errors.text("refreshToken", self.refresh_token, |text| Ok(text.to_owned()));
        token.ok_or_else(|| errors.into_error())
    }
}

impl From<Tokens> for TokenResponse {
    fn from(tokens: Tokens) -> Self {
        Self {
            access_token: tokens.access,
            token_type: "Bearer",
            expires_in: tokens.expires_in,
            refresh_token: tokens.refresh,
        }
    }
}
