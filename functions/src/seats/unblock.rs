//! Frees blocked seats of a show: `POST /api/v1/events/{eventId}/dates/{showId}/blocks/removal`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use schemars::JsonSchema;
use serde::Serialize;
use storage::seats::blocks::Blocks;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    operation::Operation,
    seats::{
        block_request::{BlockedSeats, UnblockRequest},
        seat_ids::name_seats,
    },
};

/// Path of the operation.
pub const PATH: &str = "/api/v1/events/{eventId}/dates/{showId}/blocks/removal";

/// Number of freed seats.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Freed")]
pub struct FreedResponse {
    /// Seats that were blocked, and are free now.
    pub free: usize,
}

/// Endpoint with its store.
#[derive(Debug)]
pub struct Unblock {
    blocks: Blocks,
}

/// Frees blocked seats.
///
/// Seats that are not blocked stay as they are. With `label`, all seats become free that are blocked with it.
#[utoipa::path(
    post,
    path = PATH,
    operation_id = "seats-unblock",
    params(("x-api-managerId", Header)),
    request_body = ref("UnblockRequest"),
    responses((status = 200, description = "None of the seats is blocked.", body = ref("Freed"))),
)]
pub fn operation() {}

impl Operation for Unblock {
    // Where managers are not verified, their id is needed, too.
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { blocks: Blocks::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, (_, EventManager(scope)): Self::Caller, request: Request) -> Result<Response, Error> {
        let seats = request::json::<UnblockRequest>(&request)?.seats()?;
        let show = request::show_id(&request)?;
        let free = match seats {
            BlockedSeats::These(ids) => {
                let freed = self.blocks.remove(show, scope, &ids).await;
                freed.map_err(|error| name_seats(error, &ids))?
            }
            BlockedSeats::Labelled(label) => self.blocks.remove_label(show, scope, &label).await?,
        };
        envelope::ok(messages::SEATS_FREED, &FreedResponse { free })
    }
}
