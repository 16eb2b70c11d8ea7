//! What handlers take from a request.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use lambda_http::{Body, Request, RequestExt as _};
use serde::Deserialize;
use uuid::Uuid;

use super::{fields::Errors, json, multipart};
use crate::domain::{
    cursor::CursorKey,
    error::{Error, Limit},
    id,
    violation::Violation,
};

/// The most bytes of a body: in base64 it takes 6,266,668 of the 6,291,556 bytes
/// of a Lambda request, which leaves 24 KB for the rest of the event.
pub const MAX_BODY: usize = 4_700_000;

/// The header that names the manager who registers an event.
pub const MANAGER_ID: &str = "x-api-managerid";

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

/// The named parts of the form in the body of a request.
///
/// # Errors
///
/// `MediaType`, `TooLarge` or `Form`, the first that holds.
pub async fn form<const N: usize>(request: Request, names: [&'static str; N]) -> Result<[Bytes; N], Error> {
    expect_media_type(&request, multipart::MEDIA_TYPE)?;
    expect_size(request.body())?;
    let content_type = content_type(&request).to_owned();
    let body = match request.into_body() {
        Body::Text(text) => Bytes::from(text),
        Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    };
    multipart::parts(&content_type, body, names).await
}

/// The id of the manager who makes a request.
///
/// # Errors
///
/// `NoManager` where the header is missing or no id.
pub fn manager(request: &Request) -> Result<Uuid, Error> {
    request
        .headers()
        .get(MANAGER_ID)
        .and_then(|value| id::parse(value.to_str().ok()?.trim()))
        .ok_or(Error::NoManager)
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
        .ok_or(Error::NoSuchEvent)
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
