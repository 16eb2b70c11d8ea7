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
        client::{self, OriginSecret},
        envelope::{self, Reply},
        member::{LoggedIn, LoginRequest},
        messages, request,
        serve::Handler,
    },
    store::member::{Found, Members},
};

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct Login {
    /// Where members are kept.
    pub members: Members,
    /// What verifies their passwords.
    pub hasher: Hasher,
    /// The secret of the `CloudFront` distribution that is in front; none where none is.
    pub origin_secret: Option<OriginSecret>,
}

impl Handler for Login {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let client = client::address(&request, self.origin_secret.as_ref());
        let credentials: Credentials = request::json::<LoginRequest>(&request)?.try_into()?;
        let Found { member, failures } = self.members.find(&credentials.email, client).await?;
        failures.admit()?;
        let hash = member.as_ref().map(|(_, hash)| hash);
        let verified = blocking::run(|| self.hasher.verify(&credentials.password, hash));
        let Some((member, hash)) = member.filter(|_| verified) else {
            // Boxed, since it is far larger than what every login takes.
            Box::pin(self.members.count_failure(&credentials.email, client)).await?;
            return Err(Error::WrongCredentials);
        };
        if let Err(error) = self.upgrade(&credentials, &hash).await {
            tracing::warn!(cause = error.causes(), "an old hash is kept");
        }
        if failures.from_client.is_some()
            && let Err(error) = self.members.forgive(&credentials.email, client).await
        {
            tracing::warn!(cause = error.causes(), "failed logins still count");
        }
        envelope::ok(messages::LOGGED_IN, &LoggedIn::from(&member))
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
