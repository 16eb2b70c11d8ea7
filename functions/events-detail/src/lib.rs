//! Returns a live event with all its seats: `GET /api/v1/events/{eventId}/detail`.

use api::{
    conditional::{self, IfNoneMatch},
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    event::EventDetail,
    messages,
    representation::Representation,
    request,
    serve::Handler,
};
use lambda_http::Request;
use storage::{event::Events, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Detail {
    events: Events,
}

impl Detail {
    /// Builds the endpoint on a table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { events: Events::new(table) }
    }
}

/// Gets an event with its seats.
///
/// Returns the event with its seats and drawings, as its registration and later edits made it.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/detail",
    operation_id = "events-detail",
    params(("eventId", Path), ("If-None-Match", Header)),
    responses((
        status = 200,
        description = "The event.",
        body = ref("EventDetail"),
        headers(("ETag"), ("Content-Encoding")),
    )),
    extensions(("x-failures" = json!(["C_005", "C_008", "E_002"]))),
)]
pub fn operation() {}

impl Handler for Detail {
    const NEGOTIATES_ENCODING: bool = true;

    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let id = request::event_id(&request)?;
        let if_none_match = IfNoneMatch::from_request(&request);
        if if_none_match.is_present() {
            let etags = Representation::Detail.etags(&self.events.get(id).await?);
            if let Some(etag) = if_none_match.find(etags) {
                return Ok(conditional::not_modified(etag));
            }
        }
        let (event, seats) = self.events.get_with_seats(id).await?;
        let accepted = ContentEncoding::accepted_by(&request);
        let response = envelope::ok_encoded(messages::EVENT_FOUND, &EventDetail::new(&event, &seats), accepted)?;
        let etag = Representation::Detail.etag(&event, ContentEncoding::of(&response));
        Ok(if_none_match.cacheable_as(response, etag))
    }
}
