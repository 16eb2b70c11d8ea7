//! Errors of the domain.

use std::{error::Error as StdError, time::Duration};

use crate::poster;

/// The internal cause of a failure; only logged, never part of a response.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// Reason why a request fails.
#[derive(Debug)]
pub enum Error {
    /// The poster is rejected.
    Poster(poster::Rejection),
    /// The e-mail address belongs to another member.
    EmailTaken,
    /// The nickname belongs to another member.
    NicknameTaken,
    /// Unknown e-mail address or wrong password; the client never learns which.
    WrongCredentials,
    /// Too many logins with the e-mail address failed; the next is allowed after this time.
    TooManyFailedLogins(Duration),
    /// The refresh token is unknown, expired or used before, or its session has ended; the client never learns which.
    InvalidRefreshToken,
    /// The request needs an access token of a member and has none.
    NoAccessToken,
    /// The access token is invalid, or its member has withdrawn.
    InvalidAccessToken,
    /// The access token is that of another member than the request is about.
    NotTheMember,
    /// The token of a mail is malformed, forged, expired, used, of another purpose, or of a member who has withdrawn;
    /// the client never learns which.
    InvalidMailToken,
    /// Too many mails were asked for; the next is allowed after this time.
    TooManyMails(Duration),
    /// Too many notices were sent to the buyers of a show; the next is allowed after this time.
    TooManyNotices(Duration),
    /// The address of the member is not verified, and the deployment requires it.
    EmailNotVerified,
    /// The deployment sends no mail.
    NoMail,
    /// The request needs an authenticated manager and has none.
    NotAuthenticated,
    /// The manager is not authorized to do this.
    PermissionDenied,
    /// Another event, live or a draft, has the same title and place, and a show in common.
    AlreadyRegistered,
    /// The event has changed since the version that the request names.
    PreconditionFailed,
    /// Too many shows of events with the same title and place, live ones and drafts.
    TooManyShows,
    /// No event that the request may see has this id.
    NoSuchEvent,
    /// Seats of the event are held, sold or blocked, so it cannot be deleted, and none of its shows with such seats
    /// removed.
    SeatsOfEventTaken,
    /// No seats of the event have the ids at these indexes of the request.
    NoSuchSeats(Vec<usize>),
    /// The seat at this index of the request is a companion's, and the request has no wheelchair place of its area.
    CompanionAlone(usize),
    /// The seats are in too many parts of the hall for one transaction that blocks or sells them.
    SeatsTooScattered,
    /// The blocked seats of the show would have more than this number of labels.
    TooManyLabels(usize),
    /// Another show of the event has the time.
    ShowTimeTaken,
    /// The event has changed so often that shows can no longer be added.
    TooManyChanges,
    /// All notices of the event have too many characters.
    NoticesTooLong,
    /// No areas of the event have the ids at these indexes of the request.
    UnknownAreas(Vec<usize>),
    /// No area of the request has the seats that it asks for, free and together.
    NoFreeGroup,
    /// The hall that is copied has no areas with these labels.
    NoSuchAreas(Vec<String>),
    /// Seats of the request are taken.
    SeatsTaken(Vec<TakenSeat>),
    /// The member would have more than this number of seats of the show.
    TooManySeatsOfMember(usize),
    /// The member made too many holds of the show; the next is allowed after this time.
    TooManyHolds(Duration),
    /// Ticketing has not opened, or the show has begun, is postponed or cancelled.
    NotOnSale,
    /// The hold cannot be confirmed, cancelled or released in its state, by this order or for this amount, or it has no
    /// tickets, because it is not confirmed. Also of a sale at a box office with another amount.
    HoldUnusable,
    /// The event has no such hold, or it is of another show or member.
    NoSuchHold,
    /// The token of a gate is missing, malformed, forged, of a removed gate or of another show, or the show is over;
    /// the client never learns which.
    InvalidGateToken,
    /// The show has as many gates as it can have.
    TooManyGates,
    /// The show has no such gate.
    NoSuchGate,
    /// A request with the same idempotency key is in progress.
    InProgress,
    /// The idempotency key was used for a request with other content.
    KeyReused,
    /// The poster expired before its event was added.
    PosterExpired,
    /// The poster storage is unavailable.
    PosterStorage(Cause),
    /// A mail cannot be sent.
    Mail(Cause),
    /// The database is unavailable or throttles.
    Database(Cause),
    /// An unexpected failure.
    Unexpected(Cause),
}

/// Seat of a request that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenSeat {
    /// Index of the seat in the request.
    pub index: usize,
    /// True if the member who asks has it already.
    pub is_own: bool,
}

impl Error {
    /// Builds an unexpected failure with its cause.
    pub fn unexpected(cause: impl Into<Cause>) -> Self {
        Self::Unexpected(cause.into())
    }

    /// Formats the internal cause with all its causes on one line.
    #[must_use]
    pub fn causes(&self) -> Option<String> {
        let (Self::PosterStorage(cause) | Self::Mail(cause) | Self::Database(cause) | Self::Unexpected(cause)) = self
        else {
            return None;
        };
        let mut error: &dyn StdError = cause.as_ref();
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
        for error in [Error::PosterStorage("cause".into()), Error::Database("cause".into()), Error::unexpected("cause")]
        {
            assert_eq!(error.causes().as_deref(), Some("cause"));
        }
        assert_eq!(Error::WrongCredentials.causes(), None);
    }
}
