//! Makes a gate of a show: `POST /api/v1/events/{eventId}/dates/{showId}/gates`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::gate_token::NewGateSecret;
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::door::Door;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    gates::gate::{GateRequest, NewGateResponse},
    operation::Operation,
};

/// Endpoint with its store.
#[derive(Debug)]
pub struct Create {
    door: Door,
}

/// Makes a gate.
///
/// The owner of the event may. Its token can admit people to this show, and nothing else, until 72 hours after the
/// show, or until the gate is removed. The response is the only one with the token. A show has at most 50 gates
/// (`G_002`).
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/gates",
    operation_id = "gates-create",
    params(("x-api-managerId", Header)),
    request_body = ref("GateRequest"),
    responses((status = 201, description = "The gate, with its token.", body = ref("NewGate"))),
    extensions(("x-failures" = json!(["G_002"]))),
)]
pub fn operation() {}

impl Operation for Create {
    // Where managers are not verified, their id is needed, too.
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { door: Door::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, (_, EventManager(scope)): Self::Caller, request: Request) -> Result<Response, Error> {
        let name = request::json::<GateRequest>(&request)?.name()?;
        let (show, secret) = (request::show_id(&request)?, NewGateSecret::generate()?);
        let gate = self.door.add_gate(show, scope, &name, secret.hash).await?;
        let location = format!("/api/v1/events/{}/dates/{}/gates/{}", show.event, show.show, gate.id);
        envelope::created(&location, messages::GATE_CREATED, &NewGateResponse::new(&gate, &secret.token(gate.id)))
    }
}
