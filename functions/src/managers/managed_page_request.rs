//! List of a manager's own events on the wire.

use domain::{cursor::CursorKey, event::StatusFilter, violation::Violation};
use lambda_http::Request;
use uuid::Uuid;

use api::{
    error::Error,
    fields::Errors,
    page::{self, parameter},
};

/// Names of the filters in the query.
pub const FILTERS: [&str; 4] = ["live", "draft", "deleted", "all"];

/// Requested page of a manager's events.
#[derive(Debug, PartialEq, Eq)]
pub struct ManagedPageRequest {
    /// Statuses of the events.
    pub filter: StatusFilter,
    /// Maximum number of events, from 1 to 100.
    pub limit: usize,
    /// Event after which the page begins; the first page if `None`.
    pub after: Option<Uuid>,
    /// Name of the filter.
    status: String,
    /// Manager and filter, to which cursors belong.
    list: String,
}

impl ManagedPageRequest {
    /// Reads the page from the query parameters of a manager's request.
    ///
    /// # Errors
    ///
    /// Returns `Parameters` if `status`, `limit` or `cursor` is invalid, or if the cursor belongs to another list.
    pub fn from_request(request: &Request, key: &CursorKey, manager: Uuid) -> Result<Self, Error> {
        let mut errors = Errors::default();
        let status = parameter(request, "status").unwrap_or("live");
        let filter = match status {
            "live" => StatusFilter::Live,
            "draft" => StatusFilter::Draft,
            "deleted" => StatusFilter::Deleted,
            "all" => StatusFilter::All,
            _ => {
                errors.add_value("status", status, Violation::NotOneOf(&FILTERS));
                StatusFilter::Live
            }
        };
        let is_status_valid = errors.is_empty();
        let limit = page::limit(&mut errors, request);
        let list = format!("managers/{manager}/events?status={status}");
        let verify = |text: &str| Uuid::from_slice(&key.verify_position(&list, text)?).ok();
        // If the status is invalid, it is unknown to which list the cursor belongs.
        let after = if is_status_valid { page::cursor(&mut errors, request, verify) } else { None };
        errors.into_parameters()?;
        Ok(Self { filter, limit, after, status: status.to_owned(), list })
    }

    /// Returns the path of the page after an event.
    #[must_use]
    pub fn next(&self, key: &CursorKey, last: Uuid) -> String {
        let parameters = [
            ("status", Some(self.status.clone())),
            ("limit", Some(self.limit.to_string())),
            ("cursor", Some(key.sign_position(&self.list, last.as_bytes()))),
        ];
        page::next("/api/v1/managers/me/events", &parameters)
    }
}
