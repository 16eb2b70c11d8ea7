//! Sends a member who forgot the password a link to set a new one: `POST /api/v1/auth/password-reset`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::{error::Cause, mail::MailKind};
use lambda_http::Request;
use storage::members::member_store::Members;

use crate::{
    auth::{links::ForgotRequest, mailer::Mailer},
    caller::{Client, WithMail},
    environment::Environment,
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Forgot {
    members: Members,
    mailer: Mailer,
}

/// Requests a mail to reset the password.
///
/// The response does not say if a member has the address. If one has, a mail with a link goes to it; the link is valid
/// for 30 minutes. In an hour three mails of a kind go to one address, and one client address causes 20 mails of all
/// kinds, with those of registrations (`AP_002`). `S_004` if mail cannot be sent.
#[utoipa::path(
    post,
    path = "/api/v1/auth/password-reset",
    operation_id = "auth-forgot",
    request_body = ref("ForgotRequest"),
    responses((status = 202, description = "If a member has the address, a mail was sent.", body = ref("Accepted"))),
    extensions(("x-failures" = json!(["AP_002", "AP_003", "S_004"]))),
)]
pub fn operation() {}

impl Operation for Forgot {
    type Caller = WithMail<Client>;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let mailer = Mailer::new(MailKind::PasswordReset, environment).await?;
        Ok(Self { members: Members::new(environment.table().await?), mailer })
    }

    async fn handle(&self, WithMail(Client(client)): Self::Caller, request: Request) -> Result<Response, Error> {
        let email = request::json::<ForgotRequest>(&request)?.email()?;
        self.mailer.count(&email, &client).await?;
        if let Some(stored) = self.members.by_email(&email).await? {
            self.mailer.send(&stored).await?;
        }
        Ok(envelope::accepted(messages::RESET_REQUESTED))
    }
}
