//! Sets a new password with the link of a mail: `POST /api/v1/auth/password-reset/confirmation`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::Parse,
    messages, request,
};
use auth::credentials;
use domain::{
    error::{Cause, Error as DomainError},
    mail::MailKind,
    password::{Hasher, Password, common::CommonPasswords},
};
use lambda_http::Request;
use storage::members::{login_failures::LoginFailures, member_store::Members};

use crate::{
    auth::{
        links::{LinkTokens, ResetRequest},
        mailer,
    },
    caller::{Anyone, WithMail},
    environment::Environment,
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Reset {
    members: Members,
    failures: LoginFailures,
    hasher: Hasher,
    parse_new_password: Parse<Password>,
    tokens: LinkTokens,
}

/// Sets a new password.
///
/// The token is that of the link. It can be used once, and only until the member has a new password by any way. The new
/// password ends all sessions of the member and forgets failed logins, and the e-mail address counts as verified.
#[utoipa::path(
    post,
    path = "/api/v1/auth/password-reset/confirmation",
    operation_id = "auth-reset",
    request_body = ref("ResetRequest"),
    responses((status = 204, description = "The new password holds. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["AP_001", "AP_003"]))),
)]
pub fn operation() {}

impl Operation for Reset {
    type Caller = WithMail<Anyone>;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let common: CommonPasswords = environment.parse("COMMON_PASSWORDS")?;
        let (table, hasher) = (environment.table().await?, environment.hasher()?);
        Ok(Self {
            members: Members::new(table.clone()),
            failures: LoginFailures::new(table),
            hasher,
            parse_new_password: common.parser(),
            tokens: LinkTokens { key: mailer::key(environment)?, clock: environment.clock() },
        })
    }

    async fn handle(&self, _: Self::Caller, request: Request) -> Result<Response, Error> {
        let (token, password) = request::json::<ResetRequest>(&request)?.fields(self.parse_new_password)?;
        let token = self.tokens.read(&token, MailKind::PasswordReset)?;
        let old = self.members.by_id(token.member).await?.filter(|stored| stored.epoch == token.epoch);
        let old = old.ok_or(DomainError::InvalidMailToken)?;
        let hash = credentials::hash(&self.hasher, &password)?;
        // The new epoch ends all sessions, and all tokens that were sent before.
        if !self.members.verify_email(&old, Some(&hash)).await? {
            return Err(DomainError::InvalidMailToken.into());
        }
        // The member must be able to log in once the new password is acknowledged.
        if let Err(error) = self.failures.forget(&old.member.email).await {
            tracing::warn!(cause = error.causes(), "failed to reset login failures");
        }
        Ok(envelope::no_content(messages::PASSWORD_RESET))
    }
}
