//! Mails to members: their kinds, how many are sent, and the policy of verified addresses.

use std::{str::FromStr, time::Duration};

/// Time for which mails count, from the first one.
pub const WINDOW: Duration = Duration::from_hours(1);

/// Maximum mails of one kind to one address in a window.
pub const MAX_TO_ONE_ADDRESS: u32 = 3;

/// Maximum mails of all kinds that one client address causes in a window.
pub const MAX_FROM_ONE_CLIENT: u32 = 20;

/// Kind of a mail with a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailKind {
    /// Link to a page that sets a new password.
    PasswordReset,
    /// Link to a page that verifies the address.
    EmailVerification,
}

impl MailKind {
    /// Returns the time for which the link is valid.
    #[must_use]
    pub fn lifetime(self) -> Duration {
        match self {
            Self::PasswordReset => Duration::from_mins(30),
            Self::EmailVerification => Duration::from_hours(24),
        }
    }
}

/// Policy for members whose address is not verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailVerification {
    /// They may do everything.
    Optional,
    /// They get a mail when they register, and hold no seats until they follow its link.
    Required,
}

impl EmailVerification {
    /// Returns the value of the setting.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }
}

impl FromStr for EmailVerification {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        [Self::Optional, Self::Required]
            .into_iter()
            .find(|policy| policy.as_str() == text)
            .ok_or("`optional` or `required`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_is_optional_or_required() {
        for policy in [EmailVerification::Optional, EmailVerification::Required] {
            assert_eq!(policy.as_str().parse(), Ok(policy));
        }
        assert!("".parse::<EmailVerification>().is_err());
    }
}
