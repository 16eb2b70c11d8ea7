//! Verification of managers' tokens, which an OpenID provider issues.
//!
//! The issuer is found by its URL only: its discovery document (OpenID Connect Discovery 1.0) leads to its public
//! keys. An instance caches the keys, and fetches them again if they are old or a token names an unknown key.

use std::{str::FromStr, sync::Arc, time::Instant};

use jsonwebtoken::{Algorithm, Validation, decode, decode_header, errors::ErrorKind};
use serde_json::Value;
use tokio::sync::Mutex;

use crate::{
    keys::{self, Key, Keys},
    provider::Provider,
    signature,
    url::IssuerUrl,
};
use domain::{
    error::{Cause, Error},
    manager::Claims,
};

/// Maximum difference between the clocks of the issuer and the service, in seconds.
const LEEWAY: u64 = 30;

/// Manager authentication mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManagerAuthentication {
    /// Nobody is authenticated.
    Open,
    /// Managers authenticate with tokens of this issuer.
    Issuer(IssuerUrl),
}

impl FromStr for ManagerAuthentication {
    type Err = &'static str;

    /// Parses `open` or the URL of an issuer.
    fn from_str(text: &str) -> Result<Self, &'static str> {
        if text == "open" {
            return Ok(Self::Open);
        }
        text.parse().map(Self::Issuer).map_err(|()| "`open`, or the https URL of an OpenID provider")
    }
}

/// An issuer of tokens, with its cached keys.
#[derive(Debug)]
pub struct Issuer {
    url: IssuerUrl,
    audience: String,
    provider: Provider,
    keys: Mutex<Keys>,
}

impl Issuer {
    /// Builds an issuer at this URL, whose tokens must name the audience in `aud`.
    ///
    /// # Errors
    ///
    /// Returns an error if TLS cannot be configured.
    pub fn new(url: IssuerUrl, audience: String) -> Result<Self, Cause> {
        signature::install();
        Ok(Self { url, audience, provider: Provider::new()?, keys: Mutex::default() })
    }

    /// Fetches the keys while Lambda starts the function, so that no request waits for them.
    ///
    /// If this fails, the first request fetches them.
    pub async fn prefetch_keys(&self) {
        self.fetch(&mut *self.keys.lock().await).await;
    }

    /// Verifies signature, times, issuer and audience of a token, and returns its claims.
    ///
    /// # Errors
    ///
    /// Returns `NotAuthenticated` if the token is invalid, `Unexpected` if the keys of the issuer are
    /// unavailable.
    pub async fn verify(&self, token: &str) -> Result<Claims, Error> {
        let header = decode_header(token).map_err(|error| reject(reason(&error)))?;
        let key_id = match &header.kid {
            // No critical header parameters are supported (RFC 7515, 4.1.11).
            Some(id) if keys::ALGORITHMS.contains(&header.alg) && header.crit.is_none() => id,
            _ => return Err(reject("header without key id or with unsupported parameters")),
        };
        let key = self.key(key_id, Instant::now()).await?;
        let decoded = decode::<Claims>(token, &key.public, &self.validation(key.algorithm));
        let claims = decoded.map_err(|error| reject(reason(&error)))?.claims;
        // The crate would also accept an array that has the issuer (RFC 7519, 4.1.1, allows only a string).
        if claims.get("iss").and_then(Value::as_str) == Some(self.url.as_str()) {
            Ok(claims)
        } else {
            Err(reject("wrong issuer"))
        }
    }

    /// Returns the key of this id; fetches the keys first if necessary.
    async fn key(&self, id: &str, now: Instant) -> Result<Arc<Key>, Error> {
        // The lock is held during the fetch, so that simultaneous requests fetch the keys only once.
        let mut keys = self.keys.lock().await;
        if keys.need_fetch(id, now) {
            self.fetch(&mut keys).await;
        }
        match keys.find(id) {
            Some(key) => Ok(key),
            None if keys.last_fetch_failed() => Err(Error::unexpected("the last fetch of the issuer's keys failed")),
            None => Err(reject("unknown key id")),
        }
    }

    /// Fetches the keys; if this fails, the known keys remain.
    async fn fetch(&self, keys: &mut Keys) {
        let fetched = self.provider.keys(&self.url).await;
        // The interval starts after the fetch, because a silent issuer can take longer than the interval.
        let now = Instant::now();
        match fetched {
            Ok(new) => keys.replace(new, now),
            Err(cause) => {
                tracing::warn!(cause, "fetching the keys of the issuer failed");
                keys.record_failure(now);
            }
        }
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.set_audience(&[&self.audience]);
        validation.validate_nbf = true;
        validation.leeway = LEEWAY;
        validation
    }
}

/// Logs the reason, and returns the same error for all invalid tokens.
fn reject(reason: &'static str) -> Error {
    tracing::warn!(reason, "token rejected");
    Error::NotAuthenticated
}

/// Returns the reason for a rejection as a fixed text, because the error may contain user input.
pub(crate) fn reason(error: &jsonwebtoken::errors::Error) -> &'static str {
    match error.kind() {
        ErrorKind::InvalidSignature => "invalid signature",
        ErrorKind::ExpiredSignature => "token expired",
        ErrorKind::ImmatureSignature => "token not valid yet",
        ErrorKind::InvalidAudience => "wrong audience",
        ErrorKind::InvalidAlgorithm => "algorithm does not match key",
        ErrorKind::MissingRequiredClaim(_) => "missing claim",
        _ => "malformed token",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jsonwebtoken::DecodingKey;

    use super::*;

    /// Builds an issuer on a port where no server can listen.
    fn unreachable_issuer() -> Issuer {
        Issuer::new("http://127.0.0.1:1".parse().unwrap(), "tickets".to_owned()).unwrap()
    }

    #[test]
    fn mode_is_open_or_issuer_url() {
        assert_eq!("open".parse(), Ok(ManagerAuthentication::Open));
        let url = "https://id.example/pool";
        assert_eq!(url.parse(), Ok(ManagerAuthentication::Issuer(url.parse().unwrap())));
        for other in ["", "Open", "open ", "http://id.example"] {
            assert!(other.parse::<ManagerAuthentication>().is_err(), "{other}");
        }
    }

    #[tokio::test]
    async fn known_keys_work_without_issuer() {
        let issuer = unreachable_issuer();
        issuer.prefetch_keys().await;
        assert!(issuer.keys.lock().await.last_fetch_failed());
        let start = Instant::now();
        let key = Key { algorithm: Algorithm::ES256, public: DecodingKey::from_ec_der(&[]) };
        issuer.keys.lock().await.replace([("known".to_owned(), Arc::new(key))].into(), start);
        let later = start + Duration::from_hours(2);
        assert!(issuer.key("known", later).await.is_ok());
        assert!(matches!(issuer.key("other", later).await, Err(Error::Unexpected(_))));
        assert!(issuer.keys.lock().await.last_fetch_failed());
    }

    #[test]
    fn reasons_are_distinct() {
        let kinds = [
            ErrorKind::InvalidSignature,
            ErrorKind::ExpiredSignature,
            ErrorKind::ImmatureSignature,
            ErrorKind::InvalidAudience,
            ErrorKind::InvalidAlgorithm,
            ErrorKind::MissingRequiredClaim("sub".to_owned()),
            ErrorKind::InvalidToken,
        ];
        let mut reasons = kinds.map(|kind| reason(&kind.into()));
        reasons.sort_unstable();
        assert!(reasons.windows(2).all(|pair| pair[0] != pair[1]) && reasons.contains(&"malformed token"));
    }
}
