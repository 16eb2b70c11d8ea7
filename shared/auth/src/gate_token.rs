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

/// Token of a new gate.
#[derive(Debug)]
pub struct NewGateToken {
    /// Id of the gate.
    pub gate: Uuid,
    /// Text of the token: 80 characters of `A-Z a-z 0-9 - _ .`.
    pub text: String,
    /// Hash of its secret.
    pub hash: SecretHash,
}

impl NewGateToken {
    /// Makes a random token.
    ///
    /// # Errors
    ///
    /// Returns `Unexpected` if the system has no random numbers.
    pub fn generate() -> Result<Self, Error> {
        let secret =
            generate::<[u8; SECRET]>(&SystemRandom::new()).map_err(|_| Error::unexpected("no random numbers"))?;
        let (gate, secret) = (Uuid::new_v4(), secret.expose());
        let text = format!("{gate}.{}", URL_SAFE_NO_PAD.encode_to_string(secret));
        Ok(Self { gate, text, hash: Sha256::digest(secret).into() })
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
    fn token_is_read_as_generated() {
        let token = NewGateToken::generate().unwrap();
        assert_eq!((token.text.len(), read(&token.text)), (80, Some((token.gate, token.hash))));
        assert!(token.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
        let (gate, secret) = token.text.split_once('.').unwrap();
        let other = NewGateToken::generate().unwrap();
        assert_ne!(read(&format!("{gate}.{}", &other.text[37..])), read(&token.text));
        for malformed in ["", ".", gate, secret, &format!("{gate}."), &format!("{gate}.{secret}A"), &token.text[1..]] {
            assert_eq!(read(malformed), None, "{malformed}");
        }
    }
}
