//! E-mail addresses.

use validator::ValidateEmail;

use crate::{
    text::{Line, is_blank},
    violation::Violation,
};

/// Maximum number of characters of an address.
pub const MAX_CHARS: usize = 50;

/// A well-formed address of at most 50 characters.
///
/// Well-formed means valid by the HTML standard, or with an internationalised domain, as the `validator` crate
/// implements it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(Line<MAX_CHARS>);

impl Email {
    /// Parses the address of a registration.
    ///
    /// # Errors
    ///
    /// Returns only `Required` if the text is blank; otherwise all that apply of `InvalidEmail`, `TooLong`
    /// and `ControlCharacter`.
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        let line = Line::parse(text);
        if is_blank(text) || text.validate_email() {
            return line.map(Self);
        }
        let mut violations = vec![Violation::InvalidEmail];
        violations.extend(line.err().into_iter().flatten());
        Err(violations)
    }

    /// Parses the address of a login.
    ///
    /// # Errors
    ///
    /// Returns the violations of [`Email::parse`], with `InvalidLoginEmail` and `LengthOutOfRange` in place
    /// of `InvalidEmail` and `TooLong`.
    pub fn parse_at_login(text: &str) -> Result<Self, Vec<Violation>> {
        Self::parse(text).map_err(|violations| violations.into_iter().map(Violation::into_login).collect())
    }

    /// Returns the unchanged address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns a form in which addresses that differ only in case are equal.
    #[must_use]
    pub fn folded(&self) -> String {
        caseless::default_case_fold_str(self.as_str())
    }

    /// Rebuilds a stored value without validating it.
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
        assert_eq!(Email::parse(&"가".repeat(51)), Err(vec![Violation::InvalidEmail, Violation::TooLong(50)]));
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
