//! The one table of statuses and codes.

use http::StatusCode;

use crate::domain::{error::Error, poster::Refusal};

/// The code of every success.
pub const SUCCESS: &str = "0";

/// Which status and code an error is answered with.
#[must_use]
pub fn of(error: &Error) -> (StatusCode, &'static str) {
    match error {
        Error::Fields(_) => (StatusCode::BAD_REQUEST, "C_001"),
        Error::NotJson => (StatusCode::BAD_REQUEST, "C_002"),
        Error::Parameters(_) => (StatusCode::BAD_REQUEST, "C_003"),
        Error::MediaType(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "C_004"),
        Error::TooLarge(_) | Error::Poster(Refusal::TooLarge) => (StatusCode::PAYLOAD_TOO_LARGE, "C_005"),
        Error::Form(_) => (StatusCode::BAD_REQUEST, "C_006"),
        Error::Poster(_) => (StatusCode::BAD_REQUEST, "C_007"),
        Error::NoSuchRoute => (StatusCode::NOT_FOUND, "C_008"),
        Error::InProgress => (StatusCode::CONFLICT, "C_010"),
        Error::KeyReused => (StatusCode::UNPROCESSABLE_ENTITY, "C_011"),
        Error::EmailTaken => (StatusCode::CONFLICT, "AJ_001"),
        Error::NicknameTaken => (StatusCode::CONFLICT, "AJ_002"),
        Error::WrongCredentials => (StatusCode::UNAUTHORIZED, "AL_001"),
        Error::TooManyFailures(_) => (StatusCode::TOO_MANY_REQUESTS, "AL_002"),
        Error::NoManager | Error::NotAuthenticated => (StatusCode::UNAUTHORIZED, "AM_001"),
        Error::NotPermitted => (StatusCode::FORBIDDEN, "AM_002"),
        Error::AlreadyRegistered => (StatusCode::CONFLICT, "E_001"),
        Error::NoSuchEvent => (StatusCode::NOT_FOUND, "E_002"),
        Error::Unexpected(_) => (StatusCode::INTERNAL_SERVER_ERROR, "S_001"),
        Error::PosterExpired | Error::PosterStorage(_) => (StatusCode::SERVICE_UNAVAILABLE, "S_002"),
        Error::Database(_) => (StatusCode::SERVICE_UNAVAILABLE, "S_003"),
    }
}
