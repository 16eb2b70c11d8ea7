//! Tokens in the links of mails, which the table need not contain.
//!
//! A token is an HMAC of what it allows: its purpose, the member, the number of the member's passwords so far, and its
//! end. A new password raises the number, so it ends all tokens that were sent before.

use std::{fmt, time::Duration};

use base64_simd::URL_SAFE_NO_PAD;
use domain::mail::MailKind;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use uuid::Uuid;

use crate::secret::Secret;

/// Maximum number of characters of a token; longer texts are not read.
pub const MAX_CHARS: usize = 500;

/// Bytes that are authenticated: the purpose, the member, the number of passwords, and the end.
const MESSAGE: usize = 1 + 16 + 8 + 8;
/// Bytes of a token: the message and its HMAC.
const TOKEN: usize = MESSAGE + 32;

/// Permission to use a link once it was sent to a member's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailToken {
    /// Purpose.
    pub kind: MailKind,
    /// Id of the member.
    pub member: Uuid,
    /// Number of the member's new passwords when the token was issued.
    pub epoch: u64,
    /// End of the token, in seconds since 1970.
    pub end: u64,
}

/// Key that authenticates the tokens of mails.
#[derive(Clone)]
pub struct MailKey(Hmac<Sha256>);

impl MailKey {
    /// Derives the key from the secret of a deployment.
    #[must_use]
    pub fn derive(secret: &Secret) -> Self {
        Self(Hmac::new(&secret.derive::<64>("mail tokens").into()))
    }

    /// Returns the text of a token: 87 characters of `A-Z a-z 0-9 - _`.
    #[must_use]
    pub fn sign(&self, token: &MailToken) -> String {
        let message = to_bytes(token);
        let tag = self.0.clone().chain_update(message).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode_to_string([&message[..], &tag].concat())
    }

    /// Reads the text of a token of a purpose; `None` if this key did not sign it, or if it has ended.
    #[must_use]
    pub fn verify(&self, text: &str, kind: MailKind, now: Duration) -> Option<MailToken> {
        if text.len() != URL_SAFE_NO_PAD.encoded_length(TOKEN) {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode_to_vec(text).ok()?;
        let (purpose, rest) = bytes.split_first_chunk::<1>()?;
        let (member, rest) = rest.split_first_chunk()?;
        let (epoch, rest) = rest.split_first_chunk()?;
        let (end, tag) = rest.split_first_chunk()?;
        let token = MailToken {
            kind,
            member: Uuid::from_bytes(*member),
            epoch: u64::from_be_bytes(*epoch),
            end: u64::from_be_bytes(*end),
        };
        self.0.clone().chain_update([&purpose[..], member, epoch, end].concat()).verify_slice(tag).ok()?;
        (purpose[0] == purpose_of(kind) && now.as_secs() < token.end).then_some(token)
    }
}

impl fmt::Debug for MailKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MailKey(…)")
    }
}

fn purpose_of(kind: MailKind) -> u8 {
    match kind {
        MailKind::PasswordReset => 1,
        MailKind::EmailVerification => 2,
    }
}

fn to_bytes(token: &MailToken) -> [u8; MESSAGE] {
    let mut bytes = [0; MESSAGE];
    bytes[0] = purpose_of(token.kind);
    bytes[1..17].copy_from_slice(token.member.as_bytes());
    bytes[17..25].copy_from_slice(&token.epoch.to_be_bytes());
    bytes[25..].copy_from_slice(&token.end.to_be_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";
    const RESET: MailKind = MailKind::PasswordReset;

    fn key(secret: &str) -> MailKey {
        MailKey::derive(&secret.parse().unwrap())
    }

    #[test]
    fn only_signed_token_is_accepted() {
        let token = MailToken { kind: RESET, member: Uuid::from_u128(7), epoch: 3, end: 100 };
        let text = key(SECRET).sign(&token);
        let verify = |text: &str| key(SECRET).verify(text, RESET, Duration::from_secs(99));
        assert_eq!((text.len(), verify(&text)), (87, Some(token)));
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed.replace_range(at..=at, if text[at..].starts_with('A') { "B" } else { "A" });
            assert_eq!(verify(&changed), None, "{changed}");
        }
        for foreign in ["", "x", &text[..86], &format!("{text}A"), &format!("{text}="), &"한".repeat(29)] {
            assert_eq!(verify(foreign), None, "{foreign}");
        }
        assert_eq!(key(&SECRET.to_uppercase()).verify(&text, RESET, Duration::ZERO), None);
    }

    #[test]
    fn token_has_end_and_purpose() {
        let token = MailToken { kind: RESET, member: Uuid::from_u128(7), epoch: 0, end: 100 };
        let text = key(SECRET).sign(&token);
        assert_eq!(key(SECRET).verify(&text, RESET, Duration::from_secs(100)), None);
        assert_eq!(key(SECRET).verify(&text, MailKind::EmailVerification, Duration::from_secs(1)), None);
        assert_eq!(format!("{:?}", key(SECRET)), "MailKey(…)");
    }
}
