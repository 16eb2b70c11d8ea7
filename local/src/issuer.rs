//! An OpenID provider for development: it issues tokens to whoever runs the service.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::{Duration, SystemTime},
};

use auth::url::IssuerUrl;
use axum::{Json, Router, routing::get};
use base64_simd::URL_SAFE_NO_PAD;
use domain::{error::Cause, manager::Role};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::{Value, json};
use uuid::Uuid;

/// What tokens have to name in `aud`.
pub const AUDIENCE: &str = "tickets";
/// The claim that names the roles of a token's bearer.
pub const ROLE_CLAIM: &str = "roles";
/// The role of a manager.
pub const ROLE: &str = "manager";

/// How long a token counts: a day's work.
const TOKEN_LIFETIME: Duration = Duration::from_hours(24);

/// Who says who the managers are.
#[derive(Clone, Debug)]
pub enum ManagerAuthentication {
    /// They do themselves: nobody is verified.
    Open,
    /// An issuer that starts with the service.
    LocalIssuer,
    /// The issuer at this URL.
    ExternalIssuer(IssuerUrl),
}

/// The issuer of the service that runs.
#[derive(Debug)]
pub struct Issuer {
    url: String,
    key: SigningKey,
}

/// A key that signs by ES256.
#[derive(Debug)]
pub struct SigningKey {
    id: String,
    pair: EcdsaKeyPair,
}

/// What makes a bearer of a token a manager here.
#[must_use]
pub fn manager_role() -> Role {
    Role::new(ROLE_CLAIM.to_owned(), ROLE.to_owned())
}

impl Issuer {
    /// An issuer at `/issuer` of the service at this address, which signs with this key.
    #[must_use]
    pub fn new(service: SocketAddr, key: SigningKey) -> Self {
        let host = match service.ip() {
            address if address.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            address => address,
        };
        Self { url: format!("http://{}/issuer", SocketAddr::new(host, service.port())), key }
    }

    /// Where it is, as its tokens have it in `iss`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves what an OpenID provider tells of itself.
    pub fn router(&self) -> Router {
        let discovery = json!({"issuer": self.url, "jwks_uri": format!("{}/keys", self.url)});
        let keys = json!({"keys": [self.key.public_jwk()]});
        Router::new()
            .route("/issuer/.well-known/openid-configuration", get(|| async { Json(discovery) }))
            .route("/issuer/keys", get(|| async { Json(keys) }))
    }

    /// A token by which its bearer is this manager for a day.
    ///
    /// # Errors
    ///
    /// Where there is no randomness to sign with.
    pub fn token(&self, manager: Uuid) -> Result<String, Cause> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
        let header = json!({"alg": "ES256", "typ": "JWT", "kid": self.key.id});
        let claims = json!({
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": manager,
            "iat": now.as_secs(),
            "exp": (now + TOKEN_LIFETIME).as_secs(),
            ROLE_CLAIM: [ROLE],
        });
        let message = signing_input(&header, &claims);
        let signature = self.key.sign(message.as_bytes())?;
        Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode_to_string(signature)))
    }
}

impl SigningKey {
    /// A new key as PKCS #8 has it.
    ///
    /// # Errors
    ///
    /// Where there is no randomness to make it of.
    pub fn generate() -> Result<Vec<u8>, Cause> {
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        Ok(made.map_err(|_| "no key can be made")?.as_ref().to_vec())
    }

    /// Reads a key, whose id is that of its public half.
    ///
    /// # Errors
    ///
    /// Where it is none.
    pub fn from_pkcs8(bytes: &[u8]) -> Result<Self, Cause> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, bytes, &SystemRandom::new())
            .map_err(|error| error.to_string())?;
        let id = Uuid::new_v5(&Uuid::NAMESPACE_OID, pair.public_key().as_ref()).to_string();
        Ok(Self { id, pair })
    }

    /// The id of the key.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The public half as a JWK (RFC 7517).
    #[must_use]
    pub fn public_jwk(&self) -> Value {
        // An uncompressed point: a byte that says so, then both coordinates.
        let (x, y) = self.pair.public_key().as_ref()[1..].split_at(32);
        let [x, y] = [x, y].map(|coordinate| URL_SAFE_NO_PAD.encode_to_string(coordinate));
        json!({"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": x, "y": y})
    }

    /// Signs a message.
    ///
    /// # Errors
    ///
    /// Where there is no randomness to sign with.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Cause> {
        let signature = self.pair.sign(&SystemRandom::new(), message);
        Ok(signature.map_err(|_| "nothing can be signed")?.as_ref().to_vec())
    }
}

/// What is signed of a token (RFC 7515, 5.1).
#[must_use]
pub fn signing_input(header: &Value, claims: &Value) -> String {
    let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode_to_string(part.to_string()));
    format!("{header}.{claims}")
}
