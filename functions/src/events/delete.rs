//! Deletes an event, live or a draft: `DELETE /api/v1/events/{eventId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::events::event_store::Events;

use crate::{caller::EventManager, environment::Environment, operation::Operation};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Delete {
    events: Events,
}

/// Deletes an event.
///
/// Another event may have its title, place and show times at once. A second deletion returns `E_002`. The event can be
/// restored for 30 days. It cannot be deleted while seats are taken of a show that is still to come, or that began less
/// than a day ago.
#[utoipa::path(
    delete,
    path = "/api/v1/events/{eventId}",
    operation_id = "events-delete",
    responses((status = 204, description = "The event is deleted. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["E_004"]))),
)]
pub fn operation() {}

impl Operation for Delete {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        self.events.delete(request::event_id(&request)?, scope).await?;
        Ok(envelope::no_content(messages::EVENT_DELETED))
    }
}
