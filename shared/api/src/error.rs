//! Errors of a request, as the API reports them.

use domain::{
    error::Error as DomainError,
    violation::{Position, Violation},
};

/// Error that is returned to the client.
#[derive(Debug)]
pub enum Error {
    /// Fields that fail validation, in the order of `docs/api.md`.
    Fields(Vec<FieldError>),
    /// Body that is not a JSON object in UTF-8.
    NotJson(JsonFault),
    /// Query parameters or headers with unusable values.
    Parameters(Vec<FieldError>),
    /// Body whose media type is not this one.
    MediaType(&'static str),
    /// Body with a content encoding, such as gzip.
    ContentEncoding,
    /// Body or response that exceeds its limit.
    TooLarge(Limit),
    /// Unreadable multipart form.
    Form(FormFault),
    /// Seats that are held, sold or blocked.
    SeatsTaken(Vec<FieldError>),
    /// Unknown route, or known with another method.
    NoSuchRoute,
    /// Manager id that is missing or not a UUID.
    NoManager,
    /// Error of the domain or of storage.
    Domain(DomainError),
}

/// Field of a request that fails validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Path of the field in the request, such as `areas[0].seats[3].row`.
    pub field: String,
    /// User input: a text as sent, anything else as compact JSON.
    pub value: String,
    /// Rule that the field violates.
    pub violation: Violation,
}

/// Size limit, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Limit of the request body.
    Body(usize),
    /// Limit of the part `request` after inflating.
    Inflated(usize),
    /// Limit of the response, as Lambda returns it.
    Response(usize),
    /// Limit of a response that can be read in pages instead.
    Unpaged(usize),
    /// Limit of a response that exceeds it only because the client does not accept gzip.
    UncompressedResponse(usize),
}

/// Reason for which a body is not a JSON object, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFault {
    /// Place of the fault, or `None` if it concerns the body as a whole.
    pub position: Option<Position>,
    /// Rule that the body breaks.
    pub error: JsonError,
}

/// Rule that a JSON body breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// The connection or a chunk broke before the end of the body.
    Interrupted,
    /// The body is not exactly one undamaged gzip member.
    Gzip,
    /// The body is empty or only white space.
    Empty,
    /// A byte order mark precedes the object.
    ByteOrderMark,
    /// A byte is not UTF-8.
    NotUtf8,
    /// The first character begins no object.
    NotAnObject,
    /// The body ends within the object.
    Truncated,
    /// A character violates the grammar of JSON.
    Syntax,
    /// An escaped surrogate has no other half.
    LoneSurrogate,
    /// The object has this name twice.
    DuplicateName(String),
}

/// Reason for which a form is unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormFault {
    /// The media type has no usable boundary.
    NoBoundary,
    /// The form is truncated or malformed.
    Malformed,
    /// The form has more parts than this limit.
    TooManyParts(usize),
    /// A part has more bytes of headers than this limit.
    HeadersTooLarge(usize),
    /// The named part is missing.
    Missing(&'static str),
    /// The named part is repeated.
    Repeated(&'static str),
}

impl Error {
    /// Builds an error that should not happen, with its cause.
    pub fn unexpected(cause: impl Into<domain::error::Cause>) -> Self {
        Self::Domain(DomainError::unexpected(cause))
    }

    /// Builds an error of a JSON body as a whole.
    #[must_use]
    pub fn not_json(error: JsonError) -> Self {
        Self::NotJson(JsonFault { position: None, error })
    }

    /// Returns the cause with all its sources on one line, for the operator only.
    #[must_use]
    pub fn causes(&self) -> Option<String> {
        match self {
            Self::Domain(error) => error.causes(),
            _ => None,
        }
    }
}

impl From<DomainError> for Error {
    fn from(error: DomainError) -> Self {
        Self::Domain(error)
    }
}
