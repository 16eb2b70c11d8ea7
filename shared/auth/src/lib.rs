//! The OpenID provider that issues the tokens of managers.
//!
//! It is found by its URL alone, as OpenID Connect Discovery 1.0 has it: a document there names the
//! keys that it signs with. They are kept for as long as an instance lives, and fetched again where
//! they are old or a token names one that is not among them.

use std::{str::FromStr, sync::Arc, time::Instant};

use jsonwebtoken::{Algorithm, Validation, decode, decode_header, errors::ErrorKind};
use tokio::sync::Mutex;

use self::{
    keys::{Key, Keys},
    provider::Provider,
    url::IssuerUrl,
};
use domain::{
    error::{Cause, Error},
    manager::Claims,
};

mod keys;
mod provider;
mod signature;
pub mod url;

/// How many seconds the clocks of the issuer and of the service may be apart.
const LEEWAY: u64 = 30;

/// Who says who the managers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManagerAuthentication {
    /// They do themselves: nobody is verified.
    Open,
    /// This issuer does.
    Issuer(IssuerUrl),
}

impl FromStr for ManagerAuthentication {
    type Err = &'static str;

    /// Takes `open` or the URL of an issuer.
    fn from_str(text: &str) -> Result<Self, &'static str> {
        if text == "open" {
            return Ok(Self::Open);
        }
        text.parse().map(Self::Issuer).map_err(|()| "`open`, or the https URL of an OpenID provider")
    }
}

/// An issuer, with its keys as they are known.
#[derive(Debug)]
pub struct Issuer {
    url: IssuerUrl,
    audience: String,
    provider: Provider,
    keys: Mutex<Keys>,
}

impl Issuer {
    /// The issuer at this URL, of whose tokens those count that name the audience in `aud`.
    ///
    /// # Errors
    ///
    /// Where TLS cannot be set up.
    pub fn new(url: IssuerUrl, audience: String) -> Result<Self, Cause> {
        signature::install();
        Ok(Self { url, audience, provider: Provider::new()?, keys: Mutex::default() })
    }

    /// Fetches the keys while Lambda starts the function, before any caller waits for them; where
    /// they cannot be had, the first request fetches them.
    pub async fn prefetch_keys(&self) {
        self.fetch(&mut *self.keys.lock().await).await;
    }

    /// What a token says, once it is known to be genuine, in time, and meant for the audience.
    ///
    /// # Errors
    ///
    /// `NotAuthenticated` where it is not, `Unexpected` where it cannot be told since the issuer's keys
    /// cannot be had.
    pub async fn verify(&self, token: &str) -> Result<Claims, Error> {
        let header = decode_header(token).map_err(|error| refused(reason(&error)))?;
        let signed_by = match &header.kid {
            // What is critical is nothing that is known here (RFC 7515, 4.1.11).
            Some(id) if keys::ALGORITHMS.contains(&header.alg) && header.crit.is_none() => id,
            _ => return Err(refused("a header without a key or with something else that cannot be used")),
        };
        let key = self.key(signed_by, Instant::now()).await?;
        let decoded = decode(token, &key.public, &self.validation(key.algorithm));
        decoded.map(|token| token.claims).map_err(|error| refused(reason(&error)))
    }

    /// The key of this id, fetched where it is due.
    async fn key(&self, id: &str, now: Instant) -> Result<Arc<Key>, Error> {
        // Held while keys are fetched, so that simultaneous requests fetch them once.
        let mut keys = self.keys.lock().await;
        if keys.are_due(id, now) {
            self.fetch(&mut keys).await;
        }
        match keys.find(id) {
            Some(key) => Ok(key),
            None if keys.may_be_missing_some() => {
                Err(Error::unexpected("the issuer's keys could not be had when it was last asked"))
            }
            None => Err(refused("a key that the issuer does not have")),
        }
    }

    /// Fetches the keys; those that are known remain where there are no newer ones to be had.
    async fn fetch(&self, keys: &mut Keys) {
        let fetched = self.provider.keys(&self.url).await;
        // Counted from the end: a silent issuer takes longer than it is left alone afterwards.
        let now = Instant::now();
        match fetched {
            Ok(found) => keys.replace(found, now),
            Err(cause) => {
                tracing::warn!(cause, "fetching the keys of the issuer failed");
                keys.failed(now);
            }
        }
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.set_issuer(&[self.url.as_str()]);
        validation.set_audience(&[&self.audience]);
        validation.validate_nbf = true;
        validation.leeway = LEEWAY;
        validation
    }
}

/// The one answer to every token that cannot be used; the operator is told why.
fn refused(reason: &'static str) -> Error {
    tracing::warn!(reason, "token rejected");
    Error::NotAuthenticated
}

/// Why a token cannot be used, in words of ours: those of the error may repeat what the caller wrote.
fn reason(error: &jsonwebtoken::errors::Error) -> &'static str {
    match error.kind() {
        ErrorKind::InvalidSignature => "a signature that is not the issuer's",
        ErrorKind::ExpiredSignature => "it has expired",
        ErrorKind::ImmatureSignature => "it does not count yet",
        ErrorKind::InvalidIssuer => "another issuer",
        ErrorKind::InvalidAudience => "it is meant for another audience",
        ErrorKind::InvalidAlgorithm => "an algorithm that the key is not for",
        ErrorKind::MissingRequiredClaim(_) => "a claim is missing",
        _ => "it cannot be read",
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, time::Duration};

    use jsonwebtoken::DecodingKey;

    use super::*;

    /// An issuer on a port that nobody may listen on.
    fn away() -> Issuer {
        Issuer::new("http://127.0.0.1:1".parse().unwrap(), "tickets".to_owned()).unwrap()
    }

    #[test]
    fn mode_is_open_or_issuer_url() {
        assert_eq!("open".parse(), Ok(ManagerAuthentication::Open));
        let url = "https://id.example/pool";
        assert_eq!(url.parse(), Ok(ManagerAuthentication::Issuer(url.parse().unwrap())));
        for neither in ["", "Open", "open ", "http://id.example"] {
            assert!(neither.parse::<ManagerAuthentication>().is_err(), "{neither}");
        }
    }

    #[tokio::test]
    async fn failed_prefetch_is_recorded() {
        let issuer = away();
        issuer.prefetch_keys().await;
        assert!(issuer.keys.lock().await.may_be_missing_some());
    }

    #[tokio::test]
    async fn known_keys_work_without_issuer() {
        let issuer = away();
        let start = Instant::now();
        let key = Key { algorithm: Algorithm::ES256, public: DecodingKey::from_ec_der(&[]) };
        issuer.keys.lock().await.replace([("known".to_owned(), Arc::new(key))].into(), start);
        let later = start + Duration::from_hours(2);
        assert!(issuer.key("known", later).await.is_ok());
        assert!(matches!(issuer.key("other", later).await, Err(Error::Unexpected(_))));
        assert!(issuer.keys.lock().await.may_be_missing_some());
    }

    #[test]
    fn reasons_are_distinct() {
        let kinds = [
            ErrorKind::InvalidSignature,
            ErrorKind::ExpiredSignature,
            ErrorKind::ImmatureSignature,
            ErrorKind::InvalidIssuer,
            ErrorKind::InvalidAudience,
            ErrorKind::InvalidAlgorithm,
            ErrorKind::MissingRequiredClaim("sub".to_owned()),
            ErrorKind::InvalidToken,
        ];
        let count = kinds.len();
        let reasons: HashSet<_> = kinds.into_iter().map(|kind| reason(&kind.into())).collect();
        assert_eq!(reasons.len(), count);
        assert!(reasons.contains("it cannot be read"));
    }
}
