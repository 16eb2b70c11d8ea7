//! Requests with a multipart form.

use bytes::Bytes;
use lambda_http::{Body, Request};

use crate::{
    error::Error,
    multipart::{self, Part},
    request::{content_type, expect_media_type, expect_size},
};

/// Checks that a request has a form as its body, within the size limit.
///
/// # Errors
///
/// Returns the first of `MediaType`, `ContentEncoding` and `TooLarge` that applies.
pub fn expect_form(request: &Request) -> Result<(), Error> {
    expect_media_type(request, multipart::MEDIA_TYPE)?;
    expect_size(request.body())
}

/// Returns the named parts of the form in the body of a request.
///
/// # Errors
///
/// Returns `Form` if the form is unreadable, or if a named part is missing or repeated.
pub async fn parts<const N: usize>(request: Request, names: [&'static str; N]) -> Result<[Part; N], Error> {
    let content_type = content_type(&request).to_owned();
    let body = match request.into_body() {
        Body::Text(text) => Bytes::from(text),
        Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    };
    multipart::parts(&content_type, body, names).await
}
