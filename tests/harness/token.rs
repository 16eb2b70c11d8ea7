//! Signed tokens (RFC 7519), valid and invalid ones.

use base64_simd::URL_SAFE_NO_PAD;
use ring::hmac;
use serde_json::Value;

/// Parts of a token.
#[derive(Clone, Debug)]
pub struct Jwt {
    /// Header.
    pub header: Value,
    /// Claims.
    pub claims: Value,
}

impl Jwt {
    /// Reads a token without verifying it.
    #[must_use]
    pub fn read(token: &str) -> Self {
        let part = |part: &str| {
            let json = URL_SAFE_NO_PAD.decode_to_vec(part).expect("base64url");
            serde_json::from_slice(&json).expect("JSON")
        };
        let [header, claims, _] = token.split('.').collect::<Vec<_>>()[..] else { panic!("{token}") };
        Self { header: part(header), claims: part(claims) }
    }
}

/// Returns an object with another value of a field.
#[must_use]
pub fn with(object: &Value, name: &str, value: impl Into<Value>) -> Value {
    let mut object = object.clone();
    object[name] = value.into();
    object
}

/// Returns an object without a field.
#[must_use]
pub fn without(object: &Value, name: &str) -> Value {
    let mut object = object.clone();
    object.as_object_mut().expect("object").remove(name);
    object
}

/// Encodes bytes in base64url.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode_to_string(bytes)
}

/// Creates a token signed with a secret.
#[must_use]
pub fn hs256(header: &Value, claims: &Value, secret: &[u8]) -> String {
    let message = local::issuer::signing_input(&with(header, "alg", "HS256"), claims);
    let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
    format!("{message}.{}", base64(signature.as_ref()))
}

/// Creates a token without a signature.
#[must_use]
pub fn unsigned(header: &Value, claims: &Value) -> String {
    local::issuer::signing_input(&with(header, "alg", "none"), claims)
}

/// Replaces the claims of a token, but keeps its signature.
#[must_use]
pub fn tampered(token: &str, claims: &Value) -> String {
    let [header, _, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!("{token}") };
    format!("{header}.{}.{signature}", base64(claims.to_string().as_bytes()))
}
