//! The envelope that every answer wears.

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

/// An answer to a request.
pub type Response = http::Response<Body>;

/// The most bytes of an answer as Lambda hands it over: a JSON text that holds
/// the body as a string.
pub const MAX_RESPONSE: usize = 6_291_556;

/// What of those is left for the status, the headers and the keys around the body.
const AROUND_BODY: usize = 4 * 1024;

/// How many seconds a caller should wait for storage that is unavailable.
const RETRY_SECONDS: u64 = 2;

/// The code that an answer carries, for the log.
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

/// The answer to a request that found what it asked for.
///
/// # Errors
///
/// `TooLarge` where it does not fit.
pub fn ok<T: Serialize>(message: &str, data: &T) -> Result<Response, Error> {
    success(StatusCode::OK, message, data)
}

/// The answer to a request that found what is there as JSON.
///
/// # Errors
///
/// `TooLarge` where it does not fit.
pub fn ok_json(message: &str, json: &str) -> Result<Response, Error> {
    success_json(StatusCode::OK, message, json)
}

/// The answer to a request that found a document of its own, in no envelope.
///
/// # Errors
///
/// `TooLarge` where it does not fit.
pub fn document(media_type: &'static str, document: String) -> Result<Response, Error> {
    fitting(StatusCode::OK, media_type, document)
}

/// The answer to a request that made something, which is now at `location`.
///
/// # Errors
///
/// `TooLarge` where it does not fit: so build it before anything is stored.
pub fn created<T: Serialize>(location: &str, message: &str, data: &T) -> Result<Response, Error> {
    at(location, success(StatusCode::CREATED, message, data)?)
}

/// The same of what is there as JSON.
///
/// # Errors
///
/// `TooLarge` where it does not fit.
pub fn created_json(location: &str, message: &str, json: &str) -> Result<Response, Error> {
    at(location, success_json(StatusCode::CREATED, message, json)?)
}

fn at(location: &str, mut reply: Response) -> Result<Response, Error> {
    let location = HeaderValue::from_str(location).map_err(Error::unexpected)?;
    reply.headers_mut().insert(LOCATION, location);
    Ok(reply)
}

/// The answer to a request that removed something.
///
/// It carries an envelope as the interface has it, which the wire then drops, as
/// HTTP requires of this status.
#[must_use]
pub fn no_content(message: &str) -> Response {
    let envelope = Envelope::<()> { message, code: status::SUCCESS, data: None, errors: None };
    let body = serde_json::to_string(&envelope).unwrap_or_default();
    reply(StatusCode::NO_CONTENT, status::SUCCESS, body)
}

/// The answer to a request that failed.
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
            let told = errors.iter().map(|error| FieldReason {
                field: &error.field,
                value: &error.value,
                reason: messages::reason(&error.violation),
            });
            told.collect()
        }),
    };
    let body = serde_json::to_string(&envelope).unwrap_or_default();
    let mut reply = reply(status, code, body);
    if let Some(seconds) = retry_after(error) {
        reply.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    if matches!(error, Error::Domain(DomainError::NotAuthenticated)) {
        reply.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    reply
}

/// After how many seconds a caller should try again, where it may go better then.
fn retry_after(error: &Error) -> Option<u64> {
    match error {
        Error::Domain(DomainError::TooManyFailures(left)) => Some(left.as_secs()),
        Error::Domain(
            DomainError::Database(_) | DomainError::PosterExpired | DomainError::PosterStorage(_),
        ) => Some(RETRY_SECONDS),
        _ => None,
    }
}

fn success<T: Serialize>(status: StatusCode, message: &str, data: &T) -> Result<Response, Error> {
    let envelope = Envelope { message, code: status::SUCCESS, data: Some(data), errors: None };
    fitting(status, json::MEDIA_TYPE, serde_json::to_string(&envelope).map_err(Error::unexpected)?)
}

fn success_json(status: StatusCode, message: &str, data: &str) -> Result<Response, Error> {
    let envelope = Envelope::<()> { message, code: status::SUCCESS, data: None, errors: None };
    let envelope = serde_json::to_string(&envelope).map_err(Error::unexpected)?;
    fitting(status, json::MEDIA_TYPE, json::with_member(&envelope, "data", data))
}

fn fitting(status: StatusCode, media_type: &'static str, body: String) -> Result<Response, Error> {
    let room = MAX_RESPONSE - AROUND_BODY;
    // Escaping at most doubles a body, and counting the quotes of a whole arena takes a tenth of its answer.
    if body.len() > room / 2 && escaped_len(&body) > room {
        return Err(Error::TooLarge(Limit::Response(MAX_RESPONSE)));
    }
    let mut reply = reply(status, status::SUCCESS, body);
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    Ok(reply)
}

fn reply(status: StatusCode, code: &'static str, body: String) -> Response {
    let mut reply = Response::new(Body::Text(body));
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(json::MEDIA_TYPE));
    reply.extensions_mut().insert(Code(code));
    reply
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn body(reply: &Response) -> &str {
        match reply.body() {
            Body::Text(text) => text,
            other => panic!("an envelope is a text, not {other:?}"),
        }
    }

    #[test]
    fn only_what_may_go_better_later_says_when() {
        for (error, seconds) in [
            (DomainError::TooManyFailures(Duration::from_secs(7)), Some("7")),
            (DomainError::Database("x".into()), Some("2")),
            (DomainError::PosterStorage("x".into()), Some("2")),
            (DomainError::PosterExpired, Some("2")),
            (DomainError::NoSuchEvent, None),
        ] {
            let error = error.into();
            let told = failure(&error).headers().get(RETRY_AFTER).cloned();
            assert_eq!(told.as_ref().map(|value| value.to_str().unwrap()), seconds, "{error:?}");
        }
    }

    #[test]
    fn an_answer_of_exactly_the_limit_fits_and_one_byte_more_does_not() {
        let overhead = escaped_len(body(&ok("m", &"").unwrap()));
        let fitting = MAX_RESPONSE - AROUND_BODY - overhead;
        assert!(ok("m", &"x".repeat(fitting)).is_ok());
        let refused = ok("m", &"x".repeat(fitting + 1));
        assert!(matches!(refused, Err(Error::TooLarge(Limit::Response(MAX_RESPONSE)))));
    }

    #[test]
    fn keys_that_do_not_apply_are_absent() {
        assert_eq!(body(&no_content("m")), r#"{"message":"m","code":"0"}"#);
        assert_eq!(body(&ok("m", &[1]).unwrap()), r#"{"message":"m","code":"0","data":[1]}"#);
        assert_eq!(body(&ok_json("m", "[1]").unwrap()), r#"{"message":"m","code":"0","data":[1]}"#);
        let failed = failure(&DomainError::NoSuchEvent.into());
        assert_eq!(body(&failed), r#"{"message":"해당 공연을 찾을 수 없습니다.","code":"E_002"}"#);
    }

    #[test]
    fn a_cause_is_never_answered() {
        let failed = failure(&Error::unexpected("canary"));
        assert_eq!(failed.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!body(&failed).contains("canary"));
    }

    #[test]
    fn storage_that_is_unavailable_asks_to_retry() {
        for error in [DomainError::Database("x".into()), DomainError::PosterStorage("x".into())] {
            assert!(failure(&error.into()).headers().contains_key(RETRY_AFTER));
        }
    }
}
