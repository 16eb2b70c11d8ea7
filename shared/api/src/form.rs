//! Requests with a multipart form.

use bytes::Bytes;
use domain::{
    idempotency::{IdempotencyKey, MAX_LENGTH},
    violation::Violation,
};
use lambda_http::{Body, Request};

use crate::{
    error::Error,
    fields::Errors,
    multipart::{self, Part},
    request::{content_type, expect_media_type, expect_size, header},
};

/// Header with the idempotency key
/// (<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>).
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Checks that a request has a form as its body, within the size limit.
///
/// # Errors
///
/// Returns the first of `MediaType`, `ContentEncoding` and `TooLarge` that applies.
pub fn expect_form(request: &Request) -> Result<(), Error> {
    expect_media_type(request, multipart::MEDIA_TYPE)?;
    expect_size(request.body())
}

/// Returns the idempotency key of a request, if any.
///
/// # Errors
///
/// Returns `Parameters` if the header is repeated or invalid.
pub fn idempotency_key(request: &Request) -> Result<Option<IdempotencyKey>, Error> {
    let Some(value) = header(request, IDEMPOTENCY_KEY) else { return Ok(None) };
    let key = value.parse().ok();
    let mut errors = Errors::default();
    if key.is_none() {
        errors.add_value(IDEMPOTENCY_KEY, &value, Violation::InvalidIdempotencyKey(MAX_LENGTH));
    }
    errors.into_parameters().map(|()| key)
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
