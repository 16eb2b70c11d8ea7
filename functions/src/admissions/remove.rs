//! Takes an admission back: `POST /api/v1/events/{eventId}/dates/{showId}/admissions/removal`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::{Errors, Field},
    messages, request,
};
use domain::{
    error::{Cause, Error as DomainError},
    id,
    violation::Violation,
};
use lambda_http::Request;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storage::seats::door::Door;
use uuid::Uuid;

use crate::{caller::AtGate, environment::Environment, operation::Operation};

/// Body of a request to take an admission back.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct RemovalRequest<'a> {
    /// Seat whose present ticket was admitted.
    #[serde(borrow)]
    seat_id: Field<'a, Uuid>,
}

/// Result of a removal.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Removed")]
pub struct RemovedResponse {
    /// True if the ticket was admitted.
    pub removed: bool,
}

/// Endpoint with its store.
#[derive(Debug)]
pub struct Remove {
    door: Door,
}

/// Takes an admission back.
///
/// With the token of a gate: somebody went out, or the wrong person was scanned. The seat's present ticket can then be
/// admitted again. `removed` is false if it was not admitted.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/admissions/removal",
    operation_id = "admissions-remove",
    request_body = ref("RemovalRequest"),
    responses((status = 200, description = "The ticket is not admitted.", body = ref("Removed"))),
)]
pub fn operation() {}

impl Operation for Remove {
    type Caller = AtGate;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { door: Door::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, AtGate(gate): AtGate, request: Request) -> Result<Response, Error> {
        let RemovalRequest { seat_id } = request::json(&request)?;
        let mut errors = Errors::default();
        let seat = errors.text("seatId", seat_id, |text| Ok(text.to_owned()));
        let Some(text) = seat else { return Err(errors.into_error()) };
        let removed = match id::parse(&text) {
            Some(seat) => self.door.remove_admission(&gate, seat).await,
            None => Err(DomainError::NoSuchSeats(vec![0])),
        };
        match removed {
            Ok(removed) => envelope::ok(messages::ADMISSION_REMOVED, &RemovedResponse { removed }),
            Err(DomainError::NoSuchSeats(_)) => {
                errors.add_value("seatId", &text, Violation::NoSuchSeat);
                Err(errors.into_error())
            }
            Err(error) => Err(error.into()),
        }
    }
}
