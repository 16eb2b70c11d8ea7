//! Opaque, authenticated cursors that mark the end of a page of a list.

use std::{fmt, str::FromStr};

use base64_simd::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use uuid::Uuid;

/// Secret key that authenticates cursors; never printed.
#[derive(Clone)]
pub struct CursorKey(Hmac<Sha256>);

/// Length of a 128-bit authentication tag, in bytes.
const TAG_LENGTH: usize = 16;

impl CursorKey {
    /// Builds the cursor after the event of this id.
    #[must_use]
    pub fn sign(&self, id: Uuid) -> String {
        encode(self.0.clone(), id.as_bytes())
    }

    /// Returns the event id of a cursor that this key signed.
    #[must_use]
    pub fn verify(&self, cursor: &str) -> Option<Uuid> {
        Uuid::from_slice(&decode(self.0.clone(), cursor)?).ok()
    }

    /// Builds a cursor of a list other than that of all events; `list` names it and its parameters.
    #[must_use]
    pub fn sign_position(&self, list: &str, position: &[u8]) -> String {
        encode(self.of_list(list), position)
    }

    /// Returns the position of a cursor that this key signed for the same list.
    #[must_use]
    pub fn verify_position(&self, list: &str, cursor: &str) -> Option<Vec<u8>> {
        decode(self.of_list(list), cursor)
    }

    /// Returns the state of the authentication after the name of a list.
    fn of_list(&self, list: &str) -> Hmac<Sha256> {
        // UTF-8 never contains this byte, so different lists have different input.
        self.0.clone().chain_update(list).chain_update([0xFF])
    }
}

fn encode(authentication: Hmac<Sha256>, position: &[u8]) -> String {
    let tag = authentication.chain_update(position).finalize().into_bytes();
    URL_SAFE_NO_PAD.encode_to_string([position, &tag[..TAG_LENGTH]].concat())
}

fn decode(authentication: Hmac<Sha256>, cursor: &str) -> Option<Vec<u8>> {
    let mut bytes = URL_SAFE_NO_PAD.decode_to_vec(cursor).ok()?;
    let tag = bytes.split_off(bytes.len().checked_sub(TAG_LENGTH)?);
    authentication.chain_update(&bytes).verify_truncated_left(&tag).ok()?;
    Some(bytes)
}

impl FromStr for CursorKey {
    type Err = &'static str;

    /// Accepts a secret of at least 16 bytes.
    fn from_str(secret: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "a secret of at least 16 bytes";
        if secret.len() < 16 {
            return Err(EXPECTED);
        }
        Hmac::new_from_slice(secret.as_bytes()).map(Self).map_err(|_| EXPECTED)
    }
}

impl fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CursorKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: Uuid = Uuid::from_u128(0x0196_a1b2_0000_7000_8000_0000_0000_abcd);

    fn key(secret: &str) -> CursorKey {
        secret.parse().unwrap()
    }

    #[test]
    fn only_signed_cursor_is_accepted() {
        let key = key("0123456789abcdef");
        let cursor = key.sign(ID);
        assert_eq!(key.verify(&cursor), Some(ID));
        for at in 0..cursor.len() {
            let mut changed = cursor.clone();
            changed.replace_range(at..=at, if cursor[at..].starts_with('A') { "B" } else { "A" });
            assert_eq!(key.verify(&changed), None, "{changed}");
        }
    }

    #[test]
    fn foreign_cursor_is_rejected() {
        let (ours, other) = (key("0123456789abcdef"), key("0123456789abcdeg"));
        let cursor = ours.sign(ID);
        assert_eq!(other.verify(&cursor), None);
        let untagged = URL_SAFE_NO_PAD.encode_to_string(ID.as_bytes());
        for text in ["", "x", &cursor[..42], &format!("{cursor}A"), &format!("{cursor}="), &untagged] {
            assert_eq!(ours.verify(text), None, "{text}");
        }
    }

    #[test]
    fn cursor_of_another_list_is_rejected() {
        let key = key("0123456789abcdef");
        let cursor = key.sign_position("a", ID.as_bytes());
        assert_eq!(key.verify_position("a", &cursor).as_deref(), Some(&ID.as_bytes()[..]));
        for list in ["", "b", "ab"] {
            assert_eq!(key.verify_position(list, &cursor), None, "{list}");
        }
        assert_eq!(key.verify(&cursor), None);
        assert_eq!(key.verify_position("a", &key.sign(ID)), None);
    }

    #[test]
    fn short_secret_is_rejected() {
        assert!("0123456789abcde".parse::<CursorKey>().is_err());
    }

    #[test]
    fn debug_output_hides_key() {
        assert_eq!(format!("{:?}", key("0123456789abcdef")), "CursorKey(…)");
    }
}
