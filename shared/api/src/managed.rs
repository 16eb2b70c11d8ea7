//! List of a manager's own events on the wire.

use domain::{cursor::CursorKey, event::StatusFilter, violation::Violation};
use lambda_http::Request;
use uuid::Uuid;

use crate::{
    error::Error,
    fields::Errors,
    page::{self, Parameters},
};

/// Names of the filters in the query.
pub const FILTERS: [&str; 3] = ["live", "deleted", "all"];

/// Requested page of a manager's events.
#[derive(Debug, PartialEq, Eq)]
pub struct ManagedPageRequest {
    /// Statuses of the events.
    pub filter: StatusFilter,
    /// Maximum number of events, from 1 to 100.
    pub limit: usize,
    /// Event after which the page begins; the first page if `None`.
    pub after: Option<Uuid>,
    /// Manager and filter, to which cursors belong.
    list: String,
}

impl ManagedPageRequest {
    /// Reads the page from the query parameters of a manager's request.
    ///
    /// # Errors
    ///
    /// Returns `Parameters` if `status`, `limit` or `cursor` is invalid, or if the cursor belongs to another list.
    pub fn from_request(request: &Request, manager: Uuid, key: &CursorKey) -> Result<Self, Error> {
        let parameters = Parameters::from_request(request);
        let mut errors = Errors::default();
        let filter = match parameters.first("status") {
            None => Some(StatusFilter::Live),
            Some(text) => parse_filter(text).or_else(|| {
                errors.add_value("status", text, Violation::NotOneOf(&FILTERS));
                None
            }),
        };
        let limit = page::limit(&mut errors, parameters);
        let list = format!("managers/{manager}/events?status={}", filter.map_or("", filter_name));
        let mut after = None;
        // If the filter is invalid, it is unknown to which list the cursor belongs.
        if let (Some(_), Some(text)) = (filter, parameters.first("cursor")) {
            let position = key.verify_position(&list, text);
            after = position.and_then(|position| Uuid::from_slice(&position).ok());
            if after.is_none() {
                errors.add_value("cursor", text, Violation::InvalidCursor);
            }
        }
        errors.into_parameters()?;
        Ok(Self { filter: filter.unwrap_or(StatusFilter::Live), limit, after, list })
    }

    /// Returns the path of the page after an event.
    #[must_use]
    pub fn next(&self, last: Uuid, key: &CursorKey) -> String {
        let cursor = key.sign_position(&self.list, last.as_bytes());
        let filter = filter_name(self.filter);
        format!("/api/v1/managers/me/events?status={filter}&limit={}&cursor={cursor}", self.limit)
    }
}

fn parse_filter(text: &str) -> Option<StatusFilter> {
    [StatusFilter::Live, StatusFilter::Deleted, StatusFilter::All]
        .into_iter()
        .find(|filter| filter_name(*filter) == text)
}

fn filter_name(filter: StatusFilter) -> &'static str {
    let [live, deleted, all] = FILTERS;
    match filter {
        StatusFilter::Live => live,
        StatusFilter::Deleted => deleted,
        StatusFilter::All => all,
    }
}
