//! Secrets of a deployment, from which keys are derived with HKDF (RFC 5869).

use std::{fmt, str::FromStr};

use hkdf::Hkdf;
use sha2::Sha256;

/// Secret of a deployment: that of its sessions, or that of its tickets.
#[derive(Clone)]
pub struct Secret(Hkdf<Sha256>);

impl Secret {
    /// Derives a key for a purpose.
    #[must_use]
    pub fn derive<const N: usize>(&self, purpose: &str) -> [u8; N] {
        let mut key = [0; N];
        // It can only fail for over 8,160 bytes.
        let _ = self.0.expand(purpose.as_bytes(), &mut key);
        key
    }
}

impl FromStr for Secret {
    type Err = &'static str;

    /// Takes the secret of a deployment.
    fn from_str(secret: &str) -> Result<Self, &'static str> {
        if secret.len() < 32 {
            return Err("a secret of at least 32 bytes");
        }
        Ok(Self(Hkdf::new(None, secret.as_bytes())))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn short_secret_is_rejected() {
        assert!(SECRET[1..].parse::<Secret>().is_err());
    }

    #[test]
    fn keys_of_purposes_differ() {
        let secret: Secret = SECRET.parse().unwrap();
        assert_ne!(secret.derive::<32>("a"), secret.derive("b"));
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
