//! Paging of lists.

use domain::{cursor::CursorKey, violation::Violation};
use lambda_http::{Request, RequestExt as _, aws_lambda_events::query_map::QueryMap};
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

/// Query parameters of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters<'a>(Option<&'a QueryMap>);

impl<'a> Parameters<'a> {
    pub(crate) fn from_request(request: &'a Request) -> Self {
        Self(request.query_string_parameters_ref())
    }

    /// Returns the first value of a parameter.
    pub(crate) fn first(self, name: &str) -> Option<&'a str> {
        self.0?.first(name)
    }
}

/// Reads the page from the query parameters of a request.
///
/// # Errors
///
/// Returns `Parameters` if `limit` or `cursor` is invalid.
pub fn from_request(request: &Request, key: &CursorKey) -> Result<PageRequest, Error> {
    let parameters = Parameters::from_request(request);
    let mut errors = Errors::default();
    let mut page = PageRequest { limit: limit(&mut errors, parameters), after: None };
    if let Some(text) = parameters.first("cursor") {
        page.after = key.verify(text);
        if page.after.is_none() {
            errors.add_value("cursor", text, Violation::InvalidCursor);
        }
    }
    errors.into_parameters().map(|()| page)
}

/// Reads the maximum number of events.
pub(crate) fn limit(errors: &mut Errors, parameters: Parameters) -> usize {
    let Some(text) = parameters.first("limit") else { return MAX_PAGE };
    match text.parse() {
        Ok(limit @ 1..=MAX_PAGE) if text.bytes().all(|byte| byte.is_ascii_digit()) => limit,
        _ => {
            errors.add_value("limit", text, Violation::OutOfRange(1..=100));
            MAX_PAGE
        }
    }
}

/// Returns the path and query of the page after a cursor; `criteria` are further parameters, each after `&`.
#[must_use]
pub fn next(limit: usize, criteria: &str, cursor: &str) -> String {
    format!("/api/v1/events?limit={limit}{criteria}&cursor={cursor}")
}
