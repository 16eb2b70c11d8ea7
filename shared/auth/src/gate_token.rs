//! Tokens of gates: the id of the gate and a secret, whose hash is stored.

use base64_simd::URL_SAFE_NO_PAD;
use domain::{error::Error, gate::SecretHash, id};
use ring::rand::{SystemRandom, generate};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Bytes of a secret.
const SECRET: usize = 32;

/// Maximum number of characters of a token; the service issues shorter ones.
pub const MAX_CHARS: usize = 300;

/// Secret of a new gate.
#[derive(Debug)]
pub struct NewGateSecret {
    text: String,
    /// Its hash.
    pub hash: SecretHash,
}

impl NewGateSecret {
    /// Makes a random secret.
    ///
    /// # Errors
    ///
    /// Returns `Unexpected` if the system has no random numbers.
    pub fn generate() -> Result<Self, Error> {
        let secret =
            generate::<[u8; SECRET]>(&SystemRandom::new()).map_err(|_| Error::unexpected("no random numbers"))?;
        let secret = secret.expose();
        Ok(Self { text: URL_SAFE_NO_PAD.encode_to_string(secret), hash: Sha256::digest(secret).into() })
    }

    /// Returns the token of the gate with this id: 80 characters of `A-Z a-z 0-9 - _ .`.
    #[must_use]
    pub fn token(&self, gate: Uuid) -> String {
        format!("{gate}.{}", self.text)
    }
}

/// Returns the id of the gate of a token, and the hash of its secret; `None` if the token is malformed.
#[must_use]
pub fn read(token: &str) -> Option<(Uuid, SecretHash)> {
    let (gate, secret) = token.split_once('.')?;
    if token.len() > MAX_CHARS {
        return None;
    }
    let secret = URL_SAFE_NO_PAD.decode_to_vec(secret).ok().filter(|secret| secret.len() == SECRET)?;
    Some((id::parse(gate)?, Sha256::digest(secret).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_read_as_made() {
        let [new, other] = [(); 2].map(|()| NewGateSecret::generate().unwrap());
        let id = Uuid::from_u128(1);
        let token = new.token(id);
        assert_eq!((token.len(), read(&token)), (80, Some((id, new.hash))));
        assert_ne!(new.hash, other.hash);
        assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
        let (gate, secret) = token.split_once('.').unwrap();
        for malformed in ["", ".", gate, secret, &format!("{gate}."), &format!("{gate}.{secret}A"), &token[1..]] {
            assert_eq!(read(malformed), None, "{malformed}");
        }
    }
}
