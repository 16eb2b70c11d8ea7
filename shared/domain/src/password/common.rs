//! The passwords that most people choose, and that are tried first.
//!
//! They are the 10,000 first of at most 20 characters in a list that Royce Williams made by how often each
//! occurs in the passwords of "Have I Been Pwned" (<https://gist.github.com/roycewilliams/226886fd01572964e1431ac8afc999ce>),
//! in small letters. OWASP's ASVS 5 asks for 3,000 at least (6.2.4).

use std::str::FromStr;

use fst::Set;

use super::Password;
use crate::violation::Violation;

/// The passwords of `common.txt` as a finite-state set, half as large:
/// `cargo run -p domain --example common_passwords` makes it.
const LIST: &[u8] = include_bytes!("common.fst");

/// What becomes of a registration with a password that most people choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonPasswords {
    /// It is carried out, as the interface has it.
    Allowed,
    /// It is refused.
    Rejected,
}

impl CommonPasswords {
    /// What takes any text as a new password: it fails as [`Password::parse`] does, and with
    /// `CommonPassword` for one that is refused.
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
    if is_common(text) { Err(vec![Violation::CommonPassword]) } else { Ok(password) }
}

/// Whether a password is on the list, in capital or small letters.
fn is_common(password: &str) -> bool {
    Set::new(LIST).is_ok_and(|list| list.contains(password.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_matches_text_list() {
        let listed: Vec<_> = include_str!("common.txt").lines().map(str::to_owned).collect();
        assert_eq!(listed.len(), 10_000);
        let list = Set::new(LIST).unwrap();
        list.as_fst().verify().unwrap();
        assert_eq!(list.stream().into_strs().unwrap(), listed);
    }

    #[test]
    fn common_password_is_rejected_in_any_case() {
        for common in ["123456", "password", "PassWord1", "1q2w3e4r", "qwer1234"] {
            let refused = CommonPasswords::Rejected.parser()(common);
            assert_eq!(refused.unwrap_err(), [Violation::CommonPassword], "{common}");
        }
    }

    #[test]
    fn uncommon_password_is_accepted() {
        for other in ["비밀번호1234!", "password ", "1234567890123456789a", "x8#kQ"] {
            assert!(CommonPasswords::Rejected.parser()(other).is_ok(), "{other}");
        }
    }

    #[test]
    fn allowed_common_password_is_accepted() {
        assert!(CommonPasswords::Allowed.parser()("123456").is_ok());
    }

    #[test]
    fn other_rules_still_apply() {
        for choice in [CommonPasswords::Allowed, CommonPasswords::Rejected] {
            assert_eq!(choice.parser()(" ").unwrap_err(), [Violation::Required]);
            assert_eq!(choice.parser()(&"1".repeat(21)).unwrap_err(), [Violation::TooLong(20)]);
        }
    }

    #[test]
    fn setting_has_two_values() {
        assert_eq!("allowed".parse(), Ok(CommonPasswords::Allowed));
        assert_eq!("refused".parse(), Ok(CommonPasswords::Rejected));
        assert!("".parse::<CommonPasswords>().is_err());
    }
}
