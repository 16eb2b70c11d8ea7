//! Edits an event, live or a draft: `PATCH /api/v1/events/{eventId}`.

use api::{envelope::Response, error::Error, if_match, messages, request};
use domain::{error::Cause, event_change};
use lambda_http::Request;
use storage::event::Events;

use crate::{
    caller::EventManager,
    environment::Environment,
    events::change::{self, EditEventRequest},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Edit {
    events: Events,
}

/// Edits an event.
///
/// Replaces the fields in the body, with the rules of a registration; the other fields stay. `eventDatetimes` replaces
/// the list of shows: a show whose time was in the old list keeps its id, any other gets a new id. A show with taken
/// seats cannot be removed. Areas and seats never change.
#[utoipa::path(
    patch,
    path = "/api/v1/events/{eventId}",
    operation_id = "events-edit",
    params(("eventId", Path), ("If-Match", Header)),
    request_body(content(
        (ref("EditRequest") = "application/json"),
        (ref("EditRequest") = "application/merge-patch+json"),
    )),
    responses((status = 200, description = "The event as it is now.", body = ref("EventSummary"), headers(("ETag")))),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_008", "AM_001", "AM_002", "E_001", "E_002", "E_003", "E_004"
    ]))),
)]
pub fn operation() {}

impl Operation for Edit {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        let (expected, fields) = if_match::edit::<EditEventRequest>(&request)?;
        let change = change::change(&fields)?;
        let edit = event_change::Edit::Fields(&change);
        let event = self.events.edit(request::event_id(&request)?, scope, &expected, edit).await;
        change::edited(&event.map_err(|error| change::name_shows(error, &fields))?, messages::EVENT_EDITED)
    }
}
