//! Changes a member: `PATCH /api/v1/members/{memberId}`.

use api::{
    account::{EditRequest, MemberResponse},
    client,
    envelope::{self, Response},
    error::Error,
    fields::Parse,
    messages, request,
    serve::Handler,
};
use credentials::Verifier;
use domain::password::{Hasher, Password};
use lambda_http::Request;
use storage::{
    member::{Members, StoredMember},
    table::Table,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Edit {
    members: Members,
    verifier: Verifier,
    parse_new_password: Parse<Password>,
}

impl Edit {
    /// Builds the endpoint on a table, with the parser of new passwords.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher, parse_new_password: Parse<Password>) -> Self {
        let members = Members::new(table.clone());
        Self { members, verifier: Verifier::new(table, hasher), parse_new_password }
    }
}

/// Changes a member.
///
/// Changes the fields that are sent; the password alone changes nothing. A field can be changed, but not removed. The
/// old nickname is free at once. A deployment may reject short and common new passwords. An unknown id and a wrong
/// password look alike.
#[utoipa::path(
    patch,
    path = "/api/v1/members/{memberId}",
    operation_id = "members-edit",
    params(("memberId", Path)),
    request_body = ref("EditMemberRequest"),
    responses((status = 200, description = "The member, as a login returns it.", body = ref("Member"))),
    extensions(("x-failures" = json!(["C_001", "C_002", "C_004", "C_005", "AJ_002", "AL_001", "AL_002"]))),
)]
pub fn operation() {}

impl Handler for Edit {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let client = client::address(&request);
        let id = request::member_id(&request);
        let edit = request::json::<EditRequest>(&request)?.edit(self.parse_new_password)?;
        let mut new_hash = None;
        let mut old = self.verifier.by_id(id, &edit.password, &client).await?;
        // A transaction is only lost to one that succeeded, so some request always makes progress.
        loop {
            if let (Some(password), None) = (&edit.new_password, &new_hash) {
                new_hash = Some(self.verifier.hash(password)?);
            }
            let member = edit.apply(&old.member);
            let response = envelope::ok(messages::MEMBER_EDITED, &MemberResponse::from(&member))?;
            if new_hash.is_none() && member == old.member {
                return Ok(response);
            }
            let password = new_hash.as_ref().unwrap_or(&old.password).clone();
            // A new password ends all sessions.
            let epoch = old.epoch + u64::from(new_hash.is_some());
            if self.members.replace(&old, &StoredMember { member, password, epoch }).await? {
                return Ok(response);
            }
            old = self.verifier.again(&old, &edit.password, &client).await?;
        }
    }
}
