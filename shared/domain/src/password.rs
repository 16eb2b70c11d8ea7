//! Passwords and their hashes.

pub mod common;

use std::{
    fmt,
    str::FromStr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use argon2_rust::{
    Algorithm, Argon2, Error, Params, Version,
    params::{Memory, TagLen},
};
use zeroize::Zeroizing;

use crate::{
    described,
    error::Cause,
    text::{Line, nfc},
    violation::Violation,
};

/// Maximum memory of a hash, in KiB; a function cannot allocate more.
const MAX_MEMORY: u32 = 1 << 20;

/// Limits of a stored hash. More lanes do not fit into the memory.
const LIMITS: Params = Params::builder()
    .memory(Memory::kib(MAX_MEMORY as u64))
    .passes(u32::MAX)
    .lanes(MAX_MEMORY / 8)
    .threads(1)
    .tag_len(TagLen::bytes(64))
    .build_or_panic();

/// Salt of the hash that is computed if there is no stored one.
const NO_SALT: [u8; 16] = [0; 16];

/// Maximum number of characters of a new password, as sent.
pub const MAX_CHARS: usize = 20;

/// Maximum number of characters of a password at login, as sent.
pub const MAX_CHARS_AT_LOGIN: usize = 50;

/// A password in normalization form C (NFC); wiped when dropped, and never printed.
///
/// Systems encode the same typed letters as composed or decomposed characters. NFC makes them one password.
pub struct Password(Zeroizing<String>);

/// New password in a request.
pub struct NewPassword;

described!(Password as "Password", like Line<MAX_CHARS_AT_LOGIN>, {
    "description": "Password of the member.",
    "format": "password",
});

described!(NewPassword as "NewPassword", like Line<MAX_CHARS>, {
    "description": "Compared in Unicode normalization form C (NFC).",
    "format": "password",
});

impl Password {
    /// Parses a new password of at most 20 characters.
    ///
    /// # Errors
    ///
    /// Returns the violations of [`Line::parse`].
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        Line::<MAX_CHARS>::parse(text)?;
        Ok(Self::normalized(text))
    }

    /// Parses the password of a login, of at most 50 characters.
    ///
    /// # Errors
    ///
    /// Returns the violations of [`Line::parse`], with `LengthOutOfRange` in place of `TooLong`.
    pub fn parse_at_login(text: &str) -> Result<Self, Vec<Violation>> {
        Line::<MAX_CHARS_AT_LOGIN>::parse(text)
            .map(|_| Self::normalized(text))
            .map_err(|violations| violations.into_iter().map(Violation::into_login).collect())
    }

    fn normalized(text: &str) -> Self {
        // NFC at most triples the bytes of UTF-8. A string that grows would leave copies that are not wiped.
        let mut password = Zeroizing::new(String::with_capacity(3 * text.len()));
        password.extend(nfc(text));
        Self(password)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// A hash of a password with its parameters and salt, as a PHC string; never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Returns the PHC string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Rebuilds a stored PHC string.
    #[must_use]
    pub fn from_stored(phc: String) -> Self {
        Self(phc)
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Hashes and verifies passwords with Argon2id.
pub struct Hasher {
    /// Parameters of new hashes.
    params: Params,
    /// Argon2id with its memory, which is wiped after each hash and reused, because new memory takes time.
    ///
    /// Simultaneous hashes wait for it, so that a process needs the memory of only one hash.
    argon2: Mutex<argon2_rust::Hasher>,
}

impl FromStr for Hasher {
    type Err = &'static str;

    /// Parses the parameters of new hashes in PHC notation.
    fn from_str(params: &str) -> Result<Self, &'static str> {
        parse_params(params).map(Self::new).ok_or("Argon2id parameters such as m=19456,t=2,p=1")
    }
}

fn parse_params(text: &str) -> Option<Params> {
    let (memory, rest) = text.strip_prefix("m=")?.split_once(",t=")?;
    let (passes, lanes) = rest.split_once(",p=")?;
    let params = Params::builder()
        .memory(Memory::kib(memory.parse().ok()?))
        .passes(passes.parse().ok()?)
        .lanes(lanes.parse().ok()?)
        .threads(1);
    params.build().ok().filter(|params| params.memory_kib() <= MAX_MEMORY)
}

impl Hasher {
    fn new(params: Params) -> Self {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::DEFAULT, params);
        Self { params, argon2: Mutex::new(argon2.hasher()) }
    }

    /// Hashes a new password with a new random salt.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not enough memory or no random salt.
    pub fn hash(&self, password: &Password) -> Result<PasswordHash, Cause> {
        let hash = self.argon2().hash_password_with_random_salt(password.0.as_bytes())?;
        Ok(PasswordHash(hash))
    }

    /// Returns true if the hash is that of the password.
    ///
    /// Without a readable hash it does the same work and returns false, so the time reveals nothing.
    #[must_use]
    pub fn verify(&self, password: &Password, hash: Option<&PasswordHash>) -> bool {
        let (mut argon2, password) = (self.argon2(), password.0.as_bytes());
        // Outputs are compared in constant time.
        match hash.map(|hash| argon2.verify_encoded_bounded(&hash.0, password, Algorithm::Argon2id, &LIMITS)) {
            Some(Ok(())) => true,
            Some(Err(Error::VerifyMismatch)) => false,
            Some(Err(_)) | None => {
                let _ = argon2.hash(password, &NO_SALT);
                false
            }
        }
    }

    /// Returns true if a hash has the parameters of new hashes.
    #[must_use]
    pub fn is_current(&self, hash: &PasswordHash) -> bool {
        let (memory, passes, lanes) = (self.params.memory_kib(), self.params.passes(), self.params.lanes());
        hash.0.starts_with(&format!("$argon2id$v=19$m={memory},t={passes},p={lanes}$"))
    }

    fn argon2(&self) -> MutexGuard<'_, argon2_rust::Hasher> {
        self.argon2.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hasher")
    }
}

#[cfg(test)]
mod tests {
    use argon2::{PasswordVerifier as _, password_hash::phc};

    use super::*;

    fn hasher(params: &str) -> Hasher {
        params.parse().unwrap()
    }

    fn password(text: &str) -> Password {
        Password::parse(text).unwrap()
    }

    #[test]
    fn only_hashed_password_verifies() {
        let hasher = hasher("m=64,t=1,p=1");
        let hash = hasher.hash(&password("비밀번호 1!")).unwrap();
        assert!(hasher.verify(&password("비밀번호 1!"), Some(&hash)));
        assert!(!hasher.verify(&password("비밀번호 1! "), Some(&hash)));
        assert!(!hasher.verify(&password("비밀번호 1!"), None));
    }

    #[test]
    fn composition_does_not_matter() {
        let hasher = hasher("m=64,t=1,p=1");
        let hash = hasher.hash(&password("각é①")).unwrap();
        let decomposed =
            |end: &str| Password::parse_at_login(&format!("\u{1100}\u{1161}\u{11a8}e\u{301}{end}")).unwrap();
        assert!(hasher.verify(&decomposed("①"), Some(&hash)));
        assert!(!hasher.verify(&decomposed("1"), Some(&hash)));
    }

    #[test]
    fn normalized_password_fits_capacity() {
        for text in ["\u{1d160}".repeat(50), "\u{390}".repeat(50), "a".repeat(50)] {
            let password = Password::parse_at_login(&text).unwrap();
            assert_eq!(password.0.capacity(), 3 * text.len());
        }
    }

    #[test]
    fn length_counts_characters_as_sent() {
        assert!(Password::parse(&"e\u{301}".repeat(10)).is_ok());
        assert_eq!(Password::parse(&"가".repeat(21)).unwrap_err(), [Violation::TooLong(20)]);
        assert!(Password::parse_at_login(&"가".repeat(50)).is_ok());
        let too_long = Password::parse_at_login(&"가".repeat(51));
        assert_eq!(too_long.unwrap_err(), [Violation::LengthOutOfRange(1..=50)]);
    }

    #[test]
    fn other_implementations_agree() {
        for params in ["m=64,t=1,p=1", "m=300,t=3,p=4", "m=19456,t=2,p=1"] {
            // BLAKE2b reads blocks of 128 bytes.
            for text in ["a", "비밀번호 1!", &"가".repeat(43)] {
                let hash = hasher(params).hash(&Password::parse_at_login(text).unwrap()).unwrap();
                let phc = phc::PasswordHash::new(hash.as_str()).unwrap();
                let verify = |password: &str| argon2::Argon2::default().verify_password(password.as_bytes(), &phc);
                assert!(verify(text).is_ok() && verify(&format!("{text}!")).is_err(), "{params} {text}");
            }
        }
        // From the tests of the reference implementation, phc-winner-argon2.
        let phc = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        let hash = PasswordHash::from_stored(phc.to_owned());
        assert!(hasher("m=64,t=1,p=1").verify(&password("password"), Some(&hash)));
    }

    #[test]
    fn costlier_hash_keeps_no_memory() {
        let (cheap, costly) = (hasher("m=64,t=1,p=1"), hasher("m=256,t=1,p=1"));
        let [one, other] = [&cheap, &costly].map(|hasher| hasher.hash(&password("x")).unwrap());
        for hash in [&other, &one, &other] {
            assert!(cheap.verify(&password("x"), Some(hash)));
            assert_eq!(cheap.argon2().reserved_blocks(), 64);
        }
    }

    #[test]
    fn parameters_outside_limits_are_rejected() {
        for params in ["m=8,t=1,p=1", "m=1048576,t=4294967295,p=1", "m=1048576,t=1,p=131072"] {
            assert!(params.parse::<Hasher>().is_ok(), "{params}");
        }
        let outside = ["m=7,t=1,p=1", "m=1048577,t=1,p=1", "m=8,t=0,p=1", "m=8,t=4294967296,p=1", "m=15,t=1,p=2"];
        for params in outside.into_iter().chain(["", "m=8,t=1", "t=1,m=8,p=1", "m=8,t=1,p=1$"]) {
            assert!(params.parse::<Hasher>().is_err(), "{params}");
        }
    }

    #[test]
    fn unusable_hash_is_rejected() {
        let of_memory = |memory: u32| {
            format!("$argon2id$v=19$m={memory},t=1,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4")
        };
        let hasher = hasher("m=64,t=1,p=1");
        let verified =
            hasher.argon2().verify_encoded_bounded(&of_memory(MAX_MEMORY + 1), b"x", Algorithm::Argon2id, &LIMITS);
        assert_eq!(verified, Err(Error::MemoryTooMuch));
        for phc in [of_memory(u32::MAX), String::new(), "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA".to_owned()]
        {
            assert!(!hasher.verify(&password("x"), Some(&PasswordHash::from_stored(phc.clone()))), "{phc}");
        }
    }

    #[test]
    fn hash_is_salted_phc_string() {
        let hasher = hasher("m=64,t=1,p=1");
        let (one, other) = (hasher.hash(&password("x")).unwrap(), hasher.hash(&password("x")).unwrap());
        assert!(one.as_str().starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{}", one.as_str());
        assert_ne!(one.0, other.0);
    }

    #[test]
    fn outdated_hash_still_verifies() {
        let (old, new) = (hasher("m=64,t=1,p=1"), hasher("m=64,t=2,p=1"));
        let hash = old.hash(&password("x")).unwrap();
        assert!(new.verify(&password("x"), Some(&hash)));
        assert!(old.is_current(&hash) && !new.is_current(&hash));
    }

    #[test]
    fn debug_output_has_no_secrets() {
        let hasher = hasher("m=64,t=1,p=1");
        let hash = hasher.hash(&password("canary")).unwrap();
        let printed = format!("{:?} {hash:?} {hasher:?}", password("canary"));
        assert_eq!(printed, "Password(…) PasswordHash(…) Hasher");
    }
}
