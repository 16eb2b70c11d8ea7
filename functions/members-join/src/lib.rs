//! Registers a member: `POST /api/v1/members/join`.

use lambda_http::Request;
use shared::{
    blocking,
    domain::{
        error::Error,
        member::Member,
        password::{Hasher, common::CommonPasswords},
    },
    http::{
        envelope::{self, Reply},
        member::{JoinRequest, Joined},
        messages, request,
        serve::Handler,
    },
    store::member::Members,
};
use uuid::Uuid;

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct Join {
    /// Where members are kept.
    pub members: Members,
    /// What hashes their passwords.
    pub hasher: Hasher,
    /// What becomes of those that most people choose.
    pub common_passwords: CommonPasswords,
}

impl Handler for Join {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let registration = request::json::<JoinRequest>(&request)?.registration(self.common_passwords)?;
        let hash = blocking::run(|| self.hasher.hash(&registration.password)).map_err(Error::Unexpected)?;
        let member = Member::new(Uuid::new_v4(), registration);

        let location = format!("/api/v1/members/{}", member.id);
        let reply = envelope::created(&location, messages::JOINED, &Joined::from(&member))?;
        self.members.add(&member, &hash).await?;
        Ok(reply)
    }
}
