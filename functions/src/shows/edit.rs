//! Changes a show: `PATCH /api/v1/events/{eventId}/dates/{showId}`.

use api::{
    envelope::Response,
    error::Error,
    fields::{Errors, Field, Optional, OrBlank},
    if_match, messages, request,
};
use domain::{
    error::{Cause, Error as DomainError},
    event_change,
    instant::Instant,
    notice::Telling,
    show::{Notice, ShowPatch, ShowStatus},
    violation::Violation,
};
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
pub struct Edit {
    events: Events,
    sends_mail: bool,
}

/// Changes of a show.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct EditShowRequest<'a> {
    #[serde(borrow)]
    status: Field<'a, Optional<ShowStatus>>,
    datetime: Field<'a, Optional<Instant>>,
    /// Text for visitors, which may have several lines.
    notice: Field<'a, OrBlank<Notice>>,
    /// True if each member with a sold seat of the show gets a mail that tells the change.
    notify_buyers: Field<'a, Optional<bool>>,
}

/// Calls off, postpones or moves a show.
///
/// The show keeps its id, its holds, and its sold and blocked seats. While it is `POSTPONED` or `CANCELLED`, no seat
/// can be held or bought; those that are sold stay sold until their orders are cancelled.
///
/// - A moved show keeps its id, so this moves a show of which seats are taken. A time of another show of the event is
///   `C_001` at `datetime`. A new time alone leaves the status. Null or a blank text removes the notice.
/// - While a show is `POSTPONED` or `CANCELLED`, a confirmation of a hold is `H_004`: give the money back. Sold seats
///   stay sold, until each order is cancelled, and blocks work.
/// - With `notifyBuyers`, buyers get [a notice](#sends-buyers-a-message) of the change in place of an earlier one that
///   is still being sent; nobody, if nothing changes. A show has at most 10 such changes in 24 hours (`N_001`): then
///   nothing is changed.
#[utoipa::path(
    patch,
    path = "/api/v1/events/{eventId}/dates/{showId}",
    operation_id = "shows-edit",
    params(("If-Match", Header)),
    request_body(content(
        (ref("EditShowRequest") = "application/json"),
        (ref("EditShowRequest") = "application/merge-patch+json"),
    )),
    responses((status = 200, description = "The event as it is now.", body = ref("EventSummary"))),
    extensions(("x-failures" = json!(["AP_003", "E_001", "N_001"]))),
)]
pub fn operation() {}

impl Operation for Edit {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let sends_mail = environment.sends_mail();
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()), sends_mail })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        let (expected, fields) = if_match::precondition_and_body::<EditShowRequest>(&request)?;
        let (patch, notify_buyers) = fields.patch()?;
        let show = request::show_id(&request)?;
        let (edit, telling) =
            (event_change::Edit::Show(show.show, &patch), Telling::new(notify_buyers, self.sends_mail));
        let event = self.events.edit(show.event, scope, &expected, edit, telling).await;
        edited_event(&event.map_err(|error| fields.error_at_field(error))?, messages::SHOW_EDITED)
    }
}

impl EditShowRequest<'_> {
    /// Returns the patch of the show, and whether buyers are told.
    fn patch(&self) -> Result<(ShowPatch, bool), Error> {
        let mut errors = Errors::default();
        let status =
            |name: &str| ShowStatus::from_name(name).ok_or_else(|| vec![Violation::NotOneOf(ShowStatus::NAMES)]);
        let patch = ShowPatch {
            status: self.status.present().and_then(|field| errors.text("status", field, status)),
            instant: self.datetime.present().and_then(|field| errors.instant("datetime", field)),
            notice: errors.text_patch("notice", self.notice, Notice::parse),
        };
        let notify_buyers = read_notify_buyers(&mut errors, self.notify_buyers);
        if errors.is_empty() { Ok((patch, notify_buyers)) } else { Err(errors.into_error()) }
    }

    /// Turns an error about a field of the request into one that names it.
    fn error_at_field(&self, error: DomainError) -> Error {
        if !matches!(error, DomainError::ShowTimeTaken) {
            return error_at_notice(error, self.notice);
        }
        let mut errors = Errors::default();
        errors.add("datetime", self.datetime, Violation::ShowTimeTaken);
        errors.into_error()
    }
}
