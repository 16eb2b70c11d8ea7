//! Verification of members' passwords, with login throttling.
//!
//! Logins address a member by e-mail address, other requests by id. Both count their failures together. Every
//! failure takes the same calls and the same hash, also that of a barred client. So its time reveals neither members nor
//! correct passwords.

use domain::{
    client_address::ClientAddress,
    error::Error,
    member::Credentials,
    password::{Hasher, Password, PasswordHash},
};
use runtime::request_metrics::measure_hash;
use storage::{
    keys::Account,
    login_failures::LoginFailureCounters,
    member::{LoginData, Members, StoredMember},
    table::Table,
};
use uuid::Uuid;

/// Verifier of passwords.
#[derive(Debug)]
pub struct Verifier {
    members: Members,
    failures: LoginFailureCounters,
    hasher: Hasher,
}

impl Verifier {
    /// Builds the verifier on a table.
    #[must_use]
    pub fn new(table: Table, hasher: Hasher) -> Self {
        Self { members: Members::new(table.clone()), failures: LoginFailureCounters::new(table), hasher }
    }

    /// Returns the member with an e-mail address if the password is theirs.
    ///
    /// # Errors
    ///
    /// Returns `TooManyFailedLogins` if the client is barred, whatever the password. Otherwise counts a failure and
    /// returns `WrongCredentials` if the address is unknown or the password is wrong. Returns `Database` if the database
    /// fails.
    pub async fn by_email(&self, credentials: &Credentials, client: ClientAddress) -> Result<StoredMember, Error> {
        let account = Account::from(&credentials.email);
        let data = self.members.login_data(&account, client).await?;
        self.verify(&account, data, &credentials.password, client).await
    }

    /// Returns the member with an id if the password is theirs.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Verifier::by_email`], with an unknown id in place of an unknown address.
    pub async fn by_id(&self, id: Uuid, password: &Password, client: ClientAddress) -> Result<StoredMember, Error> {
        let account = self.members.account(id).await?;
        let mut data = self.members.login_data(&account, client).await?;
        // Between the two reads, the member may have withdrawn and another one registered the address.
        data.stored = data.stored.filter(|stored| stored.member.id == id);
        self.verify(&account, data, password, client).await
    }

    async fn verify(
        &self,
        account: &Account,
        LoginData { stored, failures }: LoginData,
        password: &Password,
        client: ClientAddress,
    ) -> Result<StoredMember, Error> {
        let allowed = failures.check_limits();
        let hash = stored.as_ref().map(|stored| &stored.password);
        let verified = measure_hash(|| self.hasher.verify(password, hash));
        // The futures that write are boxed, because they are much larger than the rest.
        if let Err(too_many) = allowed {
            // Not counted, so that one client cannot bar all others.
            if let Err(error) = Box::pin(self.failures.record_nothing(account, client)).await {
                tracing::warn!(cause = error.causes(), "failed to imitate a login failure");
            }
            return Err(too_many);
        }
        let Some(stored) = stored.filter(|_| verified) else {
            Box::pin(self.failures.record(account, client)).await?;
            return Err(Error::WrongCredentials);
        };
        if failures.from_client.is_some()
            && let Err(error) = self.failures.reset(account, client).await
        {
            tracing::warn!(cause = error.causes(), "failed to reset login failures");
        }
        Ok(stored)
    }

    /// Hashes a new password.
    ///
    /// # Errors
    ///
    /// Returns `Unexpected` if hashing fails.
    pub fn hash(&self, password: &Password) -> Result<PasswordHash, Error> {
        measure_hash(|| self.hasher.hash(password)).map_err(Error::Unexpected)
    }

    /// Returns true if a hash has the parameters of new hashes.
    #[must_use]
    pub fn is_current(&self, hash: &PasswordHash) -> bool {
        self.hasher.is_current(hash)
    }
}
