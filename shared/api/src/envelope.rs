//! Envelope of every response.

use http::{
    StatusCode,
    header::{CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE},
};
use lambda_http::Body;
use serde::Serialize;

use domain::{error::Error as DomainError, text::escaped_len};

use crate::{
    error::{Error, Limit},
    json, messages, status,
};

/// Response to a request.
pub type Response = http::Response<Body>;

/// Maximum bytes of the JSON in which Lambda returns a response; it contains the body as a string.
pub const MAX_RESPONSE: usize = 6_291_556;

/// Part of [`MAX_RESPONSE`] that is reserved for the status, the headers and the keys around the body.
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

/// Builds a 200 response.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn ok<T: Serialize>(message: &str, data: &T) -> Result<Response, Error> {
    success(StatusCode::OK, message, data)
}

/// Builds a 200 response from data that is already JSON.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn ok_json(message: &str, json: &str) -> Result<Response, Error> {
    success_json(StatusCode::OK, message, json)
}

/// Builds a 200 response with a document instead of an envelope.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn document(media_type: &'static str, document: String) -> Result<Response, Error> {
    checked_success(StatusCode::OK, media_type, document)
}

/// Builds a 201 response for a new resource at `location`. Call it before anything is stored.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn created<T: Serialize>(location: &str, message: &str, data: &T) -> Result<Response, Error> {
    with_location(location, success(StatusCode::CREATED, message, data)?)
}

/// Builds a 201 response from data that is already JSON.
///
/// # Errors
///
/// Returns `TooLarge` if the response exceeds its limit.
pub fn created_json(location: &str, message: &str, json: &str) -> Result<Response, Error> {
    with_location(location, success_json(StatusCode::CREATED, message, json)?)
}

fn with_location(location: &str, mut response: Response) -> Result<Response, Error> {
    let location = HeaderValue::from_str(location).map_err(Error::unexpected)?;
    response.headers_mut().insert(LOCATION, location);
    Ok(response)
}

/// Builds a 204 response.
///
/// It has an envelope, as the interface requires, but HTTP does not transfer the body of a 204 response.
#[must_use]
pub fn no_content(message: &str) -> Response {
    let envelope = Envelope::<()> { message, code: status::SUCCESS, data: None, errors: None };
    let body = serde_json::to_string(&envelope).unwrap_or_default();
    response(StatusCode::NO_CONTENT, status::SUCCESS, body)
}

/// Builds the response to a request that failed.
#[must_use]
pub fn failure(error: &Error) -> Response {
    let (status, code) = status::status_and_code(error);
    let errors = match error {
        Error::Fields(errors) | Error::Parameters(errors) => Some(errors),
        _ => None,
    };
    let envelope = Envelope::<()> {
        message: &messages::message(error),
        code,
        data: None,
        errors: errors.map(|errors| {
            let reasons = errors.iter().map(|error| FieldReason {
                field: &error.field,
                value: &error.value,
                reason: messages::reason(&error.violation),
            });
            reasons.collect()
        }),
    };
    let body = serde_json::to_string(&envelope).unwrap_or_default();
    let mut response = response(status, code, body);
    if let Some(seconds) = retry_after(error) {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    if matches!(error, Error::Domain(DomainError::NotAuthenticated)) {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// Returns the seconds after which a client may retry, if the error is temporary.
fn retry_after(error: &Error) -> Option<u64> {
    match error {
        Error::Domain(DomainError::TooManyFailedLogins(left)) => Some(left.as_secs()),
        Error::Domain(
            DomainError::Database(_)
            | DomainError::PosterExpired
            | DomainError::PosterStorage(_)
            | DomainError::InProgress,
        ) => Some(RETRY_SECONDS),
        _ => None,
    }
}

fn success<T: Serialize>(status: StatusCode, message: &str, data: &T) -> Result<Response, Error> {
    let envelope = Envelope { message, code: status::SUCCESS, data: Some(data), errors: None };
    checked_success(status, json::MEDIA_TYPE, serde_json::to_string(&envelope).map_err(Error::unexpected)?)
}

fn success_json(status: StatusCode, message: &str, data: &str) -> Result<Response, Error> {
    let envelope = Envelope::<()> { message, code: status::SUCCESS, data: None, errors: None };
    let envelope = serde_json::to_string(&envelope).map_err(Error::unexpected)?;
    checked_success(status, json::MEDIA_TYPE, json::with_member(&envelope, "data", data))
}

fn checked_success(status: StatusCode, media_type: &'static str, body: String) -> Result<Response, Error> {
    let max_body = MAX_RESPONSE - RESERVED_FOR_HEAD;
    // Escaping at most doubles a body, so the escaped length of short bodies need not be computed. For an arena,
    // computing it takes a tenth of the time of the response.
    if body.len() > max_body / 2 && escaped_len(&body) > max_body {
        return Err(Error::TooLarge(Limit::Response(MAX_RESPONSE)));
    }
    let mut response = response(status, status::SUCCESS, body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    Ok(response)
}

fn response(status: StatusCode, code: &'static str, body: String) -> Response {
    let mut response = Response::new(Body::Text(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(json::MEDIA_TYPE));
    response.extensions_mut().insert(Code(code));
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

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
            (DomainError::Database("x".into()), Some("2")),
            (DomainError::PosterStorage("x".into()), Some("2")),
            (DomainError::PosterExpired, Some("2")),
            (DomainError::InProgress, Some("2")),
            (DomainError::KeyReused, None),
            (DomainError::NoSuchEvent, None),
        ] {
            let error = error.into();
            let header = failure(&error).headers().get(RETRY_AFTER).cloned();
            assert_eq!(header.as_ref().map(|value| value.to_str().unwrap()), seconds, "{error:?}");
        }
    }

    #[test]
    fn response_over_limit_is_rejected() {
        let overhead = escaped_len(body(&ok("m", &"").unwrap()));
        let max = MAX_RESPONSE - RESERVED_FOR_HEAD - overhead;
        assert!(ok("m", &"x".repeat(max)).is_ok());
        let too_large = ok("m", &"x".repeat(max + 1));
        assert!(matches!(too_large, Err(Error::TooLarge(Limit::Response(MAX_RESPONSE)))));
    }

    #[test]
    fn unused_keys_are_absent() {
        assert_eq!(body(&no_content("m")), r#"{"message":"m","code":"0"}"#);
        assert_eq!(body(&ok("m", &[1]).unwrap()), r#"{"message":"m","code":"0","data":[1]}"#);
        assert_eq!(body(&ok_json("m", "[1]").unwrap()), r#"{"message":"m","code":"0","data":[1]}"#);
        let failed = failure(&DomainError::NoSuchEvent.into());
        assert_eq!(body(&failed), r#"{"message":"해당 공연을 찾을 수 없습니다.","code":"E_002"}"#);
    }

    #[test]
    fn cause_is_never_returned() {
        let failed = failure(&Error::unexpected("canary"));
        assert_eq!(failed.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!body(&failed).contains("canary"));
    }

    #[test]
    fn unavailable_storage_has_retry_after() {
        for error in [DomainError::Database("x".into()), DomainError::PosterStorage("x".into())] {
            assert!(failure(&error.into()).headers().contains_key(RETRY_AFTER));
        }
    }
}
