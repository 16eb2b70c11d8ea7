//! Registers a member: `POST /api/v1/members/join`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::Parse,
    messages, request,
};
use auth::credentials;
use domain::{
    client_address::ClientAddress,
    error::{Cause, Error as DomainError},
    mail::{EmailVerification, MailKind},
    member::Member,
    password::{Hasher, Password, common::CommonPasswords},
};
use lambda_http::Request;
use storage::members::member_store::{Members, StoredMember};
use uuid::Uuid;

use crate::{
    auth::mailer::Mailer,
    caller::Client,
    environment::{EMAIL_VERIFICATION, Environment},
    members::account::{JoinRequest, MemberResponse},
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Join {
    members: Members,
    hasher: Hasher,
    parse_new_password: Parse<Password>,
    /// Sender of the mail that verifies the address, if the deployment requires it.
    verification: Option<Mailer>,
}

/// Registers a member.
///
/// The e-mail address and the nickname must be unique. A deployment may reject passwords of fewer than eight
/// characters, and common ones. If it requires verified addresses, a mail as from `auth-verification` is sent; beyond
/// the limits of `auth-forgot` it is left out.
#[utoipa::path(
    post,
    path = "/api/v1/members/join",
    operation_id = "members-join",
    request_body = ref("JoinRequest"),
    responses((status = 201, description = "The member is registered.", body = ref("Member"))),
    extensions(("x-failures" = json!(["AJ_001", "AJ_002"]))),
)]
pub fn operation() {}

/// Registers a member, at the path of sessions.
///
/// Takes and returns what `members-join` does.
#[utoipa::path(
    post,
    path = "/api/v1/auth/join",
    operation_id = "auth-join",
    request_body = ref("JoinRequest"),
    responses((status = 201, description = "The member is registered.", body = ref("Member"))),
    extensions(("x-failures" = json!(["AJ_001", "AJ_002"]))),
)]
pub fn operation_at_auth() {}

impl Operation for Join {
    type Caller = Client;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let common: CommonPasswords = environment.parse("COMMON_PASSWORDS")?;
        let (members, hasher) = (Members::new(environment.table().await?), environment.hasher()?);
        let verification = match environment.parse(EMAIL_VERIFICATION)? {
            EmailVerification::Optional => None,
            EmailVerification::Required => Some(Mailer::new(MailKind::EmailVerification, environment).await?),
        };
        Ok(Self { members, hasher, parse_new_password: common.parser(), verification })
    }

    async fn handle(&self, Client(client): Client, request: Request) -> Result<Response, Error> {
        let registration = request::json::<JoinRequest>(&request)?.registration(self.parse_new_password)?;
        let hash = credentials::hash(&self.hasher, &registration.password)?;
        let member = Member::new(Uuid::new_v4(), registration);

        let location = format!("/api/v1/members/{}", member.id);
        let response = envelope::created(&location, messages::JOINED, &MemberResponse::from(&member))?;
        self.members.add(&member, &hash).await?;
        if let Some(mailer) = &self.verification
            && let Err(error) = send_verification(mailer, StoredMember::new(member, hash), &client).await
        {
            // The member can ask for the mail again.
            if matches!(error, DomainError::TooManyMails(_)) {
                tracing::info!("verification mail beyond a limit");
            } else {
                tracing::warn!(cause = error.causes(), "verification mail not sent");
            }
        }
        Ok(response)
    }
}

async fn send_verification(mailer: &Mailer, stored: StoredMember, client: &ClientAddress) -> Result<(), DomainError> {
    mailer.count(&stored.member.email, client).await?;
    mailer.send(&stored).await
}
