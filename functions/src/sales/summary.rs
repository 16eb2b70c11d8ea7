//! Counts the seats of a show by their state: `GET /api/v1/events/{eventId}/dates/{showId}/summary`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::shows::Shows;

use crate::{caller::SeatSeller, environment::Environment, operation::Operation, sales::count::Summary as Body};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Summary {
    shows: Shows,
}

/// Counts the seats of a show.
///
/// The owner of the event may, and an order service. `revenue` is the exact sum of the prices of the sold seats.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/summary",
    operation_id = "sales-summary",
    params(("x-api-managerId", Header)),
    responses((status = 200, description = "The numbers.", body = ref("SalesSummary"))),
)]
pub fn operation() {}

impl Operation for Summary {
    type Caller = SeatSeller;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { shows: Shows::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, SeatSeller(seller): SeatSeller, request: Request) -> Result<Response, Error> {
        let show = self.shows.get_for_seller(request::show_id(&request)?, seller.events).await?;
        let summary = Body::new(show.event.id, &show.hall, &show.states, show.now);
        envelope::ok(messages::SALES_COUNTED, &summary)
    }
}
