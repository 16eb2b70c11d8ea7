//! Blocks seats of a show: `POST /api/v1/events/{eventId}/dates/{showId}/blocks`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::Errors,
    messages, request,
};
use domain::{
    error::{Cause, Error as DomainError},
    violation::Violation,
};
use lambda_http::Request;
use schemars::JsonSchema;
use serde::Serialize;
use storage::seats::blocks::Blocks;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    operation::Operation,
    seats::{block_request::BlockRequest, seat_ids::name_seats},
};

/// Number of blocked seats.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Blocked")]
pub struct BlockedResponse {
    /// Seats of the request, which are all blocked now.
    pub blocked: usize,
}

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Block {
    blocks: Blocks,
}

/// Blocks seats.
///
/// All seats or none, also before ticketing opens. Seats that are blocked already stay blocked, and get the label if
/// there is one. A show has at most 100 different labels (`C_001` at `label`). Seats in more than 98 groups of 64
/// neighbours are too scattered (`C_001` at `seatIds`): block them by area.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/blocks",
    operation_id = "seats-block",
    params(("x-api-managerId", Header)),
    request_body = ref("BlockRequest"),
    responses((status = 200, description = "The seats are blocked.", body = ref("Blocked"))),
    extensions(("x-failures" = json!(["H_001"]))),
)]
pub fn operation() {}

impl Operation for Block {
    // Where managers are not verified, their id is needed, too.
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { blocks: Blocks::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, (_, EventManager(scope)): Self::Caller, request: Request) -> Result<Response, Error> {
        let (seats, label) = request::json::<BlockRequest>(&request)?.seats()?;
        let blocked = self.blocks.add(request::show_id(&request)?, scope, &seats, label.as_ref()).await;
        blocked.map_err(|error| match (error, &label) {
            (DomainError::TooManyLabels(max), Some(label)) => {
                let mut errors = Errors::default();
                errors.add_value("label", label.as_str(), Violation::TooManyLabels(max));
                errors.into_error()
            }
            (error, _) => name_seats(error, &seats),
        })?;
        envelope::ok(messages::SEATS_BLOCKED, &BlockedResponse { blocked: seats.len() })
    }
}
