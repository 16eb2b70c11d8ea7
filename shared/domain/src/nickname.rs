//! Nicknames.

use crate::{
    text::{Line, fold},
    violation::Violation,
};

/// The most characters that a nickname may have.
pub const MAX_CHARS: usize = 20;

/// A nickname of at most 20 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nickname(Line<MAX_CHARS>);

impl Nickname {
    /// Takes any text.
    ///
    /// # Errors
    ///
    /// As [`Line::parse`].
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        Line::parse(text).map(Self)
    }

    /// The nickname as it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The form in which nicknames that look alike are equal.
    #[must_use]
    pub fn folded(&self) -> String {
        fold(self.as_str())
    }

    /// Takes a value that was stored, without checking it.
    #[must_use]
    pub fn stored(text: String) -> Self {
        Self(Line::stored(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nickname_is_kept_as_sent() {
        assert_eq!(Nickname::parse("Ｓtar").unwrap().as_str(), "Ｓtar");
    }

    #[test]
    fn nicknames_that_look_alike_are_equal_once_folded() {
        let folded = |text| Nickname::parse(text).unwrap().folded();
        assert_eq!(folded("Ｓtar"), folded("sTAR"));
        assert_ne!(folded("Star"), folded("Sta"));
    }
}
