//! Refresh tokens of sessions.

use std::{fmt, str::FromStr, time::Duration};

use base64_simd::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use storage::members::sessions::RefreshToken;
use uuid::Uuid;

use crate::secret::Secret;

/// Bytes of a token: the session, the generation, and an HMAC of both.
const TOKEN: usize = 16 + 4 + 32;

/// Key that authenticates refresh tokens, so that the table need not contain them.
#[derive(Clone)]
pub struct RefreshKey(Hmac<Sha256>);

/// Tokens of a session.
#[derive(Debug)]
pub struct Tokens {
    /// Access token.
    pub access: String,
    /// Seconds for which the access token is valid.
    pub expires_in: u64,
    /// Refresh token.
    pub refresh: String,
}

/// Time for which an access token is valid: 1 to 86,400 seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessLifetime(Duration);

impl AccessLifetime {
    /// One hour.
    pub const DEFAULT: Self = Self(Duration::from_hours(1));

    /// Checks a number of seconds.
    ///
    /// # Errors
    ///
    /// Returns what is expected.
    pub fn from_seconds(seconds: u64) -> Result<Self, &'static str> {
        if (1..=86_400).contains(&seconds) {
            Ok(Self(Duration::from_secs(seconds)))
        } else {
            Err("a number of seconds from 1 to 86400")
        }
    }

    /// Returns the time.
    #[must_use]
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl FromStr for AccessLifetime {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        Self::from_seconds(text.parse().unwrap_or(0))
    }
}

impl RefreshKey {
    /// Derives the key from the secret of a deployment.
    #[must_use]
    pub fn derive(secret: &Secret) -> Self {
        Self(Hmac::new(&secret.derive::<64>("refresh tokens").into()))
    }

    /// Returns the text of a token: 70 characters of `A-Z a-z 0-9 - _`, which say nothing about the member.
    #[must_use]
    pub fn sign(&self, token: RefreshToken) -> String {
        let message = to_bytes(token);
        let tag = self.0.clone().chain_update(message).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode_to_string([&message[..], &tag].concat())
    }

    /// Reads the text of a token; `None` if this key did not sign it.
    #[must_use]
    pub fn verify(&self, text: &str) -> Option<RefreshToken> {
        if text.len() != URL_SAFE_NO_PAD.encoded_length(TOKEN) {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode_to_vec(text).ok()?;
        let (session, rest) = bytes.split_first_chunk()?;
        let (generation, tag) = rest.split_first_chunk()?;
        let token = RefreshToken { session: Uuid::from_bytes(*session), generation: u32::from_be_bytes(*generation) };
        self.0.clone().chain_update(to_bytes(token)).verify_slice(tag).ok()?;
        Some(token)
    }
}

impl fmt::Debug for RefreshKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RefreshKey(…)")
    }
}

fn to_bytes(token: RefreshToken) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[..16].copy_from_slice(token.session.as_bytes());
    bytes[16..].copy_from_slice(&token.generation.to_be_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(secret: &str) -> RefreshKey {
        RefreshKey::derive(&secret.parse().unwrap())
    }

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn key_is_not_shown() {
        assert_eq!(format!("{:?}", key(SECRET)), "RefreshKey(…)");
    }

    #[test]
    fn only_signed_token_is_accepted() {
        let token = RefreshToken { session: Uuid::from_u128(7), generation: 3 };
        let text = key(SECRET).sign(token);
        assert_eq!((text.len(), key(SECRET).verify(&text)), (70, Some(token)));
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed.replace_range(at..=at, if text[at..].starts_with('A') { "B" } else { "A" });
            assert_ne!(key(SECRET).verify(&changed), Some(token), "{changed}");
        }
        for foreign in ["", "x", &text[..69], &format!("{text}A"), &format!("{text}="), &"한".repeat(70)] {
            assert_eq!(key(SECRET).verify(foreign), None, "{foreign}");
        }
        assert_eq!(key(&SECRET.to_uppercase()).verify(&text), None);
    }
}
