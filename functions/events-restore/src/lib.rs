//! Restores a deleted event: `POST /api/v1/events/{eventId}/restore`.

use api::{
    envelope::{self, Response},
    error::Error,
    event::EventSummary,
    manager, messages, request,
    serve::Handler,
};
use lambda_http::Request;
use storage::{event::Events, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Restore {
    events: Events,
}

impl Restore {
    /// Builds the endpoint on a table; verified managers restore only their own events.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { events: Events::new(table) }
    }
}

/// Restores a deleted event.
///
/// Restores it with its seats and its poster, in the 30 days after its deletion. An event that is live stays as it is.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/restore",
    operation_id = "events-restore",
    params(("eventId", Path)),
    security((), ("manager" = [])),
    responses((status = 200, description = "The event is live.", body = ref("EventSummary"))),
    extensions(("x-failures" = json!(["C_008", "AM_001", "AM_002", "E_001", "E_002"]))),
)]
pub fn operation() {}

impl Handler for Restore {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let owner = manager::owner(&request)?;
        let event = self.events.restore(request::event_id(&request)?, owner).await?;
        envelope::ok(messages::EVENT_RESTORED, &EventSummary::from(&event))
    }
}
