//! Gates of a show on the wire.

use api::{
    error::Error,
    fields::{Errors, Field},
};
use auth::gate_token::MAX_CHARS;
use domain::{
    described,
    event::{Event, Place, Title},
    gate::{Gate, GateName},
    instant::Instant,
    seats::admission::SoldSeats,
    show::{Notice, Show, ShowStatus},
};
use schemars::JsonSchema;
use seating::seat_map::MAX_HALL_SEATS;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::events::event_response::OffStatus;

/// Body of a request to make a gate.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GateRequest<'a> {
    /// Name that tells the gates apart; names may repeat.
    #[serde(borrow)]
    name: Field<'a, GateName>,
}

impl GateRequest<'_> {
    /// Validates the name.
    ///
    /// # Errors
    ///
    /// Returns `Fields` if it is invalid.
    pub fn name(self) -> Result<GateName, Error> {
        let mut errors = Errors::default();
        let name = errors.text("name", self.name, GateName::parse);
        name.ok_or_else(|| errors.into_error())
    }
}

/// Token of a gate.
pub(crate) struct GateToken;

described!(GateToken as "GateToken", {
    "description": "Bearer token of the gate: it can admit people to the show, and nothing else. It is shown this once.",
    "type": "string",
    "maxLength": MAX_CHARS,
    "pattern": "^[A-Za-z0-9_.-]+$",
});

/// New gate with its token.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NewGate")]
pub struct NewGateResponse<'a> {
    id: Uuid,
    name: &'a GateName,
    #[schemars(with = "GateToken")]
    token: &'a str,
    #[schemars(with = "Instant")]
    created_at: Option<Instant>,
}

impl<'a> NewGateResponse<'a> {
    /// Combines a gate with the text of its token.
    #[must_use]
    pub fn new(gate: &'a Gate, token: &'a str) -> Self {
        Self { id: gate.id, name: &gate.name, token, created_at: Instant::from_milliseconds(gate.created) }
    }
}

/// Gate, as the manager of its event sees it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Gate")]
pub struct GateResponse<'a> {
    id: Uuid,
    name: &'a GateName,
    #[schemars(with = "Instant")]
    created_at: Option<Instant>,
    /// Number of its admissions whose seats are still sold to the same hold.
    #[schemars(range(max = MAX_HALL_SEATS))]
    admitted: usize,
}

impl<'a> GateResponse<'a> {
    /// Combines a gate with the number of its admissions.
    #[must_use]
    pub fn new(gate: &'a Gate, admitted: usize) -> Self {
        Self { id: gate.id, name: &gate.name, created_at: Instant::from_milliseconds(gate.created), admitted }
    }
}

/// Gate with its show, as those who stand there see it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "GateOfShow")]
pub struct GateOfShow<'a> {
    id: Uuid,
    name: &'a GateName,
    title: &'a Title,
    place: &'a Place,
    datetime: Instant,
    /// Number of sold seats of the show.
    #[schemars(range(max = MAX_HALL_SEATS))]
    sold: usize,
    /// Number of those whose tickets are admitted, at all gates.
    #[schemars(range(max = MAX_HALL_SEATS))]
    admitted: usize,
    /// Only while the show is off: nobody is admitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OffStatus>")]
    status: Option<&'static str>,
    /// Text for visitors, which may have several lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a Notice>,
}

impl<'a> GateOfShow<'a> {
    /// Combines a gate with its show and the sold seats.
    #[must_use]
    pub fn new(gate: &'a Gate, event: &'a Event, show: &'a Show, seats: &SoldSeats) -> Self {
        Self {
            id: gate.id,
            name: &gate.name,
            title: &event.details.title,
            place: &event.details.place,
            datetime: show.instant,
            sold: seats.len(),
            admitted: seats.values().filter(|seat| seat.is_admitted).count(),
            status: (show.status != ShowStatus::Scheduled).then(|| show.status.name()),
            notice: show.notice.as_ref(),
        }
    }
}
