//! Parts of a request that all endpoints read: its JSON body, and the id in its path.

use domain::{
    error::Error as DomainError,
    id,
    idempotency::{Fingerprint, IdempotencyKey, MAX_LENGTH},
    show::ShowId,
    violation::Violation,
};
use http::{
    HeaderMap,
    header::{AUTHORIZATION, AsHeaderName, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue},
};
use lambda_http::{Request, RequestExt as _};
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    error::{Error, Limit},
    fields::Errors,
    json,
    proxy::BaseUrl,
};

/// Maximum size of a body, in bytes.
///
/// In base64 this is 6,266,668 of the 6,291,556 bytes of a Lambda request; 24 KB remain for the rest of
/// the event.
pub const MAX_BODY: usize = 4_700_000;

/// Response header with the request id, which is also in the access log.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Header with the idempotency key
/// (<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>).
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Reads the JSON object in the body of a request.
///
/// # Errors
///
/// Returns the first of `MediaType`, `ContentEncoding`, `TooLarge` and `NotJson` that applies.
pub fn json<'a, T: Deserialize<'a>>(request: &'a Request) -> Result<T, Error> {
    json::object(json_body(request)?)
}

/// Reads the JSON object in the body of a request, and its idempotency key, if any, with the body's fingerprint.
///
/// # Errors
///
/// Returns the first of `MediaType`, `ContentEncoding`, `TooLarge`, `Parameters` and `NotJson` that applies.
pub fn json_with_key<'a, T: Deserialize<'a>>(
    request: &'a Request,
) -> Result<(T, Option<(IdempotencyKey, Fingerprint)>), Error> {
    let body = json_body(request)?;
    let key = idempotency_key(request)?.map(|key| (key, Fingerprint::new(&[body])));
    Ok((json::object(body)?, key))
}

/// Returns the body of a request as JSON, which is not read yet.
///
/// # Errors
///
/// Returns the first of `MediaType`, `ContentEncoding` and `TooLarge` that applies.
pub fn json_body(request: &Request) -> Result<&[u8], Error> {
    expect_media_type(request, json::MEDIA_TYPE)?;
    expect_size(request.body())?;
    Ok(request.body())
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

/// Returns the bearer token of a request (RFC 6750, 2.1); `None` if it has no `Authorization`, or another scheme.
///
/// An invalid header, one that is repeated or has bytes other than visible ASCII, gives an empty token, which is
/// rejected as invalid rather than missing.
#[must_use]
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?;
    let (None, Ok(value)) = (values.next(), value.to_str()) else { return Some("") };
    let value = value.trim();
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    scheme.eq_ignore_ascii_case("Bearer").then_some(token.trim_start())
}

/// Returns the address of the service, without a slash at its end.
///
/// # Errors
///
/// Returns `Unexpected` if the stage does not have it.
pub fn base_url(request: &Request) -> Result<&str, Error> {
    let base_url =
        request.extensions().get::<BaseUrl>().ok_or_else(|| Error::unexpected("the stage has no baseUrl"))?;
    Ok(&base_url.0)
}

/// Returns the id of the event in the path of a request.
///
/// # Errors
///
/// Returns `NoSuchEvent` if it is not a UUID.
pub fn event_id(request: &Request) -> Result<Uuid, Error> {
    path_id(request, "eventId").ok_or(DomainError::NoSuchEvent.into())
}

/// Returns the show in the path of a request, with its event.
///
/// # Errors
///
/// Returns `NoSuchEvent` if one of them is not a UUID.
pub fn show_id(request: &Request) -> Result<ShowId, Error> {
    Ok(ShowId { event: event_id(request)?, show: path_id(request, "showId").ok_or(DomainError::NoSuchEvent)? })
}

/// Returns the id of the hold in the path of a request.
///
/// A text that is not a UUID gives the nil UUID, which no hold has.
pub fn hold_id(request: &Request) -> Uuid {
    path_id(request, "holdId").unwrap_or_default()
}

/// Returns the id of the gate in the path of a request.
///
/// A text that is not a UUID gives the nil UUID, which no gate has.
pub fn gate_id(request: &Request) -> Uuid {
    path_id(request, "gateId").unwrap_or_default()
}

/// Returns the id of the member in the path of a request.
///
/// A text that is not a UUID gives the nil UUID, which no member has.
pub fn member_id(request: &Request) -> Uuid {
    path_id(request, "memberId").unwrap_or_default()
}

fn path_id(request: &Request, name: &str) -> Option<Uuid> {
    id::parse(request.path_parameters_ref()?.first(name)?)
}

/// Checks that the body has one of these media types, separated by a comma and a space, and no content encoding.
///
/// # Errors
///
/// Returns `MediaType` if it has another one, and `ContentEncoding` if it is encoded.
pub(crate) fn expect_media_type(request: &Request, expected: &'static str) -> Result<(), Error> {
    let sent = content_type(request).as_bytes();
    if !expected.split(", ").any(|expected| is_media_type(sent, expected)) {
        return Err(Error::MediaType(expected));
    }
    let encodings = request.headers().get_all(CONTENT_ENCODING);
    let is_identity = |value: &HeaderValue| value.is_empty() || value.as_bytes().eq_ignore_ascii_case(b"identity");
    if encodings.iter().all(is_identity) { Ok(()) } else { Err(Error::ContentEncoding) }
}

/// Returns true if the value of a `Content-Type` is this media type, with any parameters.
pub(crate) fn is_media_type(value: &[u8], expected: &str) -> bool {
    let sent = value.split(|byte| *byte == b';').next().unwrap_or_default();
    sent.trim_ascii().eq_ignore_ascii_case(expected.as_bytes())
}

/// Returns the values of a header, as one list if it is repeated.
pub(crate) fn header(request: &Request, name: impl AsHeaderName) -> Option<String> {
    let values: Vec<_> =
        request.headers().get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    if values.is_empty() { None } else { Some(values.join(", ")) }
}

/// Returns the value of `Content-Type`; empty if there is none.
pub(crate) fn content_type(request: &Request) -> &str {
    request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Checks the size of the body.
///
/// # Errors
///
/// Returns `TooLarge` if it exceeds the limit.
pub(crate) fn expect_size(body: &[u8]) -> Result<(), Error> {
    if body.len() > MAX_BODY { Err(Error::TooLarge(Limit::Body(MAX_BODY))) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_body_is_accepted() {
        assert!(expect_size(&vec![0; MAX_BODY]).is_ok());
        assert!(matches!(expect_size(&vec![0; MAX_BODY + 1]), Err(Error::TooLarge(Limit::Body(MAX_BODY)))));
    }
}
