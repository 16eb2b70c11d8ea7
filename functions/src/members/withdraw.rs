//! Removes a member who withdraws: `POST /api/v1/members/{memberId}/withdrawal`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::credentials::Verifier;
use domain::error::Cause;
use lambda_http::Request;
use storage::members::member_store::Members;

use crate::{caller::Client, environment::Environment, members::account::WithdrawRequest, operation::Operation};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Withdraw {
    members: Members,
    verifier: Verifier,
}

/// Withdraws a member.
///
/// Removes the member. The e-mail address and the nickname may be registered again at once. An unknown id and a wrong
/// password look alike.
#[utoipa::path(
    post,
    path = "/api/v1/members/{memberId}/withdrawal",
    operation_id = "members-withdraw",
    request_body = ref("WithdrawRequest"),
    responses((status = 204, description = "The member is removed. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["AL_001", "AL_002"]))),
)]
pub fn operation() {}

impl Operation for Withdraw {
    type Caller = Client;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let (table, hasher) = (environment.table().await?, environment.hasher()?);
        Ok(Self { members: Members::new(table.clone()), verifier: Verifier::new(table, hasher) })
    }

    async fn handle(&self, Client(client): Client, request: Request) -> Result<Response, Error> {
        let id = request::member_id(&request);
        let password = request::json::<WithdrawRequest>(&request)?.password()?;
        let verified = self.verifier.by_id(id, &password, &client).await?;
        let attempt = async |is_first: bool| {
            let again = self.verifier.again(&verified, &password, &client);
            let stored = if is_first { verified.clone() } else { again.await? };
            self.members.remove(&stored).await
        };
        self.members.until_decided(attempt).await?;
        Ok(envelope::no_content(messages::WITHDRAWN))
    }
}
