//! Publishes the keys with which others verify access tokens and tickets: `GET /.well-known/jwks.json`.

use api::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    json,
};
use auth::{session::public_keys, ticket_code::TicketKey};
use domain::error::Cause;
use lambda_http::Request;
use schemars::JsonSchema;
use serde::Serialize;
use storage::members::public_keys::PublicKey;

use crate::{
    caller::Anyone,
    environment::Environment,
    operation::{Cache, Operation},
};

/// Path of the keys.
pub const PATH: &str = "/.well-known/jwks.json";

/// Public keys (RFC 7517).
#[derive(Debug, JsonSchema, Serialize)]
pub struct KeySet {
    /// The keys.
    pub keys: Vec<Jwk>,
}

/// Key for ES256.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "PublicKey")]
pub struct Jwk {
    kty: &'static str,
    crv: &'static str,
    r#use: &'static str,
    alg: &'static str,
    /// Thumbprint of the key (RFC 7638), after `ticket-` for the key of tickets.
    kid: String,
    x: String,
    y: String,
}

impl From<&PublicKey> for Jwk {
    fn from(key: &PublicKey) -> Self {
        let (x, y) = (key.x.clone(), key.y.clone());
        Self { kty: "EC", crv: "P-256", r#use: "sig", alg: "ES256", kid: key.id(), x, y }
    }
}

impl Jwk {
    /// Builds the key of tickets, which verifies no token.
    #[must_use]
    pub fn of_tickets(key: &PublicKey) -> Self {
        let key = Self::from(key);
        Self { kid: format!("ticket-{}", key.kid), ..key }
    }
}

/// Endpoint with the keys.
#[derive(Debug)]
pub struct Keys {
    document: String,
}

/// Returns the keys of access tokens and of tickets.
///
/// A JWK Set (RFC 7517), without the envelope: the current key of access tokens, the one before and the next one, and
/// the key of tickets, whose `kid` begins with `ticket-`.
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
        let tickets = TicketKey::derive(&environment.parse("TICKET_SECRET")?);
        let keys = public_keys(&secret, rotation);
        let keys = keys.iter().map(Jwk::from).chain([Jwk::of_tickets(tickets.public())]).collect();
        Ok(Self { document: serde_json::to_string(&KeySet { keys })? })
    }

    async fn handle(&self, _: Anyone, _: Request) -> Result<Response, Error> {
        envelope::document(json::MEDIA_TYPE, self.document.clone(), ContentEncoding::Identity)
    }
}
