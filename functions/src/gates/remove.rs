//! Removes a gate of a show: `DELETE /api/v1/events/{eventId}/dates/{showId}/gates/{gateId}`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::door::Door;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    operation::Operation,
};

/// Endpoint with its store.
#[derive(Debug)]
pub struct Remove {
    door: Door,
}

/// Removes a gate.
///
/// The owner of the event may. Its token is unusable at once; those whom it admitted stay admitted.
#[utoipa::path(
    delete,
    path = "/api/v1/events/{eventId}/dates/{showId}/gates/{gateId}",
    operation_id = "gates-remove",
    params(("x-api-managerId", Header)),
    responses((status = 204, description = "The gate is removed. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["G_003"]))),
)]
pub fn operation() {}

impl Operation for Remove {
    // Where managers are not verified, their id is needed, too.
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { door: Door::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, (_, EventManager(scope)): Self::Caller, request: Request) -> Result<Response, Error> {
        self.door.remove_gate(request::show_id(&request)?, scope, request::gate_id(&request)).await?;
        Ok(envelope::no_content(messages::GATE_REMOVED))
    }
}
