//! Lists notices to the buyers of a show: `GET /api/v1/events/{eventId}/dates/{showId}/notices`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::notices::notice_store::Notices;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    notices::notice::NoticeResponse,
    operation::Operation,
};

/// Endpoint with its store.
#[derive(Debug)]
pub struct List {
    notices: Notices,
}

/// Lists notices to buyers.
///
/// The owner of the event may. Returns the notices of the last 30 days, newest first, at most 100, with the numbers of
/// their mails so far.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/notices",
    operation_id = "notices-list",
    params(("x-api-managerId", Header)),
    responses((status = 200, description = "The notices.", body = ref("Notices"))),
)]
pub fn operation() {}

impl Operation for List {
    // Where managers are not verified, their id is needed, too.
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { notices: Notices::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, (_, EventManager(scope)): Self::Caller, request: Request) -> Result<Response, Error> {
        let (show, notices) = self.notices.of_show(request::show_id(&request)?, scope).await?;
        let notices: Vec<_> =
            notices.iter().map(|(notice, progress)| NoticeResponse::new(notice, &show, progress)).collect();
        envelope::ok(messages::NOTICES_LISTED, &notices)
    }
}
