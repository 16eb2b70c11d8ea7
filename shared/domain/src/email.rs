//! E-mail addresses.

use validator::ValidateEmail;

use crate::{
    text::{Line, is_blank},
    violation::Violation,
};

/// The most characters that an address may have.
pub const MAX_CHARS: usize = 50;

/// A well-formed address of at most 50 characters.
///
/// Well-formed is what the HTML standard calls a valid e-mail address, with
/// internationalised domains, as the `validator` crate has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(Line<MAX_CHARS>);

impl Email {
    /// Takes any text, as sent to register a member.
    ///
    /// # Errors
    ///
    /// `Required` alone for a blank text; else every one that holds of
    /// `Email`, `TooLong` and `ControlCharacter`.
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        let line = Line::parse(text);
        if is_blank(text) || text.validate_email() {
            return line.map(Self);
        }
        let mut violations = vec![Violation::InvalidEmail];
        violations.extend(line.err().into_iter().flatten());
        Err(violations)
    }

    /// Takes any text, as sent to log in.
    ///
    /// # Errors
    ///
    /// As [`Email::parse`], in the words that login has for them: `InvalidLoginEmail`
    /// and `LengthOutOfRange`.
    pub fn parse_at_login(text: &str) -> Result<Self, Vec<Violation>> {
        Self::parse(text).map_err(|violations| violations.into_iter().map(Violation::into_login).collect())
    }

    /// The address as it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The form in which two addresses that differ only by case are equal.
    #[must_use]
    pub fn folded(&self) -> String {
        caseless::default_case_fold_str(self.as_str())
    }

    /// Takes a value that was stored, without checking it.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(Line::from_stored(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_addresses_are_accepted() {
        for text in ["kim@example.com", "Kim.Chul-Su+tickets@mail.example.co.kr", "a@b", "k@한국.kr"] {
            assert_eq!(Email::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn malformed_address_is_rejected() {
        for text in [
            "kim",
            "kim@",
            "@example.com",
            "k im@example.com",
            "kim@exa mple.com",
            "김@example.com",
            " kim@example.com",
        ] {
            assert_eq!(Email::parse(text), Err(vec![Violation::InvalidEmail]), "{text}");
        }
    }

    #[test]
    fn address_over_50_chars_is_rejected() {
        let of_length = |n: usize| format!("{}@example.com", "a".repeat(n - "@example.com".len()));
        assert!(Email::parse(&of_length(50)).is_ok());
        assert_eq!(Email::parse(&of_length(51)), Err(vec![Violation::TooLong(50)]));
    }

    #[test]
    fn long_invalid_address_breaks_both_rules() {
        assert_eq!(
            Email::parse(&"가".repeat(51)),
            Err(vec![Violation::InvalidEmail, Violation::TooLong(50)])
        );
    }

    #[test]
    fn blank_address_is_missing() {
        assert_eq!(Email::parse("  "), Err(vec![Violation::Required]));
        assert_eq!(Email::parse_at_login(""), Err(vec![Violation::Required]));
    }

    #[test]
    fn login_has_its_own_violations() {
        assert_eq!(
            Email::parse_at_login(&"x".repeat(51)),
            Err(vec![Violation::InvalidLoginEmail, Violation::LengthOutOfRange(1..=50)])
        );
    }

    #[test]
    fn address_ignores_case() {
        let folded = |text| Email::parse(text).unwrap().folded();
        assert_eq!(folded("Kim@Example.COM"), folded("kim@example.com"));
        assert_ne!(folded("kim@example.com"), folded("kim@example.org"));
    }
}
