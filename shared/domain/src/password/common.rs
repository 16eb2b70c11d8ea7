//! Short and common passwords, which attackers try first.
//!
//! The list has those of 8 to 20 characters among the first 10,000 of a list by Royce Williams, in lower case. It sorts
//! the passwords of "Have I Been Pwned" by frequency
//! (<https://gist.github.com/roycewilliams/226886fd01572964e1431ac8afc999ce>). OWASP ASVS 5 requires at least 8
//! characters (6.2.1) and at least 3,000 passwords (6.2.4).

use std::str::FromStr;

use super::{MAX_CHARS, Password};
use crate::violation::Violation;

/// The passwords, one a line.
const LIST: &str = include_str!("common.txt");

/// Minimum number of characters, as sent, of a password that is not weak.
const MIN_CHARS: usize = 8;

/// Policy for new passwords that are short or common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonPasswords {
    /// They are accepted, as the interface specifies.
    Allowed,
    /// They are rejected.
    Rejected,
}

impl CommonPasswords {
    /// Returns the parser of new passwords.
    ///
    /// It returns the violations of [`Password::parse`]; for a rejected password `LengthOutOfRange` if it is short, or
    /// `CommonPassword`.
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
            "rejected" => Ok(Self::Rejected),
            _ => Err("`allowed` or `rejected`"),
        }
    }
}

fn parse_uncommon(text: &str) -> Result<Password, Vec<Violation>> {
    let password = Password::parse(text)?;
    if text.chars().count() < MIN_CHARS {
        return Err(vec![Violation::LengthOutOfRange(MIN_CHARS..=MAX_CHARS)]);
    }
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
    fn list_is_long_and_has_no_short_password() {
        assert!(LIST.lines().count() > 3_000);
        assert!(LIST.lines().all(|common| (MIN_CHARS..=MAX_CHARS).contains(&common.chars().count())));
    }

    #[test]
    fn common_and_short_passwords_can_be_rejected() {
        let [rejecting, allowing] = [CommonPasswords::Rejected, CommonPasswords::Allowed].map(CommonPasswords::parser);
        for common in ["12345678", "PassWord1", "1q2w3e4r"] {
            assert_eq!(rejecting(common).unwrap_err(), [Violation::CommonPassword], "{common}");
            assert!(allowing(common).is_ok(), "{common}");
        }
        for short in ["x8#kQ", "일이삼사오육칠"] {
            assert_eq!(rejecting(short).unwrap_err(), [Violation::LengthOutOfRange(8..=20)], "{short}");
            assert!(allowing(short).is_ok(), "{short}");
        }
        for other in ["비밀번호1234!", "password ", "일이삼사오육칠팔"] {
            assert!(rejecting(other).is_ok(), "{other}");
        }
        assert_eq!(rejecting(&"1".repeat(21)).unwrap_err(), [Violation::TooLong(20)]);
    }

    #[test]
    fn setting_has_two_values() {
        assert_eq!("allowed".parse(), Ok(CommonPasswords::Allowed));
        assert_eq!("rejected".parse(), Ok(CommonPasswords::Rejected));
        assert!("".parse::<CommonPasswords>().is_err());
    }
}
