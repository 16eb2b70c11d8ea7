//! Verifies an e-mail address with the link of a mail: `POST /api/v1/auth/email-verification/confirmation`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::{
    error::{Cause, Error as DomainError},
    mail::MailKind,
};
use lambda_http::Request;
use storage::members::member_store::Members;

use crate::{
    auth::{
        links::{LinkTokens, VerifyRequest},
        mailer,
    },
    caller::{Anyone, WithMail},
    environment::Environment,
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Verify {
    members: Members,
    tokens: LinkTokens,
}

/// Verifies the e-mail address.
///
/// The token is that of the link. It can be used again until it ends after 24 hours, or the member has a new password.
/// It logs nobody in.
#[utoipa::path(
    post,
    path = "/api/v1/auth/email-verification/confirmation",
    operation_id = "auth-verify",
    request_body = ref("VerifyRequest"),
    responses((status = 204, description = "The address is verified. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["AP_001", "AP_003"]))),
)]
pub fn operation() {}

impl Operation for Verify {
    type Caller = WithMail<Anyone>;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let tokens = LinkTokens { key: mailer::key(environment)?, clock: environment.clock() };
        Ok(Self { members: Members::new(environment.table().await?), tokens })
    }

    async fn handle(&self, _: Self::Caller, request: Request) -> Result<Response, Error> {
        let token = request::json::<VerifyRequest>(&request)?.token()?;
        let token = self.tokens.read(&token, MailKind::EmailVerification)?;
        let old = self.members.by_id(token.member).await?.filter(|stored| stored.epoch == token.epoch);
        let old = old.ok_or(DomainError::InvalidMailToken)?;
        if !old.email_verified && !self.members.verify_email(&old, None).await? {
            return Err(DomainError::InvalidMailToken.into());
        }
        Ok(envelope::no_content(messages::EMAIL_VERIFIED))
    }
}
