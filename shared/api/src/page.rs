//! Paging of lists.

use domain::{cursor::CursorKey, violation::Violation};
use http::header::{HeaderValue, LINK};
use lambda_http::{Request, RequestExt as _};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use uuid::Uuid;

use crate::{envelope::Response, error::Error, fields::Errors};

/// Maximum and default number of events on a page of the list.
pub const MAX_PAGE: usize = 100;

/// Characters of a value that a query encodes (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Requested page of a list: its start and its maximum length.
#[derive(Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Maximum number of events, from 1 to 100.
    pub limit: usize,
    /// Event after which the page begins; the first page if `None`.
    pub after: Option<Uuid>,
}

impl PageRequest {
    /// Returns the path and query of the page after an event.
    #[must_use]
    pub fn next(&self, key: &CursorKey, last: Uuid) -> String {
        next("/api/v1/events", &[("limit", Some(self.limit.to_string())), ("cursor", Some(key.sign(last)))])
    }
}

/// Returns the first value of a query parameter.
pub fn parameter<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    request.query_string_parameters_ref()?.first(name)
}

/// Reads the page from the query parameters of a request.
///
/// # Errors
///
/// Returns `Parameters` if `limit` or `cursor` is invalid.
pub fn from_request(request: &Request, key: &CursorKey) -> Result<PageRequest, Error> {
    let mut errors = Errors::default();
    let limit = limit(&mut errors, request);
    let after = cursor(&mut errors, request, |text| key.verify(text));
    errors.into_parameters().map(|()| PageRequest { limit, after })
}

/// Reads the cursor, if any, as the position after which the page begins.
pub fn cursor<T>(errors: &mut Errors, request: &Request, verify: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    let text = parameter(request, "cursor")?;
    let position = verify(text);
    if position.is_none() {
        errors.add_value("cursor", text, Violation::InvalidCursor);
    }
    position
}

/// Reads the maximum number of events.
pub fn limit(errors: &mut Errors, request: &Request) -> usize {
    limit_up_to(errors, request, MAX_PAGE)
}

/// Reads the maximum number of entries, from 1 to `max`; 100 by default.
pub fn limit_up_to(errors: &mut Errors, request: &Request, max: usize) -> usize {
    let Some(text) = parameter(request, "limit") else { return MAX_PAGE };
    match text.parse() {
        Ok(limit) if (1..=max).contains(&limit) && text.bytes().all(|byte| byte.is_ascii_digit()) => limit,
        _ => {
            errors.add_value("limit", text, Violation::OutOfRange(1..=i64::try_from(max).unwrap_or(i64::MAX)));
            MAX_PAGE
        }
    }
}

/// Returns the path and query of the next page; its query has the parameters that have a value.
#[must_use]
pub fn next(path: &str, parameters: &[(&str, Option<String>)]) -> String {
    let present = parameters.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    let pairs = present.map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, RESERVED)));
    format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}

/// Adds a link to the next page (RFC 8288).
///
/// # Errors
///
/// Never: a query is percent-encoded.
pub fn add_link(response: &mut Response, next: &str) -> Result<(), Error> {
    let link = HeaderValue::from_str(&format!("<{next}>; rel=\"next\"")).map_err(Error::unexpected)?;
    response.headers_mut().insert(LINK, link);
    Ok(())
}
