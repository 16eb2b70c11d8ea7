//! Returns which seats of a show are free:
//! `GET /api/v1/events/{eventId}/dates/{showId}/availability`.

use api::{
    conditional::IfNoneMatch,
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::shows::Shows;

use crate::{
    caller::Anyone,
    environment::Environment,
    operation::{Cache, Operation},
    seats::seat_state::Availability as Body,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Availability {
    shows: Shows,
}

/// Gets which seats are free.
///
/// `taken` has one bit for each seat of an area in the order of the detail, the first in the highest bit of the first
/// byte.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/availability",
    operation_id = "seats-availability",
    params(("If-None-Match", Header)),
    responses((status = 200, description = "The seats.", body = ref("Availability"))),
)]
pub fn operation() {}

impl Operation for Availability {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneSecond;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { shows: Shows::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        let show = self.shows.get(request::show_id(&request)?).await?;
        let body = Body::new(show.event.id, &show.hall, &show.states, show.now);
        let response = envelope::ok(messages::SEATS_FOUND, &body)?;
        Ok(IfNoneMatch::from_request(&request).tag_body(response))
    }
}
