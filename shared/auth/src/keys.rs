//! Cached keys of an issuer, and the rules for fetching them again.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::Value;

use domain::error::Cause;

/// Accepted signature algorithms.
pub const ALGORITHMS: [Algorithm; 2] = [Algorithm::RS256, Algorithm::ES256];

/// Maximum age of keys; older ones are fetched again, so that revoked keys stop working.
const LIFETIME: Duration = Duration::from_hours(1);

/// Minimum time between repeated fetches, regardless of the keys that tokens name.
const INTERVAL: Duration = Duration::from_mins(1);

/// Minimum time between fetches before the first success: an unreachable issuer must not delay every request.
const INTERVAL_WITHOUT_KEYS: Duration = Duration::from_secs(5);

/// A public key and its algorithm.
#[derive(Debug)]
pub struct Key {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The key.
    pub public: DecodingKey,
}

/// Keys by id.
pub type KeysById = HashMap<String, Arc<Key>>;

/// Cached keys of an issuer.
#[derive(Debug, Default)]
pub struct Keys {
    known: KeysById,
    /// Time of the last successful fetch.
    fetched: Option<Instant>,
    /// Time of the last fetch, and true if it succeeded; `None` directly after the first successful fetch.
    last_fetch: Option<(Instant, bool)>,
}

/// A JWK Set (RFC 7517), which may contain keys of unknown types.
#[derive(Deserialize)]
pub struct KeySet {
    keys: Vec<Value>,
}

impl Keys {
    /// Returns the key of this id, if it is known.
    pub fn find(&self, id: &str) -> Option<Arc<Key>> {
        self.known.get(id).cloned()
    }

    /// Returns true if the keys must be fetched before searching for this id.
    pub fn need_fetch(&self, id: &str, now: Instant) -> bool {
        let is_old = |fetched| now.duration_since(fetched) >= LIFETIME;
        let is_needed = !self.known.contains_key(id) || self.fetched.is_none_or(is_old);
        let interval = if self.fetched.is_some() { INTERVAL } else { INTERVAL_WITHOUT_KEYS };
        is_needed && self.last_fetch.is_none_or(|(last, _)| now.duration_since(last) >= interval)
    }

    /// Returns true if the last fetch failed, so the issuer may have other keys.
    pub fn last_fetch_failed(&self) -> bool {
        self.last_fetch.is_some_and(|(_, succeeded)| !succeeded)
    }

    /// Replaces the keys after a successful fetch.
    pub fn replace(&mut self, new: KeysById, now: Instant) {
        self.last_fetch = self.fetched.replace(now).map(|_| (now, true));
        self.known = new;
    }

    /// Records a failed fetch.
    pub fn record_failure(&mut self, now: Instant) {
        self.last_fetch = Some((now, false));
    }
}

/// Returns the keys of a set that verify signatures by one of [`ALGORITHMS`].
///
/// # Errors
///
/// Returns an error if there is none.
pub fn usable_keys(set: KeySet) -> Result<KeysById, Cause> {
    let keys: KeysById = set.keys.into_iter().filter_map(key).collect();
    if keys.is_empty() { Err("the issuer has no key for RS256 or ES256".into()) } else { Ok(keys) }
}

fn key(jwk: Value) -> Option<(String, Arc<Key>)> {
    let jwk: Jwk = serde_json::from_value(jwk).ok()?;
    let (algorithm, key_algorithm) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        _ => return None,
    };
    let is_for_signatures = jwk.common.public_key_use.as_ref().is_none_or(|usage| *usage == PublicKeyUse::Signature);
    let is_for_algorithm = jwk.common.key_algorithm.as_ref().is_none_or(|declared| *declared == key_algorithm);
    if !is_for_signatures || !is_for_algorithm {
        return None;
    }
    let public = DecodingKey::from_jwk(&jwk).ok()?;
    Some((jwk.common.key_id?, Arc::new(Key { algorithm, public })))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn p256_key(id: &str) -> Value {
        json!({"kty": "EC", "crv": "P-256", "kid": id, "x": "AA", "y": "AA"})
    }

    fn with(mut key: Value, name: &str, value: &str) -> Value {
        key[name] = value.into();
        key
    }

    fn fetched(id: &str) -> HashMap<String, Arc<Key>> {
        usable_keys(KeySet { keys: vec![p256_key(id)] }).unwrap()
    }

    #[test]
    fn only_rs256_and_es256_keys_are_used() {
        let rsa = json!({"kty": "RSA", "kid": "rsa", "n": "AA", "e": "AQAB"});
        let others = [
            with(rsa.clone(), "use", "enc"),
            with(rsa.clone(), "alg", "RS512"),
            with(rsa.clone(), "alg", "HS256"),
            with(p256_key("p384"), "crv", "P-384"),
            with(p256_key("es384"), "alg", "ES384"),
            json!({"kty": "oct", "kid": "oct", "k": "AA"}),
            json!({"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}),
            json!("no key"),
        ];
        assert!(usable_keys(KeySet { keys: others.to_vec() }).is_err());
        let es256 = with(with(p256_key("es"), "use", "sig"), "alg", "ES256");
        let keys = usable_keys(KeySet { keys: others.into_iter().chain([rsa, es256]).collect() }).unwrap();
        assert!(keys.len() == 2 && keys.contains_key("es") && keys.contains_key("rsa"));
    }

    #[test]
    fn unknown_ids_refetch_once_a_minute() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut keys = Keys::default();
        assert!(keys.need_fetch("a", at(0)));
        keys.replace(fetched("a"), at(0));
        assert!(!keys.need_fetch("a", at(1)) && keys.need_fetch("b", at(1)));
        keys.replace(fetched("b"), at(1));
        assert!(keys.find("a").is_none() && keys.find("b").is_some());
        assert!(!keys.need_fetch("c", at(60)) && keys.need_fetch("c", at(61)));
    }

    #[test]
    fn old_keys_are_refetched_after_an_hour() {
        let start = Instant::now();
        let at = |minutes| start + Duration::from_mins(minutes);
        let mut keys = Keys::default();
        keys.replace(fetched("a"), at(0));
        assert!(!keys.need_fetch("a", at(59)) && keys.need_fetch("a", at(60)));
        keys.record_failure(at(60));
        assert!(keys.find("a").is_some() && keys.last_fetch_failed() && keys.need_fetch("a", at(61)));
        keys.replace(fetched("a"), at(61));
        assert!(!keys.last_fetch_failed() && !keys.need_fetch("a", at(120)) && keys.need_fetch("a", at(121)));
    }

    #[test]
    fn unreachable_issuer_is_retried_after_5_s() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut keys = Keys::default();
        keys.record_failure(at(0));
        assert!(keys.last_fetch_failed() && !keys.need_fetch("a", at(4)) && keys.need_fetch("a", at(5)));
        keys.replace(fetched("a"), at(5));
        assert!(!keys.last_fetch_failed() && keys.need_fetch("b", at(6)));
    }
}
