//! Errors of the domain.

use std::{error::Error as StdError, time::Duration};

use crate::poster;

/// The cause of a failure, for the operator alone: it is logged and never answered.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// Why a request is not carried out.
#[derive(Debug)]
pub enum Error {
    /// A poster that cannot be used.
    Poster(poster::Rejection),
    /// The e-mail address belongs to another member.
    EmailTaken,
    /// The nickname belongs to another member.
    NicknameTaken,
    /// The e-mail address is unknown or the password wrong: never told which.
    WrongCredentials,
    /// Too many logins with the e-mail address failed: the time until another may be tried.
    TooManyFailedLogins(Duration),
    /// A manager has to prove who they are, and does not.
    NotAuthenticated,
    /// The manager may not do this.
    PermissionDenied,
    /// A live event has the same title and place at one of the same instants.
    AlreadyRegistered,
    /// No live event has this id.
    NoSuchEvent,
    /// A request with the same idempotency key is being carried out.
    InProgress,
    /// The idempotency key was used for a request with other content.
    KeyReused,
    /// The poster expired before its event was added.
    PosterExpired,
    /// The poster storage does not answer.
    PosterStorage(Cause),
    /// The database does not answer, or throttles.
    Database(Cause),
    /// Anything that should not happen.
    Unexpected(Cause),
}

impl Error {
    /// A failure that should not happen, with its cause.
    pub fn unexpected(cause: impl Into<Cause>) -> Self {
        Self::Unexpected(cause.into())
    }

    /// What the operator should see, where there is a cause that the caller does not see.
    #[must_use]
    fn cause(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        match self {
            Self::PosterStorage(cause) | Self::Database(cause) | Self::Unexpected(cause) => {
                Some(cause.as_ref())
            }
            _ => None,
        }
    }

    /// The same with all that caused it, on one line.
    #[must_use]
    pub fn causes(&self) -> Option<String> {
        let mut error: &dyn StdError = self.cause()?;
        let mut text = error.to_string();
        while let Some(cause) = error.source() {
            text = format!("{text}: {cause}");
            error = cause;
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_internal_errors_have_causes() {
        for error in [
            Error::PosterStorage("cause".into()),
            Error::Database("cause".into()),
            Error::unexpected("cause"),
        ] {
            assert_eq!(error.causes().as_deref(), Some("cause"));
        }
        assert_eq!(Error::WrongCredentials.causes(), None);
    }
}
