//! Returns a live event without its seats: `GET /api/v1/events/{eventId}`.

use api::{
    conditional::IfNoneMatch,
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    messages,
    representation::Representation,
    request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::events::event_store::Events;

use crate::{
    caller::Anyone,
    environment::Environment,
    events::event_response::EventSummary,
    operation::{Cache, Operation},
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Get {
    events: Events,
}

/// Gets an event.
///
/// Returns the event with the same fields as in the list.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}",
    operation_id = "events-get",
    params(("If-None-Match", Header)),
    responses((status = 200, description = "The event.", body = ref("EventSummary"))),
)]
pub fn operation() {}

impl Operation for Get {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneSecond;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        let event = self.events.get(request::event_id(&request)?).await?;
        let response = envelope::ok(messages::EVENT_FOUND, &EventSummary::from(&event))?;
        let etag = Representation::Summary.etag(&event, ContentEncoding::Identity);
        Ok(IfNoneMatch::from_request(&request).tag(response, etag))
    }
}
