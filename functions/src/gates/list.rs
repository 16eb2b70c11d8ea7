//! Lists the gates of a show: `GET /api/v1/events/{eventId}/dates/{showId}/gates`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::{error::Cause, seats::admission::SoldSeat};
use lambda_http::Request;
use storage::seats::door::Door;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    gates::gate::GateResponse,
    operation::Operation,
};

/// Endpoint with its store.
#[derive(Debug)]
pub struct List {
    door: Door,
}

/// Lists gates.
///
/// The owner of the event may. Returns those that are not removed, in the order of creation, each with the number of
/// its admissions.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/gates",
    operation_id = "gates-list",
    params(("x-api-managerId", Header)),
    responses((status = 200, description = "The gates.", body = ref("Gates"))),
)]
pub fn operation() {}

impl Operation for List {
    // Where managers are not verified, their id is needed, too.
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { door: Door::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, (_, EventManager(scope)): Self::Caller, request: Request) -> Result<Response, Error> {
        let (gates, seats) = self.door.gates(request::show_id(&request)?, scope).await?;
        let admitted_by = |number| {
            let admissions = seats.values().filter_map(SoldSeat::admission);
            admissions.filter(|admission| admission.gate == number).count()
        };
        let gates: Vec<_> = gates.open().map(|(number, gate)| GateResponse::new(gate, admitted_by(number))).collect();
        envelope::ok(messages::GATES_LISTED, &gates)
    }
}
