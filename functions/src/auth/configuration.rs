//! Publishes where the keys of access tokens are: `GET /.well-known/openid-configuration`.

use api::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    json, request,
};
use domain::error::Cause;
use lambda_http::Request;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    auth::keys,
    caller::Anyone,
    environment::Environment,
    operation::{Cache, Operation},
};

/// Path of the document.
pub const PATH: &str = "/.well-known/openid-configuration";

/// Metadata with which libraries verify access tokens (OpenID Connect Discovery 1.0).
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Configuration")]
pub struct Document<'a> {
    /// Value of `iss` in access tokens.
    issuer: &'a str,
    jwks_uri: String,
    response_types_supported: &'static [&'static str],
    subject_types_supported: &'static [&'static str],
    id_token_signing_alg_values_supported: &'static [&'static str],
}

impl<'a> Document<'a> {
    /// Builds the document of the service at an address.
    #[must_use]
    pub fn new(issuer: &'a str) -> Self {
        Self {
            issuer,
            jwks_uri: format!("{issuer}{}", keys::PATH),
            response_types_supported: &[],
            subject_types_supported: &["public"],
            id_token_signing_alg_values_supported: &["ES256"],
        }
    }
}

/// Endpoint without stores.
#[derive(Debug)]
pub struct Configuration;

/// Returns the address of the keys.
///
/// The part of OpenID Connect Discovery 1.0 with which libraries find the keys, without the envelope.
#[utoipa::path(
    get,
    path = PATH,
    operation_id = "auth-configuration",
    responses((status = 200, description = "The issuer.", body = ref("Configuration"))),
)]
pub fn operation() {}

impl Operation for Configuration {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneHour;

    async fn new(_: &impl Environment) -> Result<Self, Cause> {
        Ok(Self)
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        let issuer = request::base_url(&request)?;
        let document = serde_json::to_string(&Document::new(issuer)).map_err(Error::unexpected)?;
        envelope::document(json::MEDIA_TYPE, document, ContentEncoding::Identity)
    }
}
