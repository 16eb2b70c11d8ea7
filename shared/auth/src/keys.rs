//! The keys of an issuer, and when they are fetched again.

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

/// The algorithms whose signatures count.
pub const ALGORITHMS: [Algorithm; 2] = [Algorithm::RS256, Algorithm::ES256];

/// How old keys may become before they are fetched again, so that one that was withdrawn stops counting.
const LIFETIME: Duration = Duration::from_hours(1);

/// How often keys are fetched again at the most, whatever tokens name.
const INTERVAL: Duration = Duration::from_mins(1);

/// The same where there are none yet: an issuer that is away must not keep every request waiting.
const INTERVAL_WITHOUT: Duration = Duration::from_secs(5);

/// A public key, and the one algorithm that it is for.
#[derive(Debug)]
pub struct Key {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The key.
    pub public: DecodingKey,
}

/// Keys by their ids.
pub type KeysById = HashMap<String, Arc<Key>>;

/// The keys of an issuer, as they are known.
#[derive(Debug, Default)]
pub struct Keys {
    known: KeysById,
    /// When they were had; never, at first.
    fetched: Option<Instant>,
    /// When they were last fetched again, or in vain, and whether they could be had.
    again: Option<(Instant, bool)>,
}

/// A JWK Set (RFC 7517), whose keys may be of kinds that are not known here.
#[derive(Deserialize)]
pub struct KeySet {
    keys: Vec<Value>,
}

impl Keys {
    /// The key of this id, if it is known.
    pub fn find(&self, id: &str) -> Option<Arc<Key>> {
        self.known.get(id).cloned()
    }

    /// Whether the keys are to be fetched before the one of this id is looked for.
    pub fn are_due(&self, id: &str, now: Instant) -> bool {
        let is_old = |fetched| now.duration_since(fetched) >= LIFETIME;
        let is_wanted = !self.known.contains_key(id) || self.fetched.is_none_or(is_old);
        let interval = if self.fetched.is_some() { INTERVAL } else { INTERVAL_WITHOUT };
        is_wanted && self.again.is_none_or(|(last, _)| now.duration_since(last) >= interval)
    }

    /// Whether the issuer may have keys that are not known, since it could not be asked.
    pub fn may_be_missing_some(&self) -> bool {
        self.again.is_some_and(|(_, succeeded)| !succeeded)
    }

    /// Takes the keys that were fetched for those that there are.
    pub fn replace(&mut self, found: KeysById, now: Instant) {
        self.again = self.fetched.replace(now).map(|_| (now, true));
        self.known = found;
    }

    /// Notes that they could not be had.
    pub fn failed(&mut self, now: Instant) {
        self.again = Some((now, false));
    }
}

/// Those keys of a set that verify signatures by one of [`ALGORITHMS`].
///
/// # Errors
///
/// Where there is none.
pub fn usable(set: KeySet) -> Result<KeysById, Cause> {
    let keys: KeysById = set.keys.into_iter().filter_map(key).collect();
    if keys.is_empty() { Err("the issuer has no key for RS256 or ES256".into()) } else { Ok(keys) }
}

fn key(jwk: Value) -> Option<(String, Arc<Key>)> {
    let jwk: Jwk = serde_json::from_value(jwk).ok()?;
    let (algorithm, named) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        _ => return None,
    };
    let is_for_signatures =
        jwk.common.public_key_use.as_ref().is_none_or(|is| *is == PublicKeyUse::Signature);
    let is_for_algorithm = jwk.common.key_algorithm.as_ref().is_none_or(|is| *is == named);
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

    fn curve(id: &str) -> Value {
        json!({"kty": "EC", "crv": "P-256", "kid": id, "x": "AA", "y": "AA"})
    }

    fn with(mut key: Value, name: &str, value: &str) -> Value {
        key[name] = value.into();
        key
    }

    fn ids(keys: Vec<Value>) -> Option<Vec<String>> {
        let mut ids: Vec<_> = usable(KeySet { keys }).ok()?.into_keys().collect();
        ids.sort();
        Some(ids)
    }

    #[test]
    fn only_rs256_and_es256_keys_are_used() {
        let rsa = json!({"kty": "RSA", "kid": "rsa", "n": "AA", "e": "AQAB"});
        let others = [
            with(rsa.clone(), "use", "enc"),
            with(rsa.clone(), "alg", "RS512"),
            with(rsa.clone(), "alg", "HS256"),
            with(curve("p384"), "crv", "P-384"),
            with(curve("es384"), "alg", "ES384"),
            json!({"kty": "oct", "kid": "oct", "k": "AA"}),
            json!({"kty": "OKP", "crv": "Ed25519", "kid": "okp", "x": "AA"}),
            json!({"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}),
            json!({"kty": "new", "kid": "new"}),
            json!("no key"),
        ];
        assert_eq!(ids(others.to_vec()), None);
        let named = with(with(curve("es"), "use", "sig"), "alg", "ES256");
        let all = others.into_iter().chain([rsa, named]).collect();
        assert_eq!(ids(all).unwrap(), ["es", "rsa"]);
    }

    #[test]
    fn unknown_ids_refetch_once_a_minute() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let found = |id| usable(KeySet { keys: vec![curve(id)] }).unwrap();
        let mut keys = Keys::default();
        assert!(keys.are_due("a", at(0)));
        keys.replace(found("a"), at(0));
        assert!(!keys.are_due("a", at(1)));

        assert!(keys.are_due("b", at(1)));
        keys.replace(found("b"), at(1));
        assert!(keys.find("a").is_none() && keys.find("b").is_some());
        assert!(!keys.are_due("c", at(60)));
        assert!(keys.are_due("c", at(61)));
    }

    #[test]
    fn old_keys_are_refetched_after_an_hour() {
        let start = Instant::now();
        let at = |minutes| start + Duration::from_mins(minutes);
        let mut keys = Keys::default();
        keys.replace(usable(KeySet { keys: vec![curve("a")] }).unwrap(), at(0));
        assert!(!keys.are_due("a", at(59)) && keys.are_due("a", at(60)));

        keys.failed(at(60));
        assert!(keys.find("a").is_some() && keys.may_be_missing_some());
        assert!(keys.are_due("a", at(61)));
        keys.replace(usable(KeySet { keys: vec![curve("a")] }).unwrap(), at(61));
        assert!(!keys.may_be_missing_some() && !keys.are_due("a", at(120)) && keys.are_due("a", at(121)));
    }

    #[test]
    fn unreachable_issuer_is_retried_after_5_s() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut keys = Keys::default();
        keys.failed(at(0));
        assert!(!keys.are_due("a", at(4)) && keys.may_be_missing_some());
        assert!(keys.are_due("a", at(5)));
        keys.replace(usable(KeySet { keys: vec![curve("a")] }).unwrap(), at(5));
        assert!(keys.find("a").is_some() && !keys.may_be_missing_some());
        assert!(keys.are_due("b", at(6)));
    }
}
