//! Blocks seats of a show, and frees them again: `POST /api/v1/events/{eventId}/dates/{showId}/blocks`, and the same
//! path with `/removal`.

use api::{
    envelope::{self, Response},
    error::Error,
    hold::{BlockedResponse, FreedResponse, SeatsRequest, name_seats},
    manager, messages,
    proxy::Route,
    request,
    serve::Handler,
};
use domain::hold::MAX_BLOCKED_SEATS;
use lambda_http::Request;
use storage::blocks::Blocks;

/// End of the path on which seats are freed.
const REMOVAL: &str = "/removal";

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Block {
    blocks: Blocks,
}

impl Block {
    /// Builds the endpoint on the blocked seats; verified managers use it only for their own events.
    #[must_use]
    pub fn new(blocks: Blocks) -> Self {
        Self { blocks }
    }
}

/// Blocks seats.
///
/// All seats or none, also before ticketing opens. Seats that are blocked already stay blocked. Seats in more than 98
/// groups of 64 neighbours are too scattered (`C_001` at `seatIds`): block them by area.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/blocks",
    operation_id = "seats-block",
    params(("eventId", Path), ("showId", Path), ("x-api-managerId", Header)),
    request_body = ref("BlockRequest"),
    security((), ("manager" = [])),
    responses((status = 200, description = "The seats are blocked.", body = ref("Blocked"))),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_008", "AM_001", "AM_002", "E_002", "H_001"
    ]))),
)]
pub fn operation() {}

/// Frees blocked seats.
///
/// Seats that are not blocked stay as they are.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/blocks/removal",
    operation_id = "seats-unblock",
    params(("eventId", Path), ("showId", Path), ("x-api-managerId", Header)),
    request_body = ref("BlockRequest"),
    security((), ("manager" = [])),
    responses((status = 200, description = "None of the seats is blocked.", body = ref("Freed"))),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_008", "AM_001", "AM_002", "E_002"
    ]))),
)]
pub fn removal() {}

impl Handler for Block {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        manager::identify(&request)?;
        let owner = manager::owner(&request)?;
        let seats = request::json::<SeatsRequest>(&request)?.seats(MAX_BLOCKED_SEATS)?;
        let place = request::show_id(&request)?.into();
        let is_removal = request.extensions().get::<Route>().is_some_and(|Route(path)| path.ends_with(REMOVAL));
        if is_removal {
            let free = self.blocks.remove(place, owner, &seats).await.map_err(|error| name_seats(error, &seats))?;
            envelope::ok(messages::SEATS_FREED, &FreedResponse { free })
        } else {
            self.blocks.add(place, owner, &seats).await.map_err(|error| name_seats(error, &seats))?;
            envelope::ok(messages::SEATS_BLOCKED, &BlockedResponse { blocked: seats.len() })
        }
    }
}
