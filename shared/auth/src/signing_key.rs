//! Keys that sign with ES256 (RFC 7518, 3.4): ECDSA on P-256 with SHA-256.

use base64_simd::URL_SAFE_NO_PAD;
use p256::{SecretKey, elliptic_curve::sec1::ToSec1Point as _};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Signature},
};
use storage::members::public_keys::PublicKey;

use crate::secret::Secret;

/// Key that signs, with its public key.
#[derive(Debug)]
pub struct SigningKey {
    public: PublicKey,
    pair: EcdsaKeyPair,
}

impl SigningKey {
    /// Derives the key of a purpose from a secret.
    ///
    /// # Panics
    ///
    /// Never in practice: of 256 numbers, each of which is a key with a probability of over 99.99 %, one is.
    #[must_use]
    pub fn derive(secret: &Secret, purpose: &str) -> Self {
        let number = |attempt: u8| secret.derive::<32>(&format!("{purpose} {attempt}"));
        let secret = (0..=u8::MAX).find_map(|attempt| SecretKey::from_slice(&number(attempt)).ok()).expect("a key");
        // An uncompressed point: a byte with its format, then both coordinates.
        let point = secret.public_key().to_sec1_point(false);
        let pair = EcdsaKeyPair::from_private_key_and_public_key(
            &ECDSA_P256_SHA256_FIXED_SIGNING,
            &secret.to_bytes(),
            point.as_bytes(),
            &SystemRandom::new(),
        );
        let (x, y) = point.as_bytes()[1..].split_at(32);
        let [x, y] = [x, y].map(|coordinate| URL_SAFE_NO_PAD.encode_to_string(coordinate));
        Self { public: PublicKey { x, y }, pair: pair.expect("a matching public key") }
    }

    /// Returns the public key.
    #[must_use]
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs a message: 64 bytes.
    ///
    /// # Panics
    ///
    /// Panics if the system has no random numbers.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.pair.sign(&SystemRandom::new(), message).expect("random numbers")
    }
}
