//! Returns a live event with all its seats: `GET /api/v1/events/{eventId}/detail`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages,
    representation::Representation,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::events::event_store::Events;

use crate::{
    caller::Anyone,
    environment::Environment,
    events::{event_response::EventDetail, hall},
    operation::{Cache, Operation},
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Detail {
    events: Events,
}

/// Gets an event with its seats.
///
/// Returns the event with its seats and drawings, as its registration and later edits made it.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/detail",
    operation_id = "events-detail",
    params(("If-None-Match", Header)),
    responses((status = 200, description = "The event.", body = ref("EventDetail"))),
)]
pub fn operation() {}

impl Operation for Detail {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneSecond;
    const NEGOTIATES_ENCODING: bool = true;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        hall::respond(&self.events, &request, Representation::Detail, |event, seats, accepted| {
            envelope::ok_encoded(messages::EVENT_FOUND, &EventDetail::new(event, seats), accepted)
        })
        .await
    }
}
