//! OpenID provider for development, which issues tokens to the developer.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::{Duration, SystemTime},
};

use auth::url::IssuerUrl;
use axum::{Json, Router, routing::get};
use base64_simd::URL_SAFE_NO_PAD;
use domain::{error::Cause, manager::Role};
use ring::{
    digest::{SHA256, digest},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::{Value, json};
use uuid::Uuid;

/// Required value of `aud` in tokens.
pub const AUDIENCE: &str = "tickets";
/// Claim with the roles of the token owner, as an array.
pub const ROLE_CLAIM: &str = "roles";
/// Claim with the role as text, which clients read.
pub const TEXT_ROLE_CLAIM: &str = "role";
/// Role of a manager.
pub const ROLE: &str = "manager";
/// Role of an order service.
pub const ORDER_ROLE: &str = "order";

/// Lifetime of a token.
const TOKEN_LIFETIME: Duration = Duration::from_hours(24);

/// Manager authentication mode.
#[derive(Clone, Debug)]
pub enum ManagerAuthentication {
    /// Managers are not verified.
    Open,
    /// Tokens come from an issuer that starts with the service.
    LocalIssuer,
    /// Tokens come from the issuer at this URL.
    ExternalIssuer(IssuerUrl),
}

/// Issuer that runs with the service.
#[derive(Debug)]
pub struct Issuer {
    url: String,
    key: SigningKey,
}

/// Key for ES256 signatures.
#[derive(Debug)]
pub struct SigningKey {
    id: String,
    pair: EcdsaKeyPair,
}

/// Returns the role that a token must contain for a manager.
#[must_use]
pub fn manager_role() -> Role {
    Role::new(ROLE_CLAIM.to_owned(), ROLE.to_owned())
}

/// Returns the role that a token must contain for an order service.
#[must_use]
pub fn order_role() -> Role {
    Role::new(ROLE_CLAIM.to_owned(), ORDER_ROLE.to_owned())
}

impl Issuer {
    /// Creates an issuer with the path `/issuer` at the address of the service.
    #[must_use]
    pub fn new(service: SocketAddr, key: SigningKey) -> Self {
        let host = match service.ip() {
            address if address.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            address => address,
        };
        Self { url: format!("http://{}/issuer", SocketAddr::new(host, service.port())), key }
    }

    /// URL of the issuer, the value of `iss` in its tokens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves the discovery document and the public keys.
    pub fn router(&self) -> Router {
        let discovery = json!({"issuer": self.url, "jwks_uri": format!("{}/keys", self.url)});
        let keys = json!({"keys": [self.key.public_jwk()]});
        Router::new()
            .route("/issuer/.well-known/openid-configuration", get(|| async { Json(discovery) }))
            .route("/issuer/keys", get(|| async { Json(keys) }))
    }

    /// Issues a token for a manager, valid for one day.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no random numbers for the signature.
    pub fn token(&self, manager: Uuid) -> Result<String, Cause> {
        self.token_with_role(&manager.to_string(), ROLE)
    }

    /// Issues a token for an order service, valid for one day.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no random numbers for the signature.
    pub fn order_token(&self) -> Result<String, Cause> {
        self.token_with_role("order-service", ORDER_ROLE)
    }

    fn token_with_role(&self, subject: &str, role: &str) -> Result<String, Cause> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
        let header = json!({"alg": "ES256", "typ": "JWT", "kid": self.key.id});
        let claims = json!({
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": subject,
            "iat": now.as_secs(),
            "exp": (now + TOKEN_LIFETIME).as_secs(),
            ROLE_CLAIM: [role],
            TEXT_ROLE_CLAIM: role,
        });
        let message = signing_input(&header, &claims);
        let signature = self.key.sign(message.as_bytes())?;
        Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode_to_string(signature)))
    }
}

impl SigningKey {
    /// Generates a key in PKCS #8 format.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no random numbers.
    pub fn generate() -> Result<Vec<u8>, Cause> {
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        Ok(key.map_err(|_| "cannot generate a key")?.as_ref().to_vec())
    }

    /// Parses a key, and derives its id from the public key.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a key of this kind.
    pub fn from_pkcs8(bytes: &[u8]) -> Result<Self, Cause> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, bytes, &SystemRandom::new())
            .map_err(|error| error.to_string())?;
        let id = URL_SAFE_NO_PAD.encode_to_string(digest(&SHA256, pair.public_key().as_ref()));
        Ok(Self { id, pair })
    }

    /// Id of the key.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the public key as a JWK (RFC 7517).
    #[must_use]
    pub fn public_jwk(&self) -> Value {
        // An uncompressed point: a byte with its format, then both coordinates.
        let (x, y) = self.pair.public_key().as_ref()[1..].split_at(32);
        let [x, y] = [x, y].map(|coordinate| URL_SAFE_NO_PAD.encode_to_string(coordinate));
        json!({"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": x, "y": y})
    }

    /// Signs a message.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no random numbers for the signature.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Cause> {
        let signature = self.pair.sign(&SystemRandom::new(), message);
        Ok(signature.map_err(|_| "cannot sign")?.as_ref().to_vec())
    }
}

/// Returns the part of a token that is signed (RFC 7515, 5.1).
#[must_use]
pub fn signing_input(header: &Value, claims: &Value) -> String {
    let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode_to_string(part.to_string()));
    format!("{header}.{claims}")
}
