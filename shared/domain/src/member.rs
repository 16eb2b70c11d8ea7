//! Members.

use uuid::Uuid;

use crate::{
    email::Email,
    password::Password,
    text::{Line, fold},
    violation::Violation,
};

/// A member's name, of at most 20 characters.
pub type Name = Line<20>;

/// Maximum number of characters of a nickname.
pub const MAX_NICKNAME: usize = 20;

/// A nickname of at most 20 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nickname(Line<MAX_NICKNAME>);

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

    /// Returns a form in which nicknames that look alike are equal.
    #[must_use]
    pub fn canonical(&self) -> String {
        fold(self.as_str())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nickname_is_kept_unchanged() {
        assert_eq!(Nickname::parse("Ｓtar").unwrap().as_str(), "Ｓtar");
    }

    #[test]
    fn similar_nicknames_fold_equally() {
        let folded = |text| Nickname::parse(text).unwrap().canonical();
        assert_eq!(folded("Ｓtar"), folded("sTAR"));
        assert_ne!(folded("Star"), folded("Sta"));
    }
}
