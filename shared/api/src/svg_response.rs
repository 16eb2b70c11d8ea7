//! Responses with SVG pictures.

use http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};

use crate::content_encoding::ContentEncoding;
use crate::envelope::{self, Response};
use crate::error::Error;

/// Media type of an SVG document.
pub const MEDIA_TYPE: &str = "image/svg+xml";

/// Content security policy: a picture that is opened as a page runs nothing, loads nothing and has no origin.
const INERT: HeaderValue =
    HeaderValue::from_static("default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox");

/// Builds the response with a picture, for a client that accepts this encoding.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn svg(document: String, accepted: ContentEncoding) -> Result<Response, Error> {
    let mut response = envelope::document(MEDIA_TYPE, document, accepted)?;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, INERT);
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}
