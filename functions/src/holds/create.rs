//! Holds seats of a show for a member: `POST /api/v1/events/{eventId}/dates/{showId}/holds`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::{error::Cause, hold_limits::HoldLimits};
use lambda_http::Request;
use storage::seats::holds::{Holds, NewHold};

use crate::{
    caller::SeatHolder,
    environment::Environment,
    holds::{hold::HoldResponse, hold_request::HoldRequest},
    operation::Operation,
    seats::seat_ids::name_seats,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Create {
    holds: Holds,
    limits: HoldLimits,
}

/// Holds seats.
///
/// All seats or none: those with these ids, or the best ones that are free in the first of some areas that has them.
/// They are free again when the hold expires, unless an order confirms it before. With `adjacent`, which is the
/// default, the best ones have one row and consecutive numbers. A member makes at most 20 holds of a show in an hour. A
/// deployment may require that the member's e-mail address is verified (`AJ_003`).
///
/// - Instead of `seatIds`, `count` and `areaIds` ask for the best seats: `{"count": 2, "areaIds": ["…"], "adjacent":
///   true}`. The first of these areas that has them wins. Better is a choice that leaves no single seat between two
///   taken ones, then the lower row, then the middle of the row. Many ask at once, so it is one of the best eight, and
///   more widely chosen if others were faster. This is also the way to sell a standing area. Seats with a `kind` are
///   only chosen if `kinds` names it.
/// - With a companion's seat, `seatIds` have a wheelchair place of the same area.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds",
    operation_id = "holds-create",
    params(("Idempotency-Key", Header)),
    request_body = ref("HoldRequest"),
    responses((status = 201, description = "The seats are held.", body = ref("Hold"))),
    extensions(("x-failures" = json!(["AJ_003", "H_001", "H_002", "H_003", "H_006", "H_007"]))),
)]
pub fn operation() {}

impl Operation for Create {
    type Caller = SeatHolder;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let limits =
            HoldLimits { lifetime: environment.parse("HOLD_SECONDS")?, max_seats: environment.parse("MAX_SEATS")? };
        Ok(Self { holds: Holds::new(environment.table().await?, environment.clock()), limits })
    }

    async fn handle(&self, SeatHolder(member): SeatHolder, request: Request) -> Result<Response, Error> {
        let (fields, key) = request::json_with_key::<HoldRequest>(&request)?;
        let new = NewHold { member, seats: fields.seats()?, key };
        let created = self.holds.create(request::show_id(&request)?, &new, self.limits).await;
        let created = created.map_err(|error| name_seats(error, new.seats.ids()))?;
        let hold = &created.hold;
        let location = format!("/api/v1/events/{}/dates/{}/holds/{}", hold.event, hold.show, hold.id);
        let data = HoldResponse::new(hold, created.status, &created.hall);
        envelope::created(&location, messages::SEATS_HELD, &data)
    }
}
