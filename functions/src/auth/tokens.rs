//! Sessions of members on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use api::{
    declared,
    error::Error,
    fields::{Errors, Field},
};
use auth::refresh_token::Tokens;
use domain::{described, text};

/// Body of a request to continue or to end a session.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct RefreshRequest<'a> {
    #[serde(borrow)]
    refresh_token: Field<'a, RefreshToken>,
}

/// Refresh token, of any form.
struct RefreshToken;

described!(RefreshToken as "RefreshToken", {
    "description": "Text of `A-Z a-z 0-9 - _ .`, at most 200 characters. It can be used once. Any other text means \
                    nothing.",
    "type": "string",
    "minLength": 1,
    "pattern": *text::VISIBLE,
});

declared!(RefreshToken => String);

/// Tokens of a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Tokens")]
pub struct TokenResponse {
    /// JWT (RFC 9068), which the routes of members and other services accept as `Authorization: Bearer`.
    pub access_token: String,
    /// Scheme of the access token.
    #[schemars(extend("enum" = ["Bearer"]))]
    pub token_type: &'static str,
    /// Seconds for which the access token is valid.
    pub expires_in: u64,
    /// Refresh token of `A-Z a-z 0-9 - _ .`, at most 200 characters, which can be used once.
    #[schemars(with = "RefreshToken")]
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
