//! Codes of tickets: their bytes with an ES256 signature, in base64url.

use base64_simd::URL_SAFE_NO_PAD;
use domain::ticket::Ticket;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use storage::members::public_keys::PublicKey;

use crate::{secret::Secret, signing_key::SigningKey};

/// Bytes of a signature: two numbers of 32 bytes, as in JWS (RFC 7518, 3.4).
const SIGNATURE: usize = 64;

/// Characters of a code.
pub const CODE_LENGTH: usize = ((Ticket::BYTES + SIGNATURE) * 4).div_ceil(3);

/// Key that signs tickets. Its secret is that of no session, so a rotation of those invalidates no printed ticket.
#[derive(Debug)]
pub struct TicketKey(SigningKey);

/// Verifier of codes, which cannot sign any.
#[derive(Debug)]
pub struct TicketVerifier(UnparsedPublicKey<Vec<u8>>);

impl TicketKey {
    /// Derives the key from the secret of the tickets of a deployment.
    #[must_use]
    pub fn derive(secret: &Secret) -> Self {
        Self(SigningKey::derive(secret, "tickets"))
    }

    /// Returns the public key.
    #[must_use]
    pub fn public(&self) -> &PublicKey {
        self.0.public()
    }

    /// Returns the code of a ticket: 172 characters of `A-Z a-z 0-9 - _`, each time others.
    #[must_use]
    pub fn code(&self, ticket: Ticket) -> String {
        let ticket = ticket.to_bytes();
        URL_SAFE_NO_PAD.encode_to_string([&ticket, self.0.sign(&ticket).as_ref()].concat())
    }
}

impl TicketVerifier {
    /// Builds the verifier on a public key; `None` if it is malformed.
    #[must_use]
    pub fn new(key: &PublicKey) -> Option<Self> {
        let [x, y] = [&key.x, &key.y].map(|coordinate| URL_SAFE_NO_PAD.decode_to_vec(coordinate).ok());
        // An uncompressed point (SEC 1, 2.3.3).
        let point = [vec![4], x?, y?].concat();
        Some(Self(UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)))
    }

    /// Returns the ticket of a code; `None` if the key did not sign it.
    #[must_use]
    pub fn verify(&self, code: &str) -> Option<Ticket> {
        if code.len() != CODE_LENGTH {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode_to_vec(code).ok()?;
        let (ticket, signature) = bytes.split_first_chunk()?;
        self.0.verify(ticket, signature).ok()?;
        Ticket::from_bytes(ticket)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn key(secret: &str) -> TicketKey {
        TicketKey::derive(&secret.parse().unwrap())
    }

    #[test]
    fn only_signed_code_is_verified() {
        const SECRET: &str = "0123456789abcdef0123456789abcdef";
        let [event, show, hold, seat] = [1, 2, 3, 4].map(Uuid::from_u128);
        let ticket = Ticket { event, show, hold, seat };
        let (key, other) = (key(SECRET), key(&SECRET.to_uppercase()));
        let verifier = TicketVerifier::new(key.public()).unwrap();
        let code = key.code(ticket);
        assert_eq!((code.len(), verifier.verify(&code)), (172, Some(ticket)));
        assert_eq!(verifier.verify(&key.code(ticket)), Some(ticket));
        for at in 0..code.len() {
            let mut changed = code.clone();
            changed.replace_range(at..=at, if code[at..].starts_with('A') { "B" } else { "A" });
            assert_eq!(verifier.verify(&changed), None, "{changed}");
        }
        let swapped = format!("{}{}", &other.code(ticket)[..130], &code[130..]);
        let [cut, longer, padded] = [code[1..].to_owned(), format!("{code}A"), format!("{code}=")];
        for forged in [other.code(ticket), swapped, cut, longer, padded, String::new(), "한".repeat(58)] {
            assert_eq!(verifier.verify(&forged), None, "{forged}");
        }
    }
}
