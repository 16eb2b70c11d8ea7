//! Members.

use serde::Serialize;
use uuid::Uuid;

use crate::{
    described,
    email::Email,
    password::Password,
    text::{Line, fold, trim},
    violation::Violation,
};

/// A member's name, of at most 20 characters.
pub type Name = Line<20>;

/// Maximum number of characters of a nickname.
pub const MAX_NICKNAME: usize = 20;

/// A nickname of at most 20 characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Nickname(Line<MAX_NICKNAME>);

described!(Nickname as "Nickname", like Line<MAX_NICKNAME>, {
    "description": "Compared after Unicode normalization (NFKC), without regard to case, and to white space and \
                    invisible characters at both ends.",
});

impl Nickname {
    /// Parses a nickname.
    ///
    /// # Errors
    ///
    /// Returns the violations of [`Line::parse`].
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        Line::parse(text).map(Self)
    }

    /// Returns the unchanged nickname.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the form in which all spellings of one nickname are equal.
    ///
    /// Case, compatibility forms (NFKC), and white space and invisible characters around it do not matter.
    #[must_use]
    pub fn canonical(&self) -> String {
        // Trimmed last, since folding turns some characters into white space.
        trim(&fold(self.as_str())).to_owned()
    }

    /// Rebuilds a stored value without validating it.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(Line::from_stored(text))
    }
}

/// A registered member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Id from the service.
    pub id: Uuid,
    /// Unique in its canonical form.
    pub email: Email,
    /// Need not be unique.
    pub name: Name,
    /// Unique in its canonical form.
    pub nickname: Nickname,
}

impl Member {
    /// Builds a member from a registration.
    #[must_use]
    pub fn new(id: Uuid, registration: Registration) -> Self {
        Self { id, email: registration.email, name: registration.name, nickname: registration.nickname }
    }
}

/// A request to become a member.
#[derive(Debug)]
pub struct Registration {
    /// The address to log in with.
    pub email: Email,
    /// The name.
    pub name: Name,
    /// The nickname.
    pub nickname: Nickname,
    /// The password, to be hashed.
    pub password: Password,
}

/// A request to log in.
#[derive(Debug)]
pub struct Credentials {
    /// The alleged address of a member.
    pub email: Email,
    /// The alleged password.
    pub password: Password,
}

/// A request to change a member; what is `None` stays.
#[derive(Debug)]
pub struct MemberEdit {
    /// The alleged password.
    pub password: Password,
    /// The new name.
    pub name: Option<Name>,
    /// The new nickname.
    pub nickname: Option<Nickname>,
    /// The new password, to be hashed.
    pub new_password: Option<Password>,
}

impl MemberEdit {
    /// Returns the member with the new name and nickname.
    #[must_use]
    pub fn apply(&self, member: &Member) -> Member {
        Member {
            name: self.name.as_ref().unwrap_or(&member.name).clone(),
            nickname: self.nickname.as_ref().unwrap_or(&member.nickname).clone(),
            ..member.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        Nickname::parse(text).unwrap().canonical()
    }

    #[test]
    fn nickname_is_kept_unchanged() {
        assert_eq!(Nickname::parse(" Ｓtar\u{200b}").unwrap().as_str(), " Ｓtar\u{200b}");
    }

    #[test]
    fn spellings_of_one_nickname_are_equal() {
        for spelling in ["sTAR", "Ｓtar", "\u{3000}Star ", "\u{200b}Star\u{3164}", "\u{a0}\u{feff} star\u{2800}"] {
            assert_eq!(canonical(spelling), canonical("Star"), "{spelling:?}");
        }
    }

    #[test]
    fn other_nicknames_differ() {
        for other in ["Sta", "S tar", "S\u{200b}tar"] {
            assert_ne!(canonical(other), canonical("Star"), "{other:?}");
        }
    }

    #[test]
    fn canonical_form_is_idempotent() {
        // An acute accent and a ligature decompose to a space and letters.
        for text in ["´ﬃß", "각\u{345}A\u{300}", "①\u{34f} b"] {
            let canonical = canonical(text);
            assert_eq!(Nickname::from_stored(canonical.clone()).canonical(), canonical);
        }
    }
}
