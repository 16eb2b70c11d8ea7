//! Registers a member: `POST /api/v1/members/join`.

use api::{
    envelope::{self, Response},
    error::Error,
    fields::Parse,
    join::{JoinRequest, Joined},
    messages, request,
    serve::Handler,
};
use domain::{
    error::Error as DomainError,
    member::Member,
    password::{Hasher, Password},
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
    parse_new_password: Parse<Password>,
}

impl Join {
    /// Builds the endpoint on a table, with the hasher and the parser of new passwords.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher, parse_new_password: Parse<Password>) -> Self {
        Self { members: Members::new(table), hasher, parse_new_password }
    }
}

impl Handler for Join {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let registration = request::json::<JoinRequest>(&request)?.registration(self.parse_new_password)?;
        let hash = measure_hash(|| self.hasher.hash(&registration.password)).map_err(DomainError::Unexpected)?;
        let member = Member::new(Uuid::new_v4(), registration);

        let location = format!("/api/v1/members/{}", member.id);
        let response = envelope::created(&location, messages::JOINED, &Joined::from(&member))?;
        self.members.add(&member, &hash).await?;
        Ok(response)
    }
}
