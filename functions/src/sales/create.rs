//! Sells seats at the box office: `POST /api/v1/events/{eventId}/dates/{showId}/sales`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::sales::Sales;

use crate::{
    caller::SeatSeller, environment::Environment, holds::hold::HoldResponse, operation::Operation,
    sales::sale::SaleRequest, seats::seat_ids::name_seats,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Create {
    sales: Sales,
}

/// Sells seats at the box office.
///
/// The owner of the event may, and an order service. Seats that are free, or blocked, become sold at once, to no
/// member: all of them or none, also before ticketing opens. The sale is cancelled as a hold is. Seats in more than 97
/// groups of 64 neighbours are too scattered (`C_001` at `seatIds`).
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/sales",
    operation_id = "sales-create",
    params(("x-api-managerId", Header), ("Idempotency-Key", Header)),
    request_body = ref("SaleRequest"),
    responses((status = 201, description = "The seats are sold.", body = ref("Hold"))),
    extensions(("x-failures" = json!(["H_001", "H_003", "H_004"]))),
)]
pub fn operation() {}

impl Operation for Create {
    type Caller = SeatSeller;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { sales: Sales::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, SeatSeller(seller): SeatSeller, request: Request) -> Result<Response, Error> {
        let (fields, key) = request::json_with_key::<SaleRequest>(&request)?;
        let new = fields.sale(key)?;
        let sold = self.sales.sell(request::show_id(&request)?, &seller, &new).await;
        let sold = sold.map_err(|error| name_seats(error, &new.seats))?;
        let hold = &sold.hold;
        let location = format!("/api/v1/events/{}/dates/{}/holds/{}", hold.event, hold.show, hold.id);
        envelope::created(&location, messages::SEATS_SOLD, &HoldResponse::new(hold, sold.status, &sold.hall))
    }
}
