//! Lists the tickets of a member's hold: `GET /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/tickets`.

use api::{envelope::Response, error::Error, request};
use auth::tickets::TicketIssuer;
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::holds::Holds;

use crate::{caller::AuthenticatedMember, environment::Environment, operation::Operation, tickets::ticket};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct List {
    holds: Holds,
    issuer: TicketIssuer,
}

/// Lists tickets.
///
/// One for each seat of a confirmed hold (otherwise `H_004`), in its order. Only the member who made the hold may. Each
/// admits one person once; those of a show that is off admit nobody while it is.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/tickets",
    operation_id = "tickets-list",
    responses((status = 200, description = "The tickets.", body = ref("Tickets"))),
    extensions(("x-failures" = json!(["H_004"]))),
)]
pub fn operation() {}

impl Operation for List {
    type Caller = AuthenticatedMember;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self {
            holds: Holds::new(environment.table().await?, environment.clock()),
            issuer: environment.ticket_issuer().await?,
        })
    }

    async fn handle(
        &self,
        AuthenticatedMember(member): AuthenticatedMember,
        request: Request,
    ) -> Result<Response, Error> {
        let sold = self.holds.sold_to(request::show_id(&request)?, member, request::hold_id(&request)).await?;
        ticket::respond(&sold, &self.issuer).await
    }
}
