//! Idempotency keys, which distinguish a repeated request from another request.

use std::str::FromStr;

use base64_simd::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// Maximum number of characters of a key.
pub const MAX_LENGTH: usize = 64;

/// A client's name for a request that may be repeated: 1 to 64 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Returns the unchanged key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let is_valid = (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_valid { Ok(Self(text.to_owned())) } else { Err(()) }
    }
}

/// Hash of the content of a request, so that its key is not used for another request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Computes the fingerprint of these parts, in this order.
    #[must_use]
    pub fn new(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        Self(URL_SAFE_NO_PAD.encode_to_string(hash.finalize()))
    }

    /// Returns the hash in base64.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_length_and_characters_are_limited() {
        for valid in ["!", "~", &"k".repeat(64)] {
            assert_eq!(valid.parse::<IdempotencyKey>().unwrap().as_str(), valid);
        }
        for invalid in ["", "a b", "키", "\u{7f}", &"k".repeat(65)] {
            assert!(invalid.parse::<IdempotencyKey>().is_err(), "{invalid:?}");
        }
    }

    #[test]
    fn fingerprint_depends_on_parts() {
        let all = [&[b"ab".as_slice(), b"c"][..], &[b"a", b"bc"], &[b"abc"], &[b"abc", b""]];
        for (index, parts) in all.iter().enumerate() {
            assert!(all[..index].iter().all(|other| Fingerprint::new(other) != Fingerprint::new(parts)));
        }
        // SHA-256 of no bytes, from NIST's example vectors: e3b0c442 98fc1c14 … 7852b855.
        assert_eq!(Fingerprint::new(&[]).as_str(), "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    }
}
