//! Passwords, and the hashes that are kept of them.

use std::fmt;

use argon2::{
    Argon2, Params, PasswordHasher as _, PasswordVerifier as _,
    password_hash::phc::{self, Output, Salt},
};
use zeroize::Zeroizing;

use super::{error::Cause, text::Line, violation::Violation};

/// A password as it was sent; it is wiped when dropped, and never printed.
pub struct Password(Zeroizing<String>);

impl Password {
    /// Takes any text as a new password: at most 20 characters.
    ///
    /// # Errors
    ///
    /// As [`Line::parse`].
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        Line::<20>::parse(text)?;
        Ok(Self(Zeroizing::new(text.to_owned())))
    }

    /// Takes any text as a password to log in with: at most 50 characters.
    ///
    /// # Errors
    ///
    /// As [`Line::parse`], with `LengthOutside` for `TooLong`.
    pub fn parse_at_login(text: &str) -> Result<Self, Vec<Violation>> {
        Line::<50>::parse(text)
            .map(|_| Self(Zeroizing::new(text.to_owned())))
            .map_err(|violations| violations.into_iter().map(Violation::at_login).collect())
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
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn stored(phc: String) -> Self {
        Self(phc)
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Hashes and verifies passwords by Argon2id.
#[derive(Debug)]
pub struct Hasher {
    argon2: Argon2<'static>,
    decoy: phc::PasswordHash,
}

impl Hasher {
    /// Hashes new passwords with these parameters.
    ///
    /// # Errors
    ///
    /// Where the parameters cannot be written as a PHC string.
    pub fn new(params: Params) -> Result<Self, Cause> {
        let decoy = phc::PasswordHash {
            algorithm: argon2::ARGON2ID_IDENT,
            version: Some(argon2::Version::default().into()),
            params: (&params).try_into()?,
            salt: Some(Salt::new(&[0; Salt::RECOMMENDED_LENGTH])?),
            hash: Some(Output::new(&[0; Params::DEFAULT_OUTPUT_LEN])?),
        };
        Ok(Self { argon2: params.into(), decoy })
    }

    /// Hashes a new password with a salt of its own.
    ///
    /// # Errors
    ///
    /// Where the system gives no memory or no random salt.
    pub fn hash(&self, password: &Password) -> Result<PasswordHash, Cause> {
        let hash = self.argon2.hash_password(password.0.as_bytes())?;
        Ok(PasswordHash(hash.to_string()))
    }

    /// Whether the password is the one that was hashed.
    ///
    /// Without a hash that can be read it does the same work and answers no, so
    /// that the time tells nothing.
    #[must_use]
    pub fn verify(&self, password: &Password, hash: Option<&PasswordHash>) -> bool {
        let stored = hash.and_then(|hash| phc::PasswordHash::new(&hash.0).ok());
        let matches = self
            .argon2
            .verify_password(password.0.as_bytes(), stored.as_ref().unwrap_or(&self.decoy))
            .is_ok();
        matches && stored.is_some()
    }

    /// Whether a hash has the parameters that a new one would have.
    #[must_use]
    pub fn is_current(&self, hash: &PasswordHash) -> bool {
        phc::PasswordHash::new(&hash.0).is_ok_and(|hash| {
            hash.algorithm == self.decoy.algorithm
                && hash.version == self.decoy.version
                && hash.params == self.decoy.params
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hasher(params: &str) -> Hasher {
        Hasher::new(params.parse().unwrap()).unwrap()
    }

    fn password(text: &str) -> Password {
        Password::parse(text).unwrap()
    }

    #[test]
    fn only_the_password_that_was_hashed_verifies() {
        let hasher = hasher("m=64,t=1,p=1");
        let hash = hasher.hash(&password("비밀번호 1!")).unwrap();
        assert!(hasher.verify(&password("비밀번호 1!"), Some(&hash)));
        assert!(!hasher.verify(&password("비밀번호 1! "), Some(&hash)));
        assert!(!hasher.verify(&password("비밀번호 1!"), None));
    }

    #[test]
    fn a_hash_that_cannot_be_read_verifies_nothing() {
        let hasher = hasher("m=64,t=1,p=1");
        for phc in ["", "비밀번호", "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA"] {
            assert!(!hasher.verify(&password("x"), Some(&PasswordHash::stored(phc.to_owned()))), "{phc}");
        }
    }

    #[test]
    fn a_hash_is_a_phc_string_of_argon2id_with_a_salt_of_its_own() {
        let hasher = hasher("m=64,t=1,p=1");
        let (one, other) = (hasher.hash(&password("x")).unwrap(), hasher.hash(&password("x")).unwrap());
        assert!(one.0.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{}", one.0);
        assert_ne!(one.0, other.0);
    }

    #[test]
    fn a_hash_of_other_parameters_verifies_but_is_not_current() {
        let (old, new) = (hasher("m=64,t=1,p=1"), hasher("m=64,t=2,p=1"));
        let hash = old.hash(&password("x")).unwrap();
        assert!(new.verify(&password("x"), Some(&hash)));
        assert!(!new.is_current(&hash));
        assert!(old.is_current(&hash));
    }

    #[test]
    fn neither_password_nor_hash_is_ever_printed() {
        let hasher = hasher("m=64,t=1,p=1");
        let hash = hasher.hash(&password("canary")).unwrap();
        let printed = format!("{:?} {:?}", password("canary"), hash);
        assert!(!printed.contains("canary") && !printed.contains("argon2"), "{printed}");
    }

    #[test]
    fn login_takes_longer_passwords_than_registration() {
        let (fifty, fifty_one) = ("가".repeat(50), "가".repeat(51));
        assert!(Password::parse_at_login(&fifty).is_ok());
        assert_eq!(Password::parse_at_login(&fifty_one).unwrap_err(), [Violation::LengthOutside(1..=50)]);
        assert_eq!(Password::parse(&"가".repeat(21)).unwrap_err(), [Violation::TooLong(20)]);
    }
}
