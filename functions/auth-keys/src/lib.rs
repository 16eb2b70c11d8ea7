//! Publishes what other services need to verify access tokens: `GET /.well-known/jwks.json` and
//! `GET /.well-known/openid-configuration`.

use api::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    json,
    proxy::Route,
    request,
    serve::Handler,
};
use credentials::session::public_keys;
use domain::session::{PublicKey, Rotation, SessionSecret};
use lambda_http::{
    Request,
    http::header::{CACHE_CONTROL, HeaderValue},
};
use serde_json::{Value, json};

/// Path of the keys.
const KEYS: &str = "/.well-known/jwks.json";

/// Both documents change only if an operator rotates the key.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Endpoint with the keys.
#[derive(Debug)]
pub struct Keys {
    keys: Value,
}

impl Keys {
    /// Derives the keys from the secret of a deployment.
    #[must_use]
    pub fn new(secret: &SessionSecret, rotation: Rotation) -> Self {
        let keys: Vec<_> = public_keys(secret, rotation).iter().map(PublicKey::jwk).collect();
        Self { keys: json!({"keys": keys}) }
    }
}

/// Returns the keys of access tokens.
///
/// A JWK Set (RFC 7517), without the envelope: the current key, the one before and the next one.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    operation_id = "auth-keys",
    responses((status = 200, description = "The keys.", body = ref("KeySet"))),
)]
pub fn operation() {}

/// Returns the address of the keys.
///
/// The part of OpenID Connect Discovery 1.0 with which libraries find the keys, without the envelope.
#[utoipa::path(
    get,
    path = "/.well-known/openid-configuration",
    operation_id = "auth-configuration",
    responses((status = 200, description = "The issuer.", body = ref("Configuration"))),
)]
pub fn configuration() {}

impl Handler for Keys {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let document = match request.extensions().get::<Route>() {
            Some(Route(path)) if path == KEYS => self.keys.to_string(),
            _ => {
                let issuer = request::base_url(&request)?;
                json!({
                    "issuer": issuer,
                    "jwks_uri": format!("{issuer}{KEYS}"),
                    "response_types_supported": [],
                    "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["ES256"],
                })
                .to_string()
            }
        };
        let mut response = envelope::document(json::MEDIA_TYPE, document, ContentEncoding::Identity)?;
        response.headers_mut().insert(CACHE_CONTROL, CACHE);
        Ok(response)
    }
}
