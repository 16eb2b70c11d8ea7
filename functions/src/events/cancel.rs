//! Cancels the shows of an event: `POST /api/v1/events/{eventId}/cancellation`.

use api::{
    envelope::Response,
    error::Error,
    fields::{Errors, Field, Optional, OrBlank},
    if_match, messages, request,
};
use domain::{error::Cause, event_change::Edit, notice::Telling, show::Notice};
use lambda_http::Request;
use schemars::JsonSchema;
use serde::Deserialize;
use storage::events::event_store::Events;

use crate::{
    caller::EventManager,
    environment::Environment,
    events::edit_request::{edited_event, error_at_notice, read_notify_buyers},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Cancel {
    events: Events,
    sends_mail: bool,
}

/// Cancellation of the shows of an event.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(rename = "EventCancellation")]
pub struct CancelEventRequest<'a> {
    /// Text for visitors, which may have several lines.
    #[serde(borrow)]
    notice: Field<'a, OrBlank<Notice>>,
    /// True if each member with a sold seat of a cancelled show gets a mail for the show.
    notify_buyers: Field<'a, Optional<bool>>,
}

/// Cancels the shows of an event.
///
/// Every show that has not begun becomes `CANCELLED`, all of them or none, and gets the notice. Without one, notices
/// stay; null or a blank one removes them. No seat can be held or bought any more; those that are sold stay sold until
/// their orders are cancelled. The body may be empty. With `notifyBuyers`, the buyers of the changed shows [are
/// told](#sends-buyers-a-message), as by an edit of a show.
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
    extensions(("x-failures" = json!(["AP_003", "N_001"]))),
)]
pub fn operation() {}

impl Operation for Cancel {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let sends_mail = environment.sends_mail();
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()), sends_mail })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        let (expected, fields) = if_match::precondition_and_optional_body::<CancelEventRequest>(&request)?;
        let mut errors = Errors::default();
        let notice = errors.text_patch("notice", fields.notice, Notice::parse);
        let notify_buyers = read_notify_buyers(&mut errors, fields.notify_buyers);
        if !errors.is_empty() {
            return Err(errors.into_error());
        }
        let (edit, telling) = (Edit::Cancellation(&notice), Telling::new(notify_buyers, self.sends_mail));
        let event = self.events.edit(request::event_id(&request)?, scope, &expected, edit, telling).await;
        edited_event(&event.map_err(|error| error_at_notice(error, fields.notice))?, messages::EVENT_CANCELLED)
    }
}
