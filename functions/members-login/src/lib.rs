//! Logs a member in: `POST /api/v1/members/login`.

use lambda_http::Request;
use shared::{
    blocking,
    domain::{
        error::Error,
        member::Credentials,
        password::{Hasher, PasswordHash},
    },
    http::{
        envelope::{self, Reply},
        member::{LoggedIn, LoginRequest},
        messages, request,
        serve::Handler,
    },
    store::member::Members,
};

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct Login {
    /// Where members are kept.
    pub members: Members,
    /// What verifies their passwords.
    pub hasher: Hasher,
}

impl Handler for Login {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let credentials: Credentials = request::json::<LoginRequest>(&request)?.try_into()?;
        let found = self.members.find(&credentials.email).await?;
        let hash = found.as_ref().map(|(_, hash)| hash);
        let verified = blocking::run(|| self.hasher.verify(&credentials.password, hash));
        match found {
            Some((member, hash)) if verified => {
                if let Err(error) = self.upgrade(&credentials, &hash).await {
                    tracing::warn!(cause = ?error, "an old hash is kept");
                }
                envelope::ok(messages::LOGGED_IN, &LoggedIn::from(&member))
            }
            _ => Err(Error::WrongCredentials),
        }
    }
}

impl Login {
    /// Hashes the password anew where the parameters have changed since.
    async fn upgrade(&self, credentials: &Credentials, old: &PasswordHash) -> Result<(), Error> {
        if self.hasher.is_current(old) {
            return Ok(());
        }
        let new = blocking::run(|| self.hasher.hash(&credentials.password)).map_err(Error::Unexpected)?;
        self.members.rehash(&credentials.email, old, &new).await
    }
}
