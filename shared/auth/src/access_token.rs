//! Access tokens of members: JWTs (RFC 9068) that the service signs with ES256.
//!
//! The signing key is derived from the secret of the deployment. Functions that only verify get the public keys from
//! the table.

use std::{
    fmt::Display,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use base64_simd::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Value, json};
use storage::members::public_keys::{PublicKey, Rotation};
use uuid::Uuid;

use crate::{issuer::reason, secret::Secret, signature, signing_key::SigningKey};
use domain::{error::Error, id, manager::Claims};

/// Media type in the header of a token (RFC 9068, 2.1).
const TYPE: &str = "at+jwt";

/// Client for which tokens are issued (RFC 9068, 2.2).
const CLIENT: &str = "members";

/// Maximum bytes of a token; the service issues shorter ones.
const MAX_TOKEN: usize = 4 * 1024;

/// Key that signs access tokens.
#[derive(Debug)]
pub struct AccessKey(SigningKey);

/// Issuer, audience and lifetime of access tokens.
#[derive(Clone, Debug)]
pub struct AccessTokens {
    /// Address of the service, in `iss`.
    pub issuer: String,
    /// Recipients, in `aud`.
    pub audience: String,
    /// Time for which a token is valid.
    pub lifetime: Duration,
}

impl AccessKey {
    /// Derives the key from the secret of the sessions; each rotation gives another one.
    #[must_use]
    pub fn derive(secret: &Secret, rotation: Rotation) -> Self {
        Self(SigningKey::derive(secret, &format!("access tokens {}", rotation.0)))
    }

    /// Returns the public key.
    #[must_use]
    pub fn public(&self) -> &PublicKey {
        self.0.public()
    }

    /// Issues a token for a member.
    ///
    /// # Errors
    ///
    /// Returns `Unexpected` if the clock is before 1970.
    pub fn issue(&self, tokens: &AccessTokens, member: Uuid) -> Result<String, Error> {
        let now = now()?;
        let header = json!({"alg": "ES256", "typ": TYPE, "kid": self.public().id()});
        let claims = json!({
            "iss": tokens.issuer, "aud": tokens.audience, "sub": member, "client_id": CLIENT,
            "iat": now.as_secs(), "exp": (now + tokens.lifetime).as_secs(), "jti": Uuid::new_v4(),
        });
        Ok(self.sign(&header, &claims))
    }

    /// Signs a header and claims in JSON (RFC 7515, 3.1).
    #[must_use]
    pub fn sign(&self, header: &Value, claims: &(impl Display + ?Sized)) -> String {
        let [header, claims] =
            [header.to_string(), claims.to_string()].map(|part| URL_SAFE_NO_PAD.encode_to_string(part));
        let message = format!("{header}.{claims}");
        let signature = self.0.sign(message.as_bytes());
        format!("{message}.{}", URL_SAFE_NO_PAD.encode_to_string(signature))
    }
}

/// Returns the id of the key that signed a token, if the token may be one of a member.
///
/// # Errors
///
/// Returns `InvalidAccessToken` if the header is not that of a member's token (RFC 9068, 4).
pub fn key_id(token: &str) -> Result<String, Error> {
    if token.len() > MAX_TOKEN {
        return Err(reject("too long"));
    }
    let header = decode_header(token).map_err(|error| reject(reason(&error)))?;
    match header.kid {
        Some(id) if header.alg == Algorithm::ES256 && header.typ.as_deref() == Some(TYPE) && header.crit.is_none() => {
            Ok(id)
        }
        _ => Err(reject("header of another kind of token")),
    }
}

/// Verifies the signature, the times, the issuer and the audience of a token, and returns its member.
///
/// # Errors
///
/// Returns `InvalidAccessToken` if the token is invalid.
pub fn verify(token: &str, key: &PublicKey, issuer: &str, audience: &str) -> Result<Uuid, Error> {
    signature::install();
    let mut validation = Validation::new(Algorithm::ES256);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    validation.set_audience(&[audience]);
    validation.validate_nbf = true;
    validation.leeway = 0;
    let public = DecodingKey::from_ec_components(&key.x, &key.y).map_err(Error::unexpected)?;
    let claims = decode::<Claims>(token, &public, &validation).map_err(|error| reject(reason(&error)))?.claims;
    let now = now()?.as_secs();
    // Exactly these texts; the crate would also accept arrays that have them.
    let is_text = |name: &str, expected: &str| claims.get(name).and_then(Value::as_str) == Some(expected);
    if !is_text("iss", issuer) || !is_text("aud", audience) {
        return Err(reject("wrong issuer or audience"));
    }
    // The crate accepts the second of the expiry, and does not check the time of the issue.
    let time = |name: &str| claims.get(name).and_then(Value::as_u64);
    if time("exp").is_none_or(|expiry| expiry <= now) || time("iat").is_none_or(|issued| issued > now) {
        return Err(reject("expired or issued in the future"));
    }
    claims.get("sub").and_then(Value::as_str).and_then(id::parse).ok_or_else(|| reject("no member"))
}

fn now() -> Result<Duration, Error> {
    SystemTime::now().duration_since(UNIX_EPOCH).map_err(Error::unexpected)
}

/// Logs the reason, and returns the same error for all invalid tokens.
fn reject(reason: &'static str) -> Error {
    tracing::warn!(reason, "access token rejected");
    Error::InvalidAccessToken
}
