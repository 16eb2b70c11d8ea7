//! Registers a member: `POST /api/v1/members/join`.

use api::{
    envelope::{self, Response},
    error::Error,
    member::{JoinRequest, Joined},
    messages, request,
    serve::Handler,
};
use domain::{
    error::Error as DomainError,
    member::Member,
    password::{Hasher, common::CommonPasswords},
};
use lambda_http::Request;
use runtime::request_metrics::measure_hash;
use storage::{member::Members, table::Table};
use uuid::Uuid;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Join {
    members: Members,
    hasher: Hasher,
    common_passwords: CommonPasswords,
}

impl Join {
    /// Builds the endpoint on a table, with the hasher and the rule for new passwords.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher, common_passwords: CommonPasswords) -> Self {
        Self { members: Members::new(table), hasher, common_passwords }
    }
}

impl Handler for Join {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let registration = request::json::<JoinRequest>(&request)?.registration(self.common_passwords)?;
        let hash = measure_hash(|| self.hasher.hash(&registration.password)).map_err(DomainError::Unexpected)?;
        let member = Member::new(Uuid::new_v4(), registration);

        let location = format!("/api/v1/members/{}", member.id);
        let response = envelope::created(&location, messages::JOINED, &Joined::from(&member))?;
        self.members.add(&member, &hash).await?;
        Ok(response)
    }
}
