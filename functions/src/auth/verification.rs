//! Sends a member a link that verifies the e-mail address: `POST /api/v1/auth/email-verification`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages,
};
use domain::{error::Cause, mail::MailKind};
use lambda_http::Request;
use storage::members::member_store::Members;

use crate::{
    auth::mailer::Mailer,
    caller::{AuthenticatedMember, Client, WithMail},
    environment::Environment,
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct RequestVerification {
    members: Members,
    mailer: Mailer,
}

/// Requests a mail to verify the e-mail address.
///
/// Takes an access token and no body. The link of the mail is valid for 24 hours. The limits are those of
/// `auth-forgot`. A verified member gets the same response and no mail.
#[utoipa::path(
    post,
    path = "/api/v1/auth/email-verification",
    operation_id = "auth-verification",
    responses((status = 202, description = "If the address is not verified, a mail was sent.", body = ref("Accepted"))),
    extensions(("x-failures" = json!(["AP_002", "AP_003", "S_004"]))),
)]
pub fn operation() {}

impl Operation for RequestVerification {
    type Caller = WithMail<(AuthenticatedMember, Client)>;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let mailer = Mailer::new(MailKind::EmailVerification, environment).await?;
        Ok(Self { members: Members::new(environment.table().await?), mailer })
    }

    async fn handle(
        &self,
        WithMail((AuthenticatedMember(member), Client(client))): Self::Caller,
        _: Request,
    ) -> Result<Response, Error> {
        let stored = self.members.authenticated(member).await?;
        if !stored.email_verified {
            self.mailer.count(&stored.member.email, &client).await?;
            self.mailer.send(&stored).await?;
        }
        Ok(envelope::accepted(messages::VERIFICATION_REQUESTED))
    }
}
