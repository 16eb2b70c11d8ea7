//! Status and code of every error.

use http::StatusCode;

use domain::{error::Error as DomainError, poster::Rejection};

use crate::error::Error;

/// Code of every success.
pub const SUCCESS: &str = "0";

/// Returns the status and the code of the response to an error.
#[must_use]
pub fn status_and_code(error: &Error) -> (StatusCode, &'static str) {
    match error {
        Error::Fields(_) => (StatusCode::BAD_REQUEST, "C_001"),
        Error::NotJson(_) => (StatusCode::BAD_REQUEST, "C_002"),
        Error::Parameters(_) => (StatusCode::BAD_REQUEST, "C_003"),
        Error::MediaType(_) | Error::ContentEncoding => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "C_004"),
        Error::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "C_005"),
        Error::Form(_) => (StatusCode::BAD_REQUEST, "C_006"),
        Error::NoSuchRoute => (StatusCode::NOT_FOUND, "C_008"),
        Error::SeatsTaken(_) => (StatusCode::CONFLICT, "H_001"),
        Error::NoManager => (StatusCode::UNAUTHORIZED, "AM_001"),
        Error::Domain(error) => domain_status_and_code(error),
    }
}

fn domain_status_and_code(error: &DomainError) -> (StatusCode, &'static str) {
    match error {
        DomainError::Poster(Rejection::TooLarge) => (StatusCode::PAYLOAD_TOO_LARGE, "C_005"),
        DomainError::Poster(_) => (StatusCode::BAD_REQUEST, "C_007"),
        DomainError::InProgress => (StatusCode::CONFLICT, "C_010"),
        DomainError::KeyReused => (StatusCode::UNPROCESSABLE_ENTITY, "C_011"),
        DomainError::EmailTaken => (StatusCode::CONFLICT, "AJ_001"),
        DomainError::NicknameTaken => (StatusCode::CONFLICT, "AJ_002"),
        DomainError::WrongCredentials => (StatusCode::UNAUTHORIZED, "AL_001"),
        DomainError::TooManyFailedLogins(_) => (StatusCode::TOO_MANY_REQUESTS, "AL_002"),
        DomainError::InvalidRefreshToken => (StatusCode::UNAUTHORIZED, "AS_001"),
        DomainError::NoAccessToken | DomainError::InvalidAccessToken => (StatusCode::UNAUTHORIZED, "AS_002"),
        DomainError::InvalidMailToken => (StatusCode::UNAUTHORIZED, "AP_001"),
        DomainError::TooManyMails(_) => (StatusCode::TOO_MANY_REQUESTS, "AP_002"),
        DomainError::EmailNotVerified => (StatusCode::FORBIDDEN, "AJ_003"),
        DomainError::NotTheMember => (StatusCode::FORBIDDEN, "AS_003"),
        DomainError::NotAuthenticated => (StatusCode::UNAUTHORIZED, "AM_001"),
        DomainError::PermissionDenied => (StatusCode::FORBIDDEN, "AM_002"),
        DomainError::AlreadyRegistered | DomainError::TooManyShows => (StatusCode::CONFLICT, "E_001"),
        DomainError::PreconditionFailed => (StatusCode::PRECONDITION_FAILED, "E_003"),
        DomainError::NoSuchEvent => (StatusCode::NOT_FOUND, "E_002"),
        DomainError::SeatsOfEventTaken => (StatusCode::CONFLICT, "E_004"),
        DomainError::NoSuchSeats(_)
        | DomainError::SeatsTooScattered
        | DomainError::ShowTimeTaken
        | DomainError::TooManyChanges
        | DomainError::NoticesTooLong
        | DomainError::UnknownAreas(_)
        | DomainError::NoSuchAreas(_) => (StatusCode::BAD_REQUEST, "C_001"),
        DomainError::SeatsTaken(_) => (StatusCode::CONFLICT, "H_001"),
        DomainError::TooManySeatsOfMember(_) => (StatusCode::CONFLICT, "H_002"),
        DomainError::NotOnSale => (StatusCode::CONFLICT, "H_003"),
        DomainError::HoldUnusable => (StatusCode::CONFLICT, "H_004"),
        DomainError::NoFreeGroup => (StatusCode::CONFLICT, "H_006"),
        DomainError::TooManyHolds(_) => (StatusCode::TOO_MANY_REQUESTS, "H_007"),
        DomainError::NoSuchHold => (StatusCode::NOT_FOUND, "H_005"),
        DomainError::Unexpected(_) => (StatusCode::INTERNAL_SERVER_ERROR, "S_001"),
        DomainError::PosterExpired | DomainError::PosterStorage(_) => (StatusCode::SERVICE_UNAVAILABLE, "S_002"),
        DomainError::Database(_) => (StatusCode::SERVICE_UNAVAILABLE, "S_003"),
        DomainError::NoMail | DomainError::Mail(_) => (StatusCode::SERVICE_UNAVAILABLE, "S_004"),
    }
}
