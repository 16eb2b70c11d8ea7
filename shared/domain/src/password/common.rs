//! The most common passwords, which attackers try first.
//!
//! These are the first 10,000 of at most 20 characters, in lower case, of a list by Royce Williams. It sorts
//! the passwords of "Have I Been Pwned" by frequency
//! (<https://gist.github.com/roycewilliams/226886fd01572964e1431ac8afc999ce>). OWASP ASVS 5 requires at least
//! 3,000 (6.2.4).

use std::str::FromStr;

use super::Password;
use crate::violation::Violation;

/// The passwords, one a line.
const LIST: &str = include_str!("common.txt");

/// Policy for registrations with a common password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonPasswords {
    /// Common passwords are accepted, as the interface specifies.
    Allowed,
    /// Common passwords are rejected.
    Rejected,
}

impl CommonPasswords {
    /// Returns the parser of new passwords.
    ///
    /// It returns the violations of [`Password::parse`], and `CommonPassword` for a rejected common password.
    #[must_use]
    pub fn parser(self) -> fn(&str) -> Result<Password, Vec<Violation>> {
        match self {
            Self::Allowed => Password::parse,
            Self::Rejected => parse_uncommon,
        }
    }
}

impl FromStr for CommonPasswords {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "allowed" => Ok(Self::Allowed),
            "refused" => Ok(Self::Rejected),
            _ => Err("`allowed` or `refused`"),
        }
    }
}

fn parse_uncommon(text: &str) -> Result<Password, Vec<Violation>> {
    let password = Password::parse(text)?;
    if is_common(&password.0) { Err(vec![Violation::CommonPassword]) } else { Ok(password) }
}

/// Returns true if the list contains a password, regardless of case.
fn is_common(password: &str) -> bool {
    let password = password.to_lowercase();
    LIST.lines().any(|common| common == password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_has_ten_thousand_passwords() {
        assert_eq!(LIST.lines().count(), 10_000);
    }

    #[test]
    fn common_password_is_rejected_in_any_case() {
        let parse = CommonPasswords::Rejected.parser();
        for common in ["123456", "PassWord1", "1q2w3e4r"] {
            assert_eq!(parse(common).unwrap_err(), [Violation::CommonPassword], "{common}");
        }
        assert!(CommonPasswords::Allowed.parser()("123456").is_ok());
        assert_eq!(parse(&"1".repeat(21)).unwrap_err(), [Violation::TooLong(20)]);
    }

    #[test]
    fn uncommon_password_is_accepted() {
        for other in ["비밀번호1234!", "password ", "x8#kQ"] {
            assert!(CommonPasswords::Rejected.parser()(other).is_ok(), "{other}");
        }
    }

    #[test]
    fn setting_has_two_values() {
        assert_eq!("allowed".parse(), Ok(CommonPasswords::Allowed));
        assert_eq!("refused".parse(), Ok(CommonPasswords::Rejected));
        assert!("".parse::<CommonPasswords>().is_err());
    }
}
