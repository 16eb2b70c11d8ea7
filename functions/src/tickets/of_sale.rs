//! Lists the tickets of a sale: `GET /api/v1/events/{eventId}/dates/{showId}/sales/{holdId}/tickets`.

use api::{envelope::Response, error::Error, request};
use auth::tickets::TicketIssuer;
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::holds::Holds;

use crate::{caller::SeatSeller, environment::Environment, operation::Operation, tickets::ticket};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct OfSale {
    holds: Holds,
    issuer: TicketIssuer,
}

/// Lists the tickets of a sale.
///
/// The owner of the event may, and an order service: to print them, also those that the box office sold. One for each
/// seat, in the order of the sale; `H_004` if it was cancelled.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/sales/{holdId}/tickets",
    operation_id = "tickets-of-sale",
    params(("x-api-managerId", Header)),
    responses((status = 200, description = "The tickets.", body = ref("Tickets"))),
    extensions(("x-failures" = json!(["H_004"]))),
)]
pub fn operation() {}

impl Operation for OfSale {
    type Caller = SeatSeller;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self {
            holds: Holds::new(environment.table().await?, environment.clock()),
            issuer: environment.ticket_issuer().await?,
        })
    }

    async fn handle(&self, SeatSeller(seller): SeatSeller, request: Request) -> Result<Response, Error> {
        let sold = self.holds.sold(request::show_id(&request)?, seller.events, request::hold_id(&request)).await?;
        ticket::respond(&sold, &self.issuer).await
    }
}
