//! Restores a deleted event: `POST /api/v1/events/{eventId}/restore`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::events::event_store::Events;

use crate::{
    caller::EventManager, environment::Environment, events::event_response::EventSummary, operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Restore {
    events: Events,
}

/// Restores a deleted event.
///
/// Restores it with its seats and its poster, in the 30 days after its deletion. An event that is live stays as it is.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/restore",
    operation_id = "events-restore",
    responses((status = 200, description = "The event is live.", body = ref("EventSummary"))),
    extensions(("x-failures" = json!(["E_001"]))),
)]
pub fn operation() {}

impl Operation for Restore {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        let event = self.events.restore(request::event_id(&request)?, scope).await?;
        envelope::ok(messages::EVENT_RESTORED, &EventSummary::from(&event))
    }
}
