//! Paging of lists.

use domain::{cursor::CursorKey, violation::Violation};
use lambda_http::{Request, RequestExt as _};
use uuid::Uuid;

use crate::{error::Error, fields::Errors};

/// Maximum and default number of events on a page of the list.
pub const MAX_PAGE: usize = 100;

/// Requested page of a list: its start and its maximum length.
#[derive(Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Maximum number of events, from 1 to 100.
    pub limit: usize,
    /// Event after which the page begins; the first page if `None`.
    pub after: Option<Uuid>,
}

/// Reads the page from the query parameters of a request.
///
/// # Errors
///
/// Returns `Parameters` if `limit` or `cursor` is invalid.
pub fn from_request(request: &Request, key: &CursorKey) -> Result<PageRequest, Error> {
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
            errors.add_value("cursor", text, Violation::InvalidCursor);
        }
    }
    errors.into_parameters().map(|()| page)
}
