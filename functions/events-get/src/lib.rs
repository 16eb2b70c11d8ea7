//! Returns a live event without its seats: `GET /api/v1/events/{eventId}`.

use api::{
    conditional::IfNoneMatch,
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    event::EventSummary,
    messages,
    representation::Representation,
    request,
    serve::Handler,
};
use lambda_http::Request;
use storage::{event::Events, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Get {
    events: Events,
}

impl Get {
    /// Builds the endpoint on a table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { events: Events::new(table) }
    }
}

/// Gets an event.
///
/// Returns the event with the same fields as in the list.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}",
    operation_id = "events-get",
    params(("eventId", Path), ("If-None-Match", Header)),
    responses((status = 200, description = "The event.", body = ref("EventSummary"), headers(("ETag")))),
    extensions(("x-failures" = json!(["C_008", "E_002"]))),
)]
pub fn operation() {}

impl Handler for Get {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let event = self.events.get(request::event_id(&request)?).await?;
        let response = envelope::ok(messages::EVENT_FOUND, &EventSummary::from(&event))?;
        let etag = Representation::Summary.etag(&event, ContentEncoding::Identity);
        Ok(IfNoneMatch::from_request(&request).cacheable_as(response, etag))
    }
}
