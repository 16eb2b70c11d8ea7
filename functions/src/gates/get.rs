//! Returns a gate with its show to those who stand there:
//! `GET /api/v1/events/{eventId}/dates/{showId}/gates/{gateId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::{Cause, Error as DomainError};
use lambda_http::Request;
use storage::seats::door::Door;

use crate::{caller::AtGate, environment::Environment, gates::gate::GateOfShow, operation::Operation};

/// Endpoint with its store.
#[derive(Debug)]
pub struct Get {
    door: Door,
}

/// Gets a gate with its show.
///
/// With the token of this gate. `sold` and `admitted` are those of the whole show.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/gates/{gateId}",
    operation_id = "gates-get",
    responses((status = 200, description = "The gate.", body = ref("GateOfShow"))),
)]
pub fn operation() {}

impl Operation for Get {
    type Caller = AtGate;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { door: Door::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, AtGate(open): AtGate, request: Request) -> Result<Response, Error> {
        let gate = open.gate();
        if request::gate_id(&request) != gate.id {
            return Err(DomainError::InvalidGateToken.into());
        }
        let seats = self.door.sold_seats(&open.show).await?;
        let response = GateOfShow::new(gate, &open.show.event, &open.show.show, &seats);
        envelope::ok(messages::GATE_FOUND, &response)
    }
}
