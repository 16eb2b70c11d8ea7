//! Edits a live event: `PATCH /api/v1/events/{eventId}`.

use api::{
    edit::{self, EditRequest},
    envelope::Response,
    error::Error,
    manager, request,
    serve::Handler,
};
use lambda_http::Request;
use storage::event::Events;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Edit {
    events: Events,
}

impl Edit {
    /// Builds the endpoint on the events; verified managers edit only their own events.
    #[must_use]
    pub fn new(events: Events) -> Self {
        Self { events }
    }
}

/// Edits an event.
///
/// Replaces the fields that the body has, as at a registration; the other fields stay. A show at a time that it had
/// just before keeps its id; any other show gets a new id. Areas and seats never change. A show of which a seat is
/// taken cannot be removed.
#[utoipa::path(
    patch,
    path = "/api/v1/events/{eventId}",
    operation_id = "events-edit",
    params(("eventId", Path), ("If-Match", Header)),
    request_body(content(
        (ref("EditRequest") = "application/json"),
        (ref("EditRequest") = "application/merge-patch+json"),
    )),
    security((), ("manager" = [])),
    responses((status = 200, description = "The event as it is now.", body = ref("EventSummary"), headers(("ETag")))),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_008", "AM_001", "AM_002", "E_001", "E_002", "E_003", "E_004"
    ]))),
)]
pub fn operation() {}

impl Handler for Edit {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let owner = manager::owner(&request)?;
        let (expected, fields) = request::edit::<EditRequest>(&request)?;
        let change = edit::change(&fields)?;
        let event = self.events.edit(request::event_id(&request)?, owner, expected.as_deref(), &change).await?;
        edit::edited(&event)
    }
}
