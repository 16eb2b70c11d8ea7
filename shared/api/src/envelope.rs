//! Envelope of every response.

use base64_simd::STANDARD;
use http::{
    StatusCode,
    header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE},
};
use lambda_http::Body;
use serde::Serialize;

use domain::{error::Error as DomainError, text::escaped_len};

use crate::{
    content_encoding::{ContentEncoding, MAX_UNCOMPRESSED},
    error::{Error, FieldError, Limit},
    gzip, json, messages, status,
};

/// Response to a request.
pub type Response = http::Response<Body>;

/// Maximum bytes of the JSON in which Lambda returns a response; it contains the body as a string.
pub const MAX_RESPONSE: usize = 6_291_556;

/// Part of [`MAX_RESPONSE`] that is left for the body, beside the status, the headers and the keys around it.
const MAX_RESPONSE_BODY: usize = MAX_RESPONSE - RESERVED_FOR_HEAD;
const RESERVED_FOR_HEAD: usize = 4 * 1024;

/// Value of `Retry-After` if storage is unavailable or the same request is in progress.
const RETRY_SECONDS: u64 = 2;

/// Code of a response, for the access log.
#[derive(Clone, Copy, Debug)]
pub struct Code(pub &'static str);

#[derive(Serialize)]
struct Envelope<'a, T> {
    message: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<FieldReason<'a>>>,
}

#[derive(Serialize)]
struct FieldReason<'a> {
    field: &'a str,
    value: &'a str,
    reason: String,
}

impl<'a> From<&'a FieldError> for FieldReason<'a> {
    fn from(error: &'a FieldError) -> Self {
        Self { field: &error.field, value: &error.value, reason: messages::reason(&error.violation) }
    }
}

/// Builds a 200 response.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn ok<T: Serialize>(message: &str, data: &T) -> Result<Response, Error> {
    ok_encoded(message, data, ContentEncoding::Identity)
}

/// Like [`ok`], for a client that accepts this encoding.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn ok_encoded<T: Serialize>(message: &str, data: &T, accepted: ContentEncoding) -> Result<Response, Error> {
    document(json::MEDIA_TYPE, success(message, data)?, accepted)
}

/// Builds a 200 response with a document instead of an envelope, for a client that accepts this encoding.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn document(media_type: &'static str, document: String, accepted: ContentEncoding) -> Result<Response, Error> {
    limited(media_type, document, accepted, MAX_RESPONSE_BODY)
}

/// Builds a 201 response for a new resource at `location`. Call it before anything is stored.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn created<T: Serialize>(location: &str, message: &str, data: &T) -> Result<Response, Error> {
    created_encoded(location, message, data, ContentEncoding::Identity, 0)
}

/// Like [`created`], for a client that accepts this encoding.
///
/// It leaves `reserved` bytes of its limit free, for later responses whose data are larger.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn created_encoded<T: Serialize>(
    location: &str,
    message: &str,
    data: &T,
    accepted: ContentEncoding,
    reserved: usize,
) -> Result<Response, Error> {
    let mut response = limited(json::MEDIA_TYPE, success(message, data)?, accepted, MAX_RESPONSE_BODY - reserved)?;
    *response.status_mut() = StatusCode::CREATED;
    response.headers_mut().insert(LOCATION, HeaderValue::from_str(location).map_err(Error::unexpected)?);
    Ok(response)
}

/// Builds a 202 response, without data.
#[must_use]
pub fn accepted(message: &str) -> Response {
    let envelope = Envelope::<()> { message, code: status::SUCCESS, data: None, errors: None };
    let body = serde_json::to_string(&envelope).unwrap_or_default();
    response(StatusCode::ACCEPTED, status::SUCCESS, body.into())
}

/// Builds a 202 response with data.
///
/// # Errors
///
/// Returns `Unexpected` if the data cannot be serialized.
pub fn accepted_with<T: Serialize>(message: &str, data: &T) -> Result<Response, Error> {
    Ok(response(StatusCode::ACCEPTED, status::SUCCESS, success(message, data)?.into()))
}

/// Builds a 204 response.
///
/// It has an envelope, as the interface requires, but HTTP does not transfer the body of a 204 response.
#[must_use]
pub fn no_content(message: &str) -> Response {
    let envelope = Envelope::<()> { message, code: status::SUCCESS, data: None, errors: None };
    let body = serde_json::to_string(&envelope).unwrap_or_default();
    response(StatusCode::NO_CONTENT, status::SUCCESS, body.into())
}

/// Builds the response to a request that failed.
#[must_use]
pub fn failure(error: &Error) -> Response {
    let code = status::code(error);
    let errors = match error {
        Error::Fields(errors) | Error::Parameters(errors) | Error::SeatsTaken(errors) => {
            Some(errors.iter().map(FieldReason::from).collect())
        }
        _ => None,
    };
    let envelope = Envelope::<()> { message: &messages::message(error), code: code.name, data: None, errors };
    let body = serde_json::to_string(&envelope).unwrap_or_default();
    let mut response = response(code.status, code.name, body.into());
    if let Some(seconds) = retry_after(error) {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    if let Some(challenge) = challenge(error) {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    }
    response
}

/// Returns the value of `WWW-Authenticate` (RFC 6750, 3), if a token is missing or invalid.
fn challenge(error: &Error) -> Option<&'static str> {
    match error {
        Error::Domain(DomainError::NotAuthenticated | DomainError::NoAccessToken | DomainError::InvalidGateToken) => {
            Some("Bearer")
        }
        Error::Domain(DomainError::InvalidAccessToken) => Some("Bearer error=\"invalid_token\""),
        _ => None,
    }
}

/// Returns the seconds after which a client may retry, if the error is temporary.
fn retry_after(error: &Error) -> Option<u64> {
    match error {
        Error::Domain(
            DomainError::TooManyFailedLogins(left)
            | DomainError::TooManyHolds(left)
            | DomainError::TooManyMails(left)
            | DomainError::TooManyNotices(left),
        ) => Some(left.as_secs()),
        Error::Domain(
            DomainError::Database(_)
            | DomainError::Mail(_)
            | DomainError::PosterExpired
            | DomainError::PosterStorage(_)
            | DomainError::InProgress,
        ) => Some(RETRY_SECONDS),
        _ => None,
    }
}

/// Builds the envelope of a success.
fn success<T: Serialize>(message: &str, data: &T) -> Result<String, Error> {
    let envelope = Envelope { message, code: status::SUCCESS, data: Some(data), errors: None };
    serde_json::to_string(&envelope).map_err(Error::unexpected)
}

/// Builds a 200 response whose body takes at most `max` bytes of what Lambda returns.
///
/// A body that is only too large as base64, which is a third longer than its bytes, is not compressed.
fn limited(media_type: &'static str, body: String, accepted: ContentEncoding, max: usize) -> Result<Response, Error> {
    let is_gzip_accepted = accepted == ContentEncoding::Gzip;
    let mut response = if is_gzip_accepted
        && body.len() > MAX_UNCOMPRESSED
        && let Some(compressed) = compressed(&body, max)?
    {
        let mut response = response(StatusCode::OK, status::SUCCESS, Body::Binary(compressed));
        response.headers_mut().insert(CONTENT_ENCODING, ContentEncoding::GZIP);
        response
    } else if escaped_len(&body) <= max {
        response(StatusCode::OK, status::SUCCESS, Body::Text(body))
    } else {
        let gzip_helps = !is_gzip_accepted && compressed(&body, max)?.is_some();
        let limit = if gzip_helps { Limit::UncompressedResponse } else { Limit::Response };
        return Err(Error::TooLarge(limit(MAX_RESPONSE)));
    };
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    Ok(response)
}

/// Compresses a body; returns `None` if its base64 exceeds the limit.
fn compressed(body: &str, max: usize) -> Result<Option<Vec<u8>>, Error> {
    let compressed = gzip::compress(body.as_bytes()).map_err(Error::unexpected)?;
    Ok(Some(compressed).filter(|compressed| STANDARD.encoded_length(compressed.len()) <= max))
}

fn response(status: StatusCode, code: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(json::MEDIA_TYPE));
    response.extensions_mut().insert(Code(code));
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::proxy;

    fn body(response: &Response) -> &str {
        match response.body() {
            Body::Text(text) => text,
            other => panic!("expected text, not {other:?}"),
        }
    }

    #[test]
    fn only_temporary_errors_have_retry_after() {
        for (error, seconds) in [
            (DomainError::TooManyFailedLogins(Duration::from_secs(7)), Some("7")),
            (DomainError::TooManyHolds(Duration::from_secs(8)), Some("8")),
            (DomainError::Database("x".into()), Some("2")),
            (DomainError::PosterStorage("x".into()), Some("2")),
            (DomainError::PosterExpired, Some("2")),
            (DomainError::TooManyMails(Duration::from_secs(9)), Some("9")),
            (DomainError::TooManyNotices(Duration::from_secs(10)), Some("10")),
            (DomainError::NoMail, None),
            (DomainError::Mail("x".into()), Some("2")),
            (DomainError::InvalidMailToken, None),
            (DomainError::InProgress, Some("2")),
            (DomainError::KeyReused, None),
        ] {
            let error = error.into();
            let header = failure(&error).headers().get(RETRY_AFTER).cloned();
            assert_eq!(header.as_ref().map(|value| value.to_str().unwrap()), seconds, "{error:?}");
        }
    }

    #[test]
    fn response_over_limit_is_rejected() {
        const RESERVED: usize = 1_000;
        let overhead = escaped_len(body(&ok("m", &"").unwrap()));
        let max = MAX_RESPONSE - RESERVED_FOR_HEAD - overhead;
        let created = |length| created_encoded("/", "m", &"x".repeat(length), ContentEncoding::Identity, RESERVED);
        assert!(ok("m", &"x".repeat(max)).is_ok() && created(max - RESERVED).is_ok());
        for too_large in [ok("m", &"x".repeat(max + 1)), created(max - RESERVED + 1)] {
            assert!(matches!(too_large, Err(Error::TooLarge(Limit::UncompressedResponse(MAX_RESPONSE)))));
        }
    }

    #[test]
    fn head_fits_reserved_space() {
        let response = created("/api/v1/events/6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11", "m", &"").unwrap();
        let body = escaped_len(body(&response));
        let lambda = serde_json::to_string(&proxy::response_event(response)).unwrap();
        // The rest is for the headers that `serve` adds.
        assert!(lambda.len() - body <= RESERVED_FOR_HEAD / 2, "{lambda}");
    }

    /// Returns text that gzip shortens by about a quarter.
    fn noise(length: usize) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let states = std::iter::successors(Some(1_u64), |state| {
            Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
        });
        states.map(|state| char::from(DIGITS[usize::try_from(state >> 58).unwrap()])).take(length).collect()
    }

    /// Returns noise after text that gzip shortens to nothing, but that is twice as long when escaped.
    fn escaped_noise() -> String {
        "\\\"".repeat(MAX_UNCOMPRESSED / 2) + &noise(100_000)
    }

    fn base64_len(text: &str) -> usize {
        STANDARD.encoded_length(gzip::compress(text.as_bytes()).unwrap().len())
    }

    #[test]
    fn compressed_response_is_limited_as_base64() {
        let text = escaped_noise();
        let max = base64_len(&text);
        let send = |accepted, max| limited("a/b", text.clone(), accepted, max);
        assert_eq!(send(ContentEncoding::Gzip, max).unwrap().headers()[CONTENT_ENCODING], "gzip");
        for (accepted, max, expected) in [
            (ContentEncoding::Gzip, max - 1, Limit::Response(MAX_RESPONSE)),
            (ContentEncoding::Identity, max, Limit::UncompressedResponse(MAX_RESPONSE)),
            (ContentEncoding::Identity, max - 1, Limit::Response(MAX_RESPONSE)),
        ] {
            assert!(matches!(send(accepted, max), Err(Error::TooLarge(limit)) if limit == expected), "{expected:?}");
        }
    }

    #[test]
    fn plain_response_if_base64_exceeds_limit() {
        let text = noise(MAX_UNCOMPRESSED + 1);
        assert!(base64_len(&text) > text.len());
        let response = limited("a/b", text.clone(), ContentEncoding::Gzip, text.len()).unwrap();
        assert!(body(&response) == text);
        assert_eq!(ContentEncoding::of(&response), ContentEncoding::Identity);
        assert!(limited("a/b", text.clone(), ContentEncoding::Gzip, text.len() - 1).is_err());
    }

    #[test]
    fn longer_beginning_fits_reserved_space() {
        const RESERVED: usize = 64 * 1024;
        // Many different characters, which hardly compress.
        let summary: String = ('\u{10000}'..).step_by(37).take(RESERVED / 8).collect();
        for text in [noise(MAX_UNCOMPRESSED + 1), escaped_noise()] {
            let largest = base64_len(&text).min(escaped_len(&text));
            for edited in [summary.clone() + &text, text] {
                let max = largest + RESERVED;
                assert!(limited("a/b", edited, ContentEncoding::Gzip, max).is_ok());
            }
        }
    }

    #[test]
    fn unused_keys_are_absent() {
        assert_eq!(body(&no_content("m")), r#"{"message":"m","code":"0"}"#);
        assert_eq!(body(&ok("m", &[1]).unwrap()), r#"{"message":"m","code":"0","data":[1]}"#);
        let failed = failure(&DomainError::NoSuchEvent.into());
        assert_eq!(body(&failed), r#"{"message":"해당 공연을 찾을 수 없습니다.","code":"E_002"}"#);
    }

    #[test]
    fn cause_is_never_returned() {
        let failed = failure(&Error::unexpected("canary"));
        assert_eq!(failed.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!body(&failed).contains("canary"));
    }
}
