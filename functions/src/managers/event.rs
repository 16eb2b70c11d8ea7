//! Returns an event of the manager who asks, also a draft: `GET /api/v1/managers/me/events/{eventId}`.

use api::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    messages,
    representation::Representation,
    request,
};
use domain::error::Cause;
use headers::HeaderMapExt as _;
use lambda_http::Request;
use storage::events::event_store::Events;

use crate::{
    caller::Manager,
    environment::Environment,
    events::event_response::{EventDetail, ManagedEvent},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct OwnEvent {
    events: Events,
}

/// Gets an event of a manager with its seats.
///
/// Returns the event for the manager who registered it, also if it is a draft, or deleted and can be restored. `ETag`
/// is that of the event without its seats, for `If-Match`. The response is not cached.
///
/// - `restorableUntil` is only in deleted events.
#[utoipa::path(
    get,
    path = "/api/v1/managers/me/events/{eventId}",
    operation_id = "managers-event",
    params(("x-api-managerId", Header)),
    responses((status = 200, description = "The event.", body = ref("ManagedEventDetail"), headers(("ETag")))),
)]
pub fn operation() {}

impl Operation for OwnEvent {
    type Caller = Manager;

    const NEGOTIATES_ENCODING: bool = true;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, Manager(manager): Manager, request: Request) -> Result<Response, Error> {
        let (event, seats) = self.events.get_managed(request::event_id(&request)?, manager).await?;
        let detail = ManagedEvent::new(EventDetail::new(&event, &seats), &event);
        let accepted = ContentEncoding::accepted_by(&request);
        let mut response = envelope::ok_encoded(messages::EVENT_FOUND, &detail, accepted)?;
        let etag = Representation::Summary.etag(&event, ContentEncoding::Identity);
        response.headers_mut().typed_insert(etag);
        Ok(response)
    }
}
