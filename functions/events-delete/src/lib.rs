//! Deletes a live event: `DELETE /api/v1/events/{eventId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    manager, messages, request,
    serve::Handler,
};
use lambda_http::Request;
use storage::event::Events;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Delete {
    events: Events,
}

impl Delete {
    /// Builds the endpoint on the events; verified managers delete only their own events.
    #[must_use]
    pub fn new(events: Events) -> Self {
        Self { events }
    }
}

/// Deletes an event.
///
/// Its title, place and show times may be registered again at once. A second deletion returns `E_002`. For 30 days the
/// event can be restored. An event cannot be deleted while a seat is taken of a show that has not begun a day ago.
#[utoipa::path(
    delete,
    path = "/api/v1/events/{eventId}",
    operation_id = "events-delete",
    params(("eventId", Path)),
    security((), ("manager" = [])),
    responses((status = 204, description = "The event is deleted. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["C_008", "AM_001", "AM_002", "E_002", "E_004"]))),
)]
pub fn operation() {}

impl Handler for Delete {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let owner = manager::owner(&request)?;
        self.events.delete(request::event_id(&request)?, owner).await?;
        Ok(envelope::no_content(messages::EVENT_DELETED))
    }
}
