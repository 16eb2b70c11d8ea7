//! Changes a show: `PATCH /api/v1/events/{eventId}/dates/{showId}`.

use api::{
    envelope::Response,
    error::Error,
    fields::{Errors, Field},
    if_match, messages, request,
};
use domain::{
    error::{Cause, Error as DomainError},
    event_change,
    show::{Notice, ShowChange, ShowStatus},
    violation::Violation,
};
use lambda_http::Request;
use serde::Deserialize;
use storage::event::Events;

use crate::{
    caller::EventManager,
    environment::Environment,
    events::change::{self, name_notice},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Edit {
    events: Events,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct EditShowRequest<'a> {
    #[serde(borrow)]
    status: Field<'a>,
    datetime: Field<'a>,
    notice: Field<'a>,
}

/// Calls off, postpones or moves a show.
///
/// The show keeps its id, its holds, and its sold and blocked seats. While it is `POSTPONED` or `CANCELLED`, no seat can be
/// held or bought; those that are sold stay sold until their orders are cancelled.
#[utoipa::path(
    patch,
    path = "/api/v1/events/{eventId}/dates/{showId}",
    operation_id = "shows-edit",
    params(("eventId", Path), ("showId", Path), ("If-Match", Header)),
    request_body(content(
        (ref("EditShowRequest") = "application/json"),
        (ref("EditShowRequest") = "application/merge-patch+json"),
    )),
    responses((status = 200, description = "The event as it is now.", body = ref("EventSummary"), headers(("ETag")))),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_008", "AM_001", "AM_002", "E_001", "E_002", "E_003"
    ]))),
)]
pub fn operation() {}

impl Operation for Edit {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        let (expected, fields) = if_match::edit::<EditShowRequest>(&request)?;
        let change = fields.change()?;
        let show = request::show_id(&request)?;
        let event = self.events.edit(show.event, scope, &expected, event_change::Edit::Show(show.show, &change)).await;
        change::edited(&event.map_err(|error| fields.name(error))?, messages::SHOW_EDITED)
    }
}

impl EditShowRequest<'_> {
    fn change(&self) -> Result<ShowChange, Error> {
        let mut errors = Errors::default();
        let status =
            |name: &str| ShowStatus::from_name(name).ok_or_else(|| vec![Violation::NotOneOf(ShowStatus::NAMES)]);
        let change = ShowChange {
            status: self.status.present().and_then(|field| errors.text("status", field, status)),
            instant: self.datetime.present().and_then(|field| errors.instant("datetime", field)),
            notice: errors.text_patch("notice", self.notice, Notice::parse),
        };
        if errors.is_empty() { Ok(change) } else { Err(errors.into_error()) }
    }

    /// Turns an error about a field of the request into one that names it.
    fn name(&self, error: DomainError) -> Error {
        if !matches!(error, DomainError::ShowTimeTaken) {
            return name_notice(error, self.notice);
        }
        let mut errors = Errors::default();
        errors.add("datetime", self.datetime, Violation::ShowTimeTaken);
        errors.into_error()
    }
}
