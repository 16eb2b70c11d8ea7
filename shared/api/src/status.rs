//! Code of every failure, with its status and its meaning, and the code of every error.

use http::StatusCode;

use domain::{error::Error as DomainError, poster::Rejection};

use crate::error::Error;

/// Code of every success.
pub const SUCCESS: &str = "0";

/// Code of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FailureCode {
    /// Name, which clients read.
    pub name: &'static str,
    /// Status of the responses.
    pub status: StatusCode,
    /// Meaning for developers of clients.
    pub meaning: &'static str,
}

/// Declares a constant for each code, and the list of all.
macro_rules! codes {
    ($($name:ident $status:ident $meaning:literal)+) => {
        $(
            #[doc = $meaning]
            pub const $name: FailureCode =
                FailureCode { name: stringify!($name), status: StatusCode::$status, meaning: $meaning };
        )+

        impl FailureCode {
            /// All codes.
            pub const ALL: &[Self] = &[$($name,)+];
        }
    };
}

codes! {
    AJ_001 CONFLICT "The e-mail address is already registered."
    AJ_002 CONFLICT "The nickname is already in use."
    AJ_003 FORBIDDEN "The member's e-mail address is not verified. Only where the deployment requires it."
    AL_001 UNAUTHORIZED "The e-mail address or the id is unknown, or the password is wrong."
    AL_002 TOO_MANY_REQUESTS "Too many passwords for this member were wrong. `Retry-After` says when to retry."
    AM_001 UNAUTHORIZED
        "The bearer token or, if managers are not verified, the required `x-api-managerId` is missing or invalid."
    AM_002 FORBIDDEN
        "Only if managers are verified: the token lacks the role or is not that of `x-api-managerId`, or the event \
         belongs to another manager."
    AP_001 UNAUTHORIZED
        "The token of a mail is invalid, expired, used, of another purpose, or of a member who has withdrawn."
    AP_002 TOO_MANY_REQUESTS "Too many mails were asked for. `Retry-After` says when to retry."
    AP_003 NOT_FOUND "The deployment sends no mail."
    AS_001 UNAUTHORIZED "The refresh token is unknown, expired or used before, or its session has ended."
    AS_002 UNAUTHORIZED
        "The access token is missing or invalid, or its member has withdrawn. `WWW-Authenticate` names the error \
         `invalid_token` if one was sent; on AWS the header is `x-amzn-Remapped-WWW-Authenticate`."
    AS_003 FORBIDDEN "The access token is that of another member."
    C_001 BAD_REQUEST "Fields fail validation. `errors` names each of them."
    C_002 BAD_REQUEST "The body, or the part `request`, is not a JSON object in UTF-8, or its gzip is invalid."
    C_003 BAD_REQUEST "A query parameter, a header or the request as a whole is invalid."
    C_004 UNSUPPORTED_MEDIA_TYPE "The media type or the content encoding is not supported."
    C_005 PAYLOAD_TOO_LARGE
        "The body, the poster or the response is too large. A response may be too large only without gzip."
    C_006 BAD_REQUEST "The form is unreadable, or a part is missing or repeated."
    C_007 BAD_REQUEST "The poster is not a readable image."
    C_008 NOT_FOUND "The route does not exist or does not support this method."
    C_009 TOO_MANY_REQUESTS "There are too many requests. Only on AWS: the gateway limits their rate."
    C_010 CONFLICT "A request with the same `Idempotency-Key` is in progress. `Retry-After` says when to retry."
    C_011 UNPROCESSABLE_ENTITY "The same `Idempotency-Key` was used with other content."
    E_001 CONFLICT
        "An event with the same title and place has a show at one of these times, or such events have too many shows."
    E_002 NOT_FOUND "The event or the show does not exist, or is a draft."
    E_003 PRECONDITION_FAILED "`If-Match` does not have the entity tag of the event."
    E_004 CONFLICT "Seats of the event, or of the shows that would be removed, are held, sold or blocked."
    G_001 UNAUTHORIZED
        "The token of the gate is missing, invalid, or of a removed gate or another show, or the show was over 72 hours ago."
    G_002 CONFLICT "The show has 50 gates already."
    G_003 NOT_FOUND "The show has no gate with this id."
    H_001 CONFLICT "Seats are taken. `errors` names each of them. Nothing was changed."
    H_002 CONFLICT
        "The member would have more seats of the show, held and sold together, than the event or the deployment allows."
    H_003 CONFLICT "Ticketing has not opened or has closed, or the show has begun, is postponed or cancelled."
    H_004 CONFLICT
        "The hold is not in a state for this: it expired and another has a seat of it, it was released, it is \
         confirmed, the order or the amount differs, or the show is postponed or cancelled."
    H_005 NOT_FOUND "The show has no hold with this id, or it is of another member."
    H_006 CONFLICT "No `count` seats of these areas are free, or none together, if `adjacent`."
    H_007 TOO_MANY_REQUESTS "The member made 20 holds of the show in an hour."
    N_001 TOO_MANY_REQUESTS
        "The show had 10 messages, or 10 changes of which buyers were told, in 24 hours. `Retry-After` says when to retry."
    S_001 INTERNAL_SERVER_ERROR "An unexpected error occurred."
    S_002 SERVICE_UNAVAILABLE "The poster storage is unavailable."
    S_003 SERVICE_UNAVAILABLE "The database is unavailable."
    S_004 SERVICE_UNAVAILABLE "Mail cannot be sent."
}

/// Returns the code of the response to an error.
#[must_use]
pub fn code(error: &Error) -> FailureCode {
    match error {
        Error::Fields(_) => C_001,
        Error::NotJson(_) => C_002,
        Error::Parameters(_) => C_003,
        Error::MediaType(_) | Error::ContentEncoding => C_004,
        Error::TooLarge(_) => C_005,
        Error::Form(_) => C_006,
        Error::NoSuchRoute => C_008,
        Error::SeatsTaken(_) => H_001,
        Error::NoManager => AM_001,
        Error::Domain(error) => domain_code(error),
    }
}

fn domain_code(error: &DomainError) -> FailureCode {
    match error {
        DomainError::Poster(Rejection::TooLarge) => C_005,
        DomainError::Poster(_) => C_007,
        DomainError::InProgress => C_010,
        DomainError::KeyReused => C_011,
        DomainError::EmailTaken => AJ_001,
        DomainError::NicknameTaken => AJ_002,
        DomainError::WrongCredentials => AL_001,
        DomainError::TooManyFailedLogins(_) => AL_002,
        DomainError::InvalidRefreshToken => AS_001,
        DomainError::NoAccessToken | DomainError::InvalidAccessToken => AS_002,
        DomainError::InvalidMailToken => AP_001,
        DomainError::TooManyMails(_) => AP_002,
        DomainError::NoMail => AP_003,
        DomainError::EmailNotVerified => AJ_003,
        DomainError::NotTheMember => AS_003,
        DomainError::NotAuthenticated => AM_001,
        DomainError::PermissionDenied => AM_002,
        DomainError::AlreadyRegistered | DomainError::TooManyShows => E_001,
        DomainError::PreconditionFailed => E_003,
        DomainError::NoSuchEvent => E_002,
        DomainError::SeatsOfEventTaken => E_004,
        DomainError::NoSuchSeats(_)
        | DomainError::CompanionAlone(_)
        | DomainError::SeatsTooScattered
        | DomainError::TooManyLabels(_)
        | DomainError::ShowTimeTaken
        | DomainError::TooManyChanges
        | DomainError::NoticesTooLong
        | DomainError::UnknownAreas(_)
        | DomainError::NoSuchAreas(_) => C_001,
        DomainError::InvalidGateToken => G_001,
        DomainError::TooManyGates => G_002,
        DomainError::NoSuchGate => G_003,
        DomainError::SeatsTaken(_) => H_001,
        DomainError::TooManySeatsOfMember(_) => H_002,
        DomainError::NotOnSale => H_003,
        DomainError::HoldUnusable => H_004,
        DomainError::NoFreeGroup => H_006,
        DomainError::TooManyHolds(_) => H_007,
        DomainError::NoSuchHold => H_005,
        DomainError::TooManyNotices(_) => N_001,
        DomainError::Unexpected(_) => S_001,
        DomainError::PosterExpired | DomainError::PosterStorage(_) => S_002,
        DomainError::Database(_) => S_003,
        DomainError::Mail(_) => S_004,
    }
}
