//! Counts the admitted people of a show: `GET /api/v1/events/{eventId}/dates/{showId}/admissions`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::door::Door;

use crate::{admissions::counts::Counts, caller::SeatSeller, environment::Environment, operation::Operation};

/// Endpoint with its store.
#[derive(Debug)]
pub struct Count {
    door: Door,
}

/// Counts admitted people.
///
/// The owner of the event may, and an order service. An admission counts while its seat is sold to the same hold.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/admissions",
    operation_id = "admissions-count",
    params(("x-api-managerId", Header)),
    responses((status = 200, description = "The numbers.", body = ref("Admissions"))),
)]
pub fn operation() {}

impl Operation for Count {
    type Caller = SeatSeller;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { door: Door::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, SeatSeller(seller): SeatSeller, request: Request) -> Result<Response, Error> {
        let (show, seats) = self.door.count(request::show_id(&request)?, seller.events).await?;
        envelope::ok(messages::ADMISSIONS_COUNTED, &Counts::new(show.event.id, &show.hall, &seats))
    }
}
