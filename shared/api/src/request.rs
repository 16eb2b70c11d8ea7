//! What handlers take from a request.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use lambda_http::{Body, Request, RequestExt as _};
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    error::{Error, Limit},
    fields::Errors,
    json, multipart,
    proxy::RequestContext,
};
use domain::{
    cursor::CursorKey,
    error::Error as DomainError,
    id,
    idempotency::{IdempotencyKey, MAX_LENGTH},
    manager::Verification,
    violation::Violation,
};

/// The most bytes of a body: in base64 it takes 6,266,668 of the 6,291,556 bytes
/// of a Lambda request, which leaves 24 KB for the rest of the event.
pub const MAX_BODY: usize = 4_700_000;

/// Header of the response with the request id, which the access log has too.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The header that names the manager who registers an event.
pub const MANAGER_ID: &str = "x-api-managerid";

/// The header that names a request, so that it can be repeated
/// (<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>).
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The most events on a page of the list, and as many as are shown unasked.
pub const MAX_PAGE: usize = 100;

/// Where a page of a list begins, and how long it may be.
#[derive(Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// 1 to 100.
    pub limit: usize,
    /// The event behind which it begins; at the newest where there is none.
    pub after: Option<Uuid>,
}

/// The JSON object in the body of a request.
///
/// # Errors
///
/// `MediaType`, `TooLarge` or `NotJson`, the first that holds.
pub fn json<'a, T: Deserialize<'a>>(request: &'a Request) -> Result<T, Error> {
    expect_media_type(request, json::MEDIA_TYPE)?;
    let body: &[u8] = request.body();
    expect_size(body)?;
    json::object(body)
}

/// A request whose body is a form, of a legal size.
#[derive(Debug)]
pub struct FormRequest(Request);

impl FormRequest {
    /// Takes a request to have a form.
    ///
    /// # Errors
    ///
    /// `MediaType` or `TooLarge`, the first that holds.
    pub fn new(request: Request) -> Result<Self, Error> {
        expect_media_type(&request, multipart::MEDIA_TYPE)?;
        expect_size(request.body())?;
        Ok(Self(request))
    }

    /// The key by which the request can be repeated, where it has one.
    ///
    /// # Errors
    ///
    /// `Parameters` where it is there more than once, or cannot be used.
    pub fn idempotency_key(&self) -> Result<Option<IdempotencyKey>, Error> {
        let values: Vec<_> = self.0.headers().get_all(IDEMPOTENCY_KEY).iter().collect();
        let sent = match values.as_slice() {
            [] => return Ok(None),
            values => values.iter().map(|value| String::from_utf8_lossy(value.as_bytes())),
        };
        let sent = sent.collect::<Vec<_>>().join(", ");
        let key = sent.parse().ok();
        let mut errors = Errors::default();
        if key.is_none() {
            errors.add_value(IDEMPOTENCY_KEY, &sent, Violation::IdempotencyKey(MAX_LENGTH));
        }
        errors.into_parameters().map(|()| key)
    }

    /// The named parts of the form.
    ///
    /// # Errors
    ///
    /// `Form` where it cannot be read, or one of them is missing or repeated.
    pub async fn parts<const N: usize>(self, names: [&'static str; N]) -> Result<[Bytes; N], Error> {
        let content_type = content_type(&self.0).to_owned();
        let body = match self.0.into_body() {
            Body::Text(text) => Bytes::from(text),
            Body::Binary(bytes) => Bytes::from(bytes),
            _ => Bytes::new(),
        };
        multipart::parts(&content_type, body, names).await
    }
}

/// The id of the manager who makes a request: where managers are verified, the one of the token that
/// the gateway's authorizer read, and else the one that the request names.
///
/// # Errors
///
/// `NoManager` where the header is missing or no id; where managers are verified, `NotAuthenticated`
/// where the authorizer names nobody, and `NotPermitted` where the header names somebody else.
pub fn manager(request: &Request, verification: Verification) -> Result<Uuid, Error> {
    match verification {
        Verification::Required => verified(request),
        Verification::Open => {
            request.headers().get(MANAGER_ID).and_then(named_manager).ok_or(Error::NoManager)
        }
    }
}

/// The id of the manager who alone may do what is asked, where managers are verified; none where
/// anyone may.
///
/// # Errors
///
/// As for [`manager`] where managers are verified.
pub fn owner(request: &Request, verification: Verification) -> Result<Option<Uuid>, Error> {
    match verification {
        Verification::Required => verified(request).map(Some),
        Verification::Open => Ok(None),
    }
}

fn verified(request: &Request) -> Result<Uuid, Error> {
    let principal = request.extensions().get().and_then(RequestContext::principal);
    let manager = principal.and_then(|id| id::parse(&id)).ok_or(DomainError::NotAuthenticated)?;
    let mut named = request.headers().get_all(MANAGER_ID).iter();
    if named.all(|value| named_manager(value) == Some(manager)) {
        Ok(manager)
    } else {
        Err(DomainError::NotPermitted.into())
    }
}

fn named_manager(header: &HeaderValue) -> Option<Uuid> {
    id::parse(header.to_str().ok()?.trim())
}

/// The id of the event in the path of a request.
///
/// # Errors
///
/// `NoSuchEvent` where it is no id.
pub fn event_id(request: &Request) -> Result<Uuid, Error> {
    request
        .path_parameters_ref()
        .and_then(|parameters| id::parse(parameters.first("eventId")?))
        .ok_or(DomainError::NoSuchEvent.into())
}

/// The page of a list that a request asks for.
///
/// # Errors
///
/// `Parameters` where `limit` or `cursor` cannot be used.
pub fn page(request: &Request, key: &CursorKey) -> Result<PageRequest, Error> {
    let query = request.query_string_parameters_ref();
    let parameter = |name| query.and_then(|query| query.first(name));
    let mut errors = Errors::default();
    let mut page = PageRequest { limit: MAX_PAGE, after: None };
    if let Some(text) = parameter("limit") {
        match text.parse() {
            Ok(limit @ 1..=MAX_PAGE) if text.bytes().all(|byte| byte.is_ascii_digit()) => page.limit = limit,
            _ => errors.add_value("limit", text, Violation::OutOfRange(1..=100)),
        }
    }
    if let Some(text) = parameter("cursor") {
        page.after = key.verify(text);
        if page.after.is_none() {
            errors.add_value("cursor", text, Violation::Cursor);
        }
    }
    errors.into_parameters().map(|()| page)
}

fn expect_media_type(request: &Request, expected: &'static str) -> Result<(), Error> {
    let sent = content_type(request).split(';').next().unwrap_or_default().trim();
    if sent.eq_ignore_ascii_case(expected) { Ok(()) } else { Err(Error::MediaType(expected)) }
}

fn content_type(request: &Request) -> &str {
    request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn expect_size(body: &[u8]) -> Result<(), Error> {
    if body.len() > MAX_BODY { Err(Error::TooLarge(Limit::Body(MAX_BODY))) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_form_is_read_whether_it_came_as_a_text_or_in_base64() {
        let form = "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n공연\r\n--b--\r\n";
        for body in [Body::Text(form.to_owned()), Body::Binary(form.into())] {
            let mut request = Request::new(body);
            let content_type = HeaderValue::from_static("multipart/form-data; boundary=b");
            request.headers_mut().insert(CONTENT_TYPE, content_type);
            let parts = FormRequest::new(request).unwrap().parts(["title"]).await.unwrap();
            assert_eq!(parts, ["공연"]);
        }
    }

    #[test]
    fn a_body_of_the_largest_size_is_taken() {
        assert!(expect_size(&vec![0; MAX_BODY]).is_ok());
        assert!(matches!(expect_size(&vec![0; MAX_BODY + 1]), Err(Error::TooLarge(Limit::Body(MAX_BODY)))));
    }
}
