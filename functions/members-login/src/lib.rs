//! Logs a member in: `POST /api/v1/members/login`.

use api::{
    client::{self, OriginSecret},
    envelope::{self, Response},
    error::Error,
    member::{LoggedIn, LoginRequest},
    messages, request,
    serve::Handler,
};
use domain::{
    error::Error as DomainError,
    member::Credentials,
    password::{Hasher, PasswordHash},
};
use lambda_http::Request;
use runtime::hashing;
use storage::{
    login_failures::LoginFailureCounters,
    member::{LoginData, Members},
    table::Table,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Login {
    members: Members,
    failures: LoginFailureCounters,
    hasher: Hasher,
    origin_secret: Option<OriginSecret>,
}

impl Login {
    /// Builds the endpoint on a table, with `CloudFront`'s secret if it is configured.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher, origin_secret: Option<OriginSecret>) -> Self {
        let (members, failures) = (Members::new(table.clone()), LoginFailureCounters::new(table));
        Self { members, failures, hasher, origin_secret }
    }
}

impl Handler for Login {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let client = client::address(&request, self.origin_secret.as_ref());
        let credentials: Credentials = request::json::<LoginRequest>(&request)?.try_into()?;
        let LoginData { member, failures } = self.members.login_data(&credentials.email, client).await?;
        failures.check_limits()?;
        let hash = member.as_ref().map(|(_, hash)| hash);
        let verified = hashing::run(|| self.hasher.verify(&credentials.password, hash));
        let Some((member, hash)) = member.filter(|_| verified) else {
            // Boxed, because it is much larger than the rest of the future.
            Box::pin(self.failures.record(&credentials.email, client)).await?;
            return Err(DomainError::WrongCredentials.into());
        };
        if let Err(error) = self.rehash_if_outdated(&credentials, &hash).await {
            tracing::warn!(cause = error.causes(), "password rehash failed");
        }
        if failures.from_client.is_some()
            && let Err(error) = self.failures.reset(&credentials.email, client).await
        {
            tracing::warn!(cause = error.causes(), "failed to reset login failures");
        }
        envelope::ok(messages::LOGGED_IN, &LoggedIn::from(&member))
    }
}

impl Login {
    /// Replaces a hash whose parameters are outdated.
    async fn rehash_if_outdated(&self, credentials: &Credentials, old: &PasswordHash) -> Result<(), DomainError> {
        if self.hasher.is_current(old) {
            return Ok(());
        }
        let new = hashing::run(|| self.hasher.hash(&credentials.password)).map_err(DomainError::Unexpected)?;
        self.members.rehash(&credentials.email, old, &new).await
    }
}
