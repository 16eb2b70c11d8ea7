//! Cancels the shows of an event: `POST /api/v1/events/{eventId}/cancellation`.

use api::{
    envelope::Response,
    error::Error,
    fields::{Errors, Field, OrBlank},
    if_match, messages, request,
};
use domain::{error::Cause, event_change::Edit, show::Notice};
use lambda_http::Request;
use schemars::JsonSchema;
use serde::Deserialize;
use storage::events::event_store::Events;

use crate::{
    caller::EventManager,
    environment::Environment,
    events::change::{self, name_notice},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Cancel {
    events: Events,
}

/// Cancellation of the shows of an event.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "EventCancellation")]
pub struct CancelEventRequest<'a> {
    /// Text for visitors, which may have several lines.
    #[serde(borrow)]
    notice: Field<'a, OrBlank<Notice>>,
}

/// Cancels the shows of an event.
///
/// Every show that has not begun becomes `CANCELLED`, all of them or none, and gets the notice. Without one, notices stay;
/// null or a blank one removes them. No seat can be held or bought any more; those that are sold stay sold until their orders
/// are cancelled. The body may be empty.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/cancellation",
    operation_id = "events-cancel",
    params(("If-Match", Header)),
    request_body(content(
        (ref("EventCancellation") = "application/json"),
        (ref("EventCancellation") = "application/merge-patch+json"),
    )),
    responses((status = 200, description = "The event as it is now.", body = ref("EventSummary"))),
)]
pub fn operation() {}

impl Operation for Cancel {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        let (expected, fields) = if_match::edit_or_empty::<CancelEventRequest>(&request)?;
        let mut errors = Errors::default();
        let notice = errors.text_patch("notice", fields.notice, Notice::parse);
        if !errors.is_empty() {
            return Err(errors.into_error());
        }
        let edit = Edit::Cancellation(&notice);
        let event = self.events.edit(request::event_id(&request)?, scope, &expected, edit).await;
        change::edited(&event.map_err(|error| name_notice(error, fields.notice))?, messages::EVENT_CANCELLED)
    }
}
