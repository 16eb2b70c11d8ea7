//! Passwords and their hashes.

pub mod common;

use std::{
    fmt,
    str::FromStr,
    sync::{Mutex, PoisonError},
};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::phc::{self, Output, Salt},
};
use zeroize::Zeroizing;

use crate::{
    error::Cause,
    text::{Line, nfc},
    violation::Violation,
};

/// Length of a new hash, in bytes.
const OUTPUT_LENGTH: usize = Params::DEFAULT_OUTPUT_LEN;

/// Maximum memory of a stored hash, in KiB; the service makes none with more, and cannot allocate more.
const MAX_MEMORY: u32 = 1 << 20;

/// Maximum number of characters of a new password, as sent.
pub const MAX_CHARS: usize = 20;

/// Maximum number of characters of a password at login, as sent.
pub const MAX_CHARS_AT_LOGIN: usize = 50;

/// A password in normalization form C (NFC); wiped when dropped, and never printed.
///
/// Systems encode the same typed letters as composed or decomposed characters. NFC makes them one password.
pub struct Password(Zeroizing<String>);

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
    params: Params,
    /// Memory of the last hash, reused because new zeroed memory takes a quarter of the time of a hash. With two
    /// or more passes, the default, nothing of a password's first, cheap digest remains in it.
    ///
    /// Simultaneous hashes wait for it. Memory for each of them would remain in the process: glibc keeps it.
    memory: Mutex<Vec<Block>>,
}

/// Content of a PHC string of Argon2id.
struct Phc {
    version: Version,
    params: Params,
    salt: Salt,
    output: Output,
}

impl FromStr for Hasher {
    type Err = &'static str;

    /// Parses the parameters of new hashes in PHC notation.
    fn from_str(params: &str) -> Result<Self, &'static str> {
        params.parse().map(Self::new).map_err(|_| "Argon2id parameters such as m=19456,t=2,p=1")
    }
}

impl Hasher {
    /// Builds a hasher with these parameters for new hashes.
    #[must_use]
    pub fn new(params: Params) -> Self {
        Self { params, memory: Mutex::default() }
    }

    /// Hashes a new password with a new random salt.
    ///
    /// # Errors
    ///
    /// Returns an error if hashing fails or the parameters have no PHC notation.
    pub fn hash(&self, password: &Password) -> Result<PasswordHash, Cause> {
        let (version, params, salt) = (Version::default(), self.params.clone(), Salt::generate());
        let output = self.output(password, version, &params, &salt, OUTPUT_LENGTH)?;
        Phc { version, params, salt, output }.write().map(PasswordHash)
    }

    /// Returns true if the hash is that of the password.
    ///
    /// Without a readable hash it does the same work and returns false, so the time reveals nothing.
    #[must_use]
    pub fn verify(&self, password: &Password, hash: Option<&PasswordHash>) -> bool {
        let Some(phc) = hash.and_then(|hash| Phc::read(&hash.0)) else {
            let _ = self.output(password, Version::default(), &self.params, &Salt::generate(), OUTPUT_LENGTH);
            return false;
        };
        let output = self.output(password, phc.version, &phc.params, &phc.salt, phc.output.len());
        // Outputs are compared in constant time.
        output.is_ok_and(|output| output == phc.output)
    }

    /// Returns true if a hash has the parameters of new hashes.
    #[must_use]
    pub fn is_current(&self, hash: &PasswordHash) -> bool {
        let costs = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
        Phc::read(&hash.0)
            .is_some_and(|phc| phc.version == Version::default() && costs(&phc.params) == costs(&self.params))
    }

    fn output(
        &self,
        password: &Password,
        version: Version,
        params: &Params,
        salt: &Salt,
        length: usize,
    ) -> Result<Output, Cause> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let blocks = memory.len().max(params.block_count());
        memory.resize(blocks, Block::default());
        let argon2 = Argon2::new(Algorithm::Argon2id, version, params.clone());
        let mut output = vec![0; length];
        let password = password.0.as_bytes();
        argon2.hash_password_into_with_memory(password, salt, &mut output, &mut *memory)?;
        Ok(Output::new(&output)?)
    }
}

impl Phc {
    fn read(phc: &str) -> Option<Self> {
        let hash = phc::PasswordHash::new(phc).ok()?;
        if hash.algorithm != argon2::ARGON2ID_IDENT {
            return None;
        }
        let version = hash.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
        let params = Params::try_from(&hash).ok().filter(|params| params.m_cost() <= MAX_MEMORY)?;
        Some(Self { version, params, salt: hash.salt?, output: hash.hash? })
    }

    fn write(&self) -> Result<String, Cause> {
        let hash = phc::PasswordHash {
            algorithm: argon2::ARGON2ID_IDENT,
            version: Some(self.version.into()),
            params: (&self.params).try_into()?,
            salt: Some(self.salt),
            hash: Some(self.output),
        };
        Ok(hash.to_string())
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hasher")
    }
}

#[cfg(test)]
mod tests {
    use std::thread::{self, ScopedJoinHandle};

    use super::*;

    fn hasher(params: &str) -> Hasher {
        Hasher::new(params.parse().unwrap())
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
        let (composed, decomposed) = ("각é", "\u{1100}\u{1161}\u{11a8}e\u{301}");
        for (one, other) in [(composed, decomposed), (decomposed, composed)] {
            let hash = hasher.hash(&password(one)).unwrap();
            assert!(hasher.verify(&Password::parse_at_login(other).unwrap(), Some(&hash)));
        }
        let hash = hasher.hash(&password("①")).unwrap();
        assert!(!hasher.verify(&password("1"), Some(&hash)));
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
        let decomposed = "e\u{301}";
        assert!(Password::parse(&decomposed.repeat(10)).is_ok());
        assert_eq!(Password::parse(&decomposed.repeat(11)).unwrap_err(), [Violation::TooLong(20)]);
    }

    #[test]
    fn reference_hash_verifies() {
        // From the tests of the reference implementation, phc-winner-argon2.
        let phc = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        let hasher = hasher("m=64,t=1,p=1");
        let hash = PasswordHash::from_stored(phc.to_owned());
        assert!(hasher.verify(&password("password"), Some(&hash)));
        assert!(!hasher.verify(&password("passwort"), Some(&hash)));
    }

    #[test]
    fn memory_can_be_reused() {
        let (used, fresh) = (hasher("m=64,t=1,p=1"), hasher("m=64,t=1,p=1"));
        let hash = used.hash(&password("x")).unwrap();
        for _ in 0..2 {
            assert!(used.verify(&password("x"), Some(&hash)));
            assert!(!used.verify(&password("y"), Some(&hash)));
        }
        assert!(fresh.verify(&password("x"), Some(&hash)));
    }

    #[test]
    fn larger_memory_can_be_reused() {
        let (cheap, costly) = (hasher("m=64,t=1,p=1"), hasher("m=256,t=1,p=1"));
        let [one, other] = [&cheap, &costly].map(|hasher| hasher.hash(&password("x")).unwrap());
        for hash in [&other, &one, &other] {
            assert!(cheap.verify(&password("x"), Some(hash)));
        }
    }

    #[test]
    fn simultaneous_hashes_share_memory() {
        let hasher = hasher("m=4096,t=2,p=1");
        let hash = hasher.hash(&password("x")).unwrap();
        let blocks = hasher.memory.lock().unwrap().len();
        thread::scope(|scope| {
            let verify = || (0..4).all(|_| hasher.verify(&password("x"), Some(&hash)));
            let logins: Vec<_> = (0..4).map(|_| scope.spawn(verify)).collect();
            while !logins.iter().all(ScopedJoinHandle::is_finished) {
                assert_eq!(hasher.memory.lock().unwrap().len(), blocks, "no login takes the memory away");
            }
            assert!(logins.into_iter().all(|login| login.join().unwrap()));
        });
    }

    #[test]
    fn too_large_memory_is_rejected() {
        let phc = "$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        let hash = PasswordHash::from_stored(phc.to_owned());
        assert!(!hasher("m=64,t=1,p=1").verify(&password("password"), Some(&hash)));
    }

    #[test]
    fn malformed_hash_is_rejected() {
        let hasher = hasher("m=64,t=1,p=1");
        for phc in ["", "비밀번호", "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA"] {
            assert!(!hasher.verify(&password("x"), Some(&PasswordHash::from_stored(phc.to_owned()))), "{phc}");
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
        assert!(!new.is_current(&hash));
        assert!(old.is_current(&hash));
    }

    #[test]
    fn debug_output_has_no_secrets() {
        let hasher = hasher("m=64,t=1,p=1");
        let hash = hasher.hash(&password("canary")).unwrap();
        let printed = format!("{:?} {hash:?} {hasher:?}", password("canary"));
        assert_eq!(printed, "Password(…) PasswordHash(…) Hasher");
    }

    #[test]
    fn longer_password_is_valid_at_login() {
        let (fifty, fifty_one) = ("가".repeat(50), "가".repeat(51));
        assert!(Password::parse_at_login(&fifty).is_ok());
        assert_eq!(Password::parse_at_login(&fifty_one).unwrap_err(), [Violation::LengthOutOfRange(1..=50)]);
        assert_eq!(Password::parse(&"가".repeat(21)).unwrap_err(), [Violation::TooLong(20)]);
    }
}
