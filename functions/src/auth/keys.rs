//! Publishes the keys with which other services verify access tokens: `GET /.well-known/jwks.json`.

use api::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    json,
};
use auth::session::public_keys;
use domain::error::Cause;
use lambda_http::Request;
use serde_json::json;
use storage::public_key::PublicKey;

use crate::{
    caller::Anyone,
    environment::Environment,
    operation::{Cache, Operation},
};

/// Path of the keys.
pub const PATH: &str = "/.well-known/jwks.json";

/// Endpoint with the keys.
#[derive(Debug)]
pub struct Keys {
    document: String,
}

/// Returns the keys of access tokens.
///
/// A JWK Set (RFC 7517), without the envelope: the current key, the one before and the next one.
#[utoipa::path(
    get,
    path = PATH,
    operation_id = "auth-keys",
    responses((status = 200, description = "The keys.", body = ref("KeySet"))),
)]
pub fn operation() {}

impl Operation for Keys {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneHour;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let (secret, rotation) = (environment.parse("SESSION_SECRET")?, environment.parse("SIGNING_KEY_ROTATION")?);
        let keys: Vec<_> = public_keys(&secret, rotation).iter().map(PublicKey::jwk).collect();
        Ok(Self { document: json!({"keys": keys}).to_string() })
    }

    async fn handle(&self, _: Anyone, _: Request) -> Result<Response, Error> {
        envelope::document(json::MEDIA_TYPE, self.document.clone(), ContentEncoding::Identity)
    }
}
