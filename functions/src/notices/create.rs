//! Sends buyers a message: `POST /api/v1/events/{eventId}/dates/{showId}/notices`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::{error::Cause, notice::Telling};
use lambda_http::Request;
use storage::notices::notice_store::Notices;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    notices::notice::{AcceptedNotice, MessageRequest},
    operation::Operation,
};

/// Endpoint with its store.
#[derive(Debug)]
pub struct Create {
    notices: Notices,
    sends_mail: bool,
}

/// Sends buyers a message.
///
/// The owner of the event may, unless it is a draft. Every member who has a sold seat of the show at the moment of
/// their turn gets the text by mail, each at most once. It is sent after the response, for as long as it takes: [the
/// list](#lists-notices-to-buyers) shows how far it is. A show has at most 10 messages in 24 hours (`N_001`).
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/notices",
    operation_id = "notices-create",
    params(("x-api-managerId", Header), ("Idempotency-Key", Header)),
    request_body = ref("MessageRequest"),
    responses((status = 202, description = "The message is being sent.", body = ref("AcceptedNotice"))),
    extensions(("x-failures" = json!(["AP_003", "N_001"]))),
)]
pub fn operation() {}

impl Operation for Create {
    // Where managers are not verified, their id is needed, too.
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let sends_mail = environment.sends_mail();
        Ok(Self { notices: Notices::new(environment.table().await?, environment.clock()), sends_mail })
    }

    async fn handle(
        &self,
        (Manager(manager), EventManager(scope)): Self::Caller,
        request: Request,
    ) -> Result<Response, Error> {
        let (fields, key) = request::json_with_key::<MessageRequest>(&request)?;
        let new = fields.message(manager, key)?;
        let telling = Telling::new(true, self.sends_mail);
        let id = self.notices.add_message(request::show_id(&request)?, scope, telling, &new).await?;
        envelope::accepted_with(messages::NOTICE_ACCEPTED, &AcceptedNotice { id })
    }
}
