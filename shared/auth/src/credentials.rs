//! Verification of members' passwords, with login throttling.
//!
//! Logins address a member by e-mail address, other requests by id. Both count their failures together.

use domain::{
    client_address::ClientAddress,
    email::Email,
    error::Error,
    member::Credentials,
    password::{Hasher, Password, PasswordHash},
};
use futures_util::future;
use storage::{
    members::{
        login_failures::LoginFailures,
        member_store::{Members, StoredMember},
    },
    table::Table,
};
use uuid::Uuid;

use crate::hashing_time::measure_hash;

/// Verifier of passwords.
#[derive(Debug)]
pub struct Verifier {
    members: Members,
    failures: LoginFailures,
    hasher: Hasher,
}

impl Verifier {
    /// Builds the verifier on a table.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher) -> Self {
        Self { members: Members::new(table.clone()), failures: LoginFailures::new(table), hasher }
    }

    /// Returns the member with an e-mail address if the password is theirs.
    ///
    /// # Errors
    ///
    /// Returns `TooManyFailedLogins` if the client is barred, whatever the password. Otherwise returns
    /// `WrongCredentials` if the address is unknown or the password is wrong. Returns `Database` if the database fails.
    pub async fn by_email(&self, credentials: &Credentials, client: &ClientAddress) -> Result<StoredMember, Error> {
        self.verify(&credentials.email, None, &credentials.password, client).await
    }

    /// Logs a member in: like [`Verifier::by_email`], and replaces a hash whose parameters are outdated.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Verifier::by_email`].
    pub async fn log_in(&self, credentials: &Credentials, client: &ClientAddress) -> Result<StoredMember, Error> {
        let stored = self.by_email(credentials, client).await?;
        if let Err(error) = self.rehash_if_outdated(&stored, &credentials.password).await {
            tracing::warn!(cause = error.causes(), "password rehash failed");
        }
        Ok(stored)
    }

    async fn rehash_if_outdated(&self, stored: &StoredMember, password: &Password) -> Result<(), Error> {
        if self.hasher.is_current(&stored.password) {
            return Ok(());
        }
        self.members.rehash(stored, &self.hash(password)?).await
    }

    /// Returns the member with an id if the password is theirs.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Verifier::by_email`], with an unknown id in place of an unknown address.
    pub async fn by_id(&self, id: Uuid, password: &Password, client: &ClientAddress) -> Result<StoredMember, Error> {
        match self.members.email(id).await? {
            Some(email) => self.verify(&email, Some(id), password, client).await,
            None => self.check(password, None),
        }
    }

    /// Reads a verified member again, after another request changed the member.
    ///
    /// Hashes the password again only if it was changed. So changes without a password, such as those of the nickname
    /// with an access token, cannot keep a request with the password waiting.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Verifier::by_id`].
    pub async fn again(
        &self,
        verified: &StoredMember,
        password: &Password,
        client: &ClientAddress,
    ) -> Result<StoredMember, Error> {
        let id = verified.member.id;
        let stored = self.members.by_email(&verified.member.email).await?;
        match stored.filter(|stored| stored.member.id == id && stored.password == verified.password) {
            Some(stored) => Ok(stored),
            None => self.by_id(id, password, client).await,
        }
    }

    async fn verify(
        &self,
        email: &Email,
        id: Option<Uuid>,
        password: &Password,
        client: &ClientAddress,
    ) -> Result<StoredMember, Error> {
        let (counted, stored) = future::join(self.failures.count(email, client), self.members.by_email(email)).await;
        counted?;
        // Since the id led to the address, another member may have registered it.
        let stored = stored?.filter(|stored| id.is_none_or(|id| id == stored.member.id));
        let stored = self.check(password, stored)?;
        if let Err(error) = self.failures.take_back(email, client).await {
            tracing::warn!(cause = error.causes(), "failed to reset login failures");
        }
        Ok(stored)
    }

    /// Returns the member if the password is theirs; without a member, hashes it too, which takes as long.
    fn check(&self, password: &Password, stored: Option<StoredMember>) -> Result<StoredMember, Error> {
        let hash = stored.as_ref().map(|stored| &stored.password);
        let is_correct = measure_hash(|| self.hasher.verify(password, hash));
        stored.filter(|_| is_correct).ok_or(Error::WrongCredentials)
    }

    /// Hashes a new password, as [`hash`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`hash`].
    pub fn hash(&self, password: &Password) -> Result<PasswordHash, Error> {
        hash(&self.hasher, password)
    }
}

/// Hashes a new password.
///
/// # Errors
///
/// Returns `Unexpected` if hashing fails.
pub fn hash(hasher: &Hasher, password: &Password) -> Result<PasswordHash, Error> {
    measure_hash(|| hasher.hash(password)).map_err(Error::Unexpected)
}
