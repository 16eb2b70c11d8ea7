//! Holds seats of a show for a member: `POST /api/v1/events/{eventId}/dates/{showId}/holds`.

use api::{
    envelope::{self, Response},
    error::Error,
    form,
    hold::{HoldResponse, SeatsRequest, name_seats},
    messages, request,
    serve::Handler,
};
use credentials::session::AccessVerifier;
use domain::{
    hold::{HoldLimits, MAX_SEATS},
    idempotency::Fingerprint,
};
use lambda_http::Request;
use storage::holds::{Holds, NewHold, ShowId};
use uuid::Uuid;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Create {
    verifier: AccessVerifier,
    holds: Holds,
    limits: HoldLimits,
}

impl Create {
    /// Builds the endpoint on the verifier of members and the holds, with the limits of the deployment.
    #[must_use]
    pub fn new(verifier: AccessVerifier, holds: Holds, limits: HoldLimits) -> Self {
        Self { verifier, holds, limits }
    }
}

/// Holds seats.
///
/// All seats or none. They are free again when the hold expires, unless an order confirms it before. A member makes at
/// most 20 holds of a show in an hour.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/holds",
    operation_id = "holds-create",
    params(("eventId", Path), ("showId", Path), ("Idempotency-Key", Header)),
    security(("member" = [])),
    request_body = ref("HoldRequest"),
    responses((status = 201, description = "The seats are held.", body = ref("Hold"), headers(("Location")))),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_008", "C_011", "AS_002", "E_002", "H_001", "H_002", "H_003", "H_007"
    ]))),
)]
pub fn operation() {}

impl Handler for Create {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let token = request::bearer_token(request.headers());
        let member = self.verifier.member(token, request::base_url(&request)?).await?;
        let (place, new) = match new_hold(&request, member) {
            Ok(new) => new,
            Err(error) => {
                self.holds.expect_member(member).await?;
                return Err(error);
            }
        };
        let created = self.holds.create(place, &new, self.limits).await;
        let created = created.map_err(|error| name_seats(error, &new.seats))?;
        let hold = &created.hold;
        let location = format!("/api/v1/events/{}/dates/{}/holds/{}", hold.event, hold.show, hold.id);
        let data = HoldResponse::new(hold, created.status, &created.hall);
        envelope::created(&location, messages::SEATS_HELD, &data)
    }
}

fn new_hold(request: &Request, member: Uuid) -> Result<(ShowId, NewHold), Error> {
    let fields = request::json::<SeatsRequest>(request)?;
    let key = form::idempotency_key(request)?;
    let key = key.map(|key| (key, Fingerprint::new(&[request.body()])));
    let new = NewHold { member, seats: fields.seats(MAX_SEATS)?, key };
    Ok((request::show_id(request)?.into(), new))
}
