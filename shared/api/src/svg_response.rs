//! Pictures that the service draws.

use http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};

use crate::envelope::{self, Response};
use crate::error::Error;

/// The media type of an SVG document.
pub const MEDIA_TYPE: &str = "image/svg+xml";

/// Opened by itself, a picture runs nothing, fetches nothing and belongs to no origin.
const INERT: HeaderValue =
    HeaderValue::from_static("default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox");

/// The answer to a request for a picture.
///
/// # Errors
///
/// `TooLarge` where it does not fit.
pub fn svg(document: String) -> Result<Response, Error> {
    let mut reply = envelope::document(MEDIA_TYPE, document)?;
    reply.headers_mut().insert(CONTENT_SECURITY_POLICY, INERT);
    reply.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(reply)
}
