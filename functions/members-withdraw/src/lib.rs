//! Removes a member who withdraws: `POST /api/v1/members/{memberId}/withdrawal`.

use api::{
    account::WithdrawRequest,
    client,
    envelope::{self, Response},
    error::Error,
    messages, request,
    serve::Handler,
};
use credentials::Verifier;
use domain::password::Hasher;
use lambda_http::Request;
use storage::{member::Members, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Withdraw {
    members: Members,
    verifier: Verifier,
}

impl Withdraw {
    /// Builds the endpoint on a table.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher) -> Self {
        let members = Members::new(table.clone());
        Self { members, verifier: Verifier::new(table, hasher) }
    }
}

/// Withdraws a member.
///
/// Removes the member. The e-mail address and the nickname may be registered again at once. An unknown id and a wrong
/// password look alike.
#[utoipa::path(
    post,
    path = "/api/v1/members/{memberId}/withdrawal",
    operation_id = "members-withdraw",
    params(("memberId", Path)),
    request_body = ref("WithdrawRequest"),
    responses((status = 204, description = "The member is removed. HTTP sends no body with this status.")),
    extensions(("x-failures" = json!(["C_001", "C_002", "C_004", "C_005", "AL_001", "AL_002"]))),
)]
pub fn operation() {}

impl Handler for Withdraw {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let client = client::address(&request);
        let id = request::member_id(&request);
        let password = request::json::<WithdrawRequest>(&request)?.password()?;
        let mut stored = self.verifier.by_id(id, &password, &client).await?;
        // A transaction is only lost to one that succeeded, so some request always makes progress.
        loop {
            if self.members.remove(&stored).await? {
                return Ok(envelope::no_content(messages::WITHDRAWN));
            }
            stored = self.verifier.again(&stored, &password, &client).await?;
        }
    }
}
