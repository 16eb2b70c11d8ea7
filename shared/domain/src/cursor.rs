//! Opaque, authenticated cursors that mark the end of a page of a list.

use std::{fmt, str::FromStr};

use base64_simd::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use uuid::Uuid;

/// Secret key that authenticates cursors; never printed.
#[derive(Clone)]
pub struct CursorKey(Hmac<Sha256>);

/// Length of an id, in bytes.
const ID_LENGTH: usize = 16;
/// Length of a 128-bit authentication tag, in bytes.
const TAG_LENGTH: usize = 16;

impl CursorKey {
    /// Builds the cursor after the event of this id.
    #[must_use]
    pub fn sign(&self, id: Uuid) -> String {
        let tag = self.0.clone().chain_update(id.as_bytes()).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode_to_string([id.as_bytes(), &tag[..TAG_LENGTH]].concat())
    }

    /// Returns the event id of a cursor that this key signed.
    #[must_use]
    pub fn verify(&self, cursor: &str) -> Option<Uuid> {
        let bytes = URL_SAFE_NO_PAD.decode_to_vec(cursor).ok()?;
        let (id, tag) = bytes.split_at_checked(ID_LENGTH)?;
        if tag.len() != TAG_LENGTH {
            return None;
        }
        self.0.clone().chain_update(id).verify_truncated_left(tag).ok()?;
        Uuid::from_slice(id).ok()
    }
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
    use proptest::prelude::*;

    use super::*;

    fn key(secret: &str) -> CursorKey {
        secret.parse().unwrap()
    }

    proptest! {
        #[test]
        fn signed_cursor_verifies(id in any::<u128>()) {
            let (key, id) = (key("0123456789abcdef"), Uuid::from_u128(id));
            prop_assert_eq!(key.verify(&key.sign(id)), Some(id));
        }

        #[test]
        fn changed_cursor_is_rejected(id in any::<u128>(), at in 0_usize..43, to in "[A-Za-z0-9_-]") {
            let key = key("0123456789abcdef");
            let cursor = key.sign(Uuid::from_u128(id));
            let mut changed = cursor.clone();
            changed.replace_range(at..=at, &to);
            prop_assume!(changed != cursor);
            prop_assert_eq!(key.verify(&changed), None);
        }
    }

    #[test]
    fn foreign_cursor_is_rejected() {
        let (ours, other) = (key("0123456789abcdef"), key("0123456789abcdeg"));
        let cursor = ours.sign(Uuid::from_u128(1));
        assert_eq!(other.verify(&cursor), None);
        for text in ["", "x", &cursor[..42], &format!("{cursor}A"), &format!("{cursor}=")] {
            assert_eq!(ours.verify(text), None, "{text}");
        }
        let untagged = URL_SAFE_NO_PAD.encode_to_string(Uuid::from_u128(1).as_bytes());
        assert_eq!(ours.verify(&untagged), None);
    }

    #[test]
    fn debug_output_hides_key() {
        assert_eq!(format!("{:?}", key("0123456789abcdef")), "CursorKey(…)");
    }
}
