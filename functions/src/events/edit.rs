//! Edits an event, live or a draft: `PATCH /api/v1/events/{eventId}`.

use api::{envelope::Response, error::Error, if_match, messages, request};
use domain::{error::Cause, event_change, notice::Telling};
use lambda_http::Request;
use storage::events::event_store::Events;

use crate::{
    caller::EventManager,
    environment::Environment,
    events::edit_request::{EditEventRequest, edited_event, error_at_shows},
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
///
/// - Null removes `genre`, `ageRating`, `runningMinutes`, `address`, `ticketingCloseMinutes` or `maxSeats`; for any
///   other field it is an error. `id`, `thumbnail`, `totalMap` and `areas` are rejected even if unchanged, so send only
///   what changes.
/// - With the `ETag` of `GET /api/v1/events/{eventId}` (not of the detail) in `If-Match`, an edit overwrites no
///   other: if the event has changed, the response is 412 `E_003`. Then read it again, after a second if a cache may
///   have it. The response to an edit has the new `ETag`. A weak tag (`W/"…"`) never matches, `*` always does.
/// - `published: false` hides an event, which then is a draft: `E_002` for everyone but its manager, except
///   that an order service can cancel what it sold. An event with held, sold or blocked seats cannot be hidden
///   (`E_004`), unless the show began more than a day ago.
#[utoipa::path(
    patch,
    path = "/api/v1/events/{eventId}",
    operation_id = "events-edit",
    params(("If-Match", Header)),
    request_body(content(
        (ref("EditRequest") = "application/json"),
        (ref("EditRequest") = "application/merge-patch+json"),
    )),
    responses((status = 200, description = "The event as it is now.", body = ref("EventSummary"))),
    extensions(("x-failures" = json!(["E_001", "E_004"]))),
)]
pub fn operation() {}

impl Operation for Edit {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        let (expected, fields) = if_match::precondition_and_body::<EditEventRequest>(&request)?;
        let patch = fields.patch()?;
        let edit = event_change::Edit::Fields(&patch);
        let event = self.events.edit(request::event_id(&request)?, scope, &expected, edit, Telling::Nobody).await;
        edited_event(&event.map_err(|error| error_at_shows(error, &fields))?, messages::EVENT_EDITED)
    }
}
