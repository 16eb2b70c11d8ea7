//! Deletes a live event: `DELETE /api/v1/events/{eventId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::event::Events;

use crate::{caller::EventManager, environment::Environment, operation::Operation};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Delete {
    events: Events,
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
    responses((status = 204, description = "The event is deleted. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["C_008", "AM_001", "AM_002", "E_002", "E_004"]))),
)]
pub fn operation() {}

impl Operation for Delete {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?).with_clock(environment.clock()) })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        self.events.delete(request::event_id(&request)?, scope).await?;
        Ok(envelope::no_content(messages::EVENT_DELETED))
    }
}
