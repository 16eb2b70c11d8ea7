//! Tokens of members' sessions: who issues them, and who only verifies them.

use domain::error::Error;
use storage::{
    members::{
        public_keys::{PublicKey, PublicKeys, Rotation},
        sessions::RefreshToken,
    },
    table::Table,
};
use uuid::Uuid;

use crate::{
    access_token::{self, AccessKey, AccessTokens},
    refresh_token::{AccessLifetime, RefreshKey, Tokens},
    secret::Secret,
};

/// Issuer of the tokens of sessions.
#[derive(Debug)]
pub struct TokenIssuer {
    refresh: RefreshKey,
    signing: AccessKey,
    rotation: Rotation,
    audience: String,
    lifetime: AccessLifetime,
    keys: PublicKeys,
}

/// Verifier of access tokens, which cannot issue them.
#[derive(Debug)]
pub struct AccessVerifier {
    rotation: Rotation,
    audience: String,
    keys: PublicKeys,
}

impl TokenIssuer {
    /// Derives the keys from the secret of a deployment, and stores the public one in the table.
    ///
    /// If that fails, it is tried again before the first token is issued.
    pub async fn start(
        table: Table,
        secret: &Secret,
        rotation: Rotation,
        audience: String,
        lifetime: AccessLifetime,
    ) -> Self {
        let (refresh, signing) = (RefreshKey::derive(secret), AccessKey::derive(secret, rotation));
        let issuer = Self { refresh, signing, rotation, audience, lifetime, keys: PublicKeys::new(table) };
        if let Err(error) = issuer.publish().await {
            tracing::warn!(cause = error.causes(), "public key not stored yet");
        }
        issuer
    }

    async fn publish(&self) -> Result<(), Error> {
        self.keys.publish(self.rotation, self.signing.public()).await
    }

    /// Issues an access token for a member, and writes the refresh token.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the public key cannot be stored.
    pub async fn issue(&self, issuer: &str, member: Uuid, refresh: RefreshToken) -> Result<Tokens, Error> {
        let lifetime = self.lifetime.duration();
        let tokens = AccessTokens { issuer: issuer.to_owned(), audience: self.audience.clone(), lifetime };
        let access = self.signing.issue(&tokens, member)?;
        self.publish().await?;
        Ok(Tokens { access, expires_in: lifetime.as_secs(), refresh: self.refresh.sign(refresh) })
    }

    /// Reads a refresh token; `None` if this service did not issue it.
    #[must_use]
    pub fn refresh_token(&self, text: &str) -> Option<RefreshToken> {
        self.refresh.verify(text)
    }
}

impl AccessVerifier {
    /// Builds the verifier on a table with the public keys.
    #[must_use]
    pub fn new(table: Table, rotation: Rotation, audience: String) -> Self {
        Self { rotation, audience, keys: PublicKeys::new(table) }
    }

    /// Returns the member of an access token.
    ///
    /// # Errors
    ///
    /// Returns `NoAccessToken` without a token, `InvalidAccessToken` if it is invalid, `Database` if the keys cannot be
    /// read.
    pub async fn member(&self, token: Option<&str>, issuer: &str) -> Result<Uuid, Error> {
        let token = token.ok_or(Error::NoAccessToken)?;
        let id = access_token::key_id(token)?;
        let key = self.keys.find(self.rotation, &id).await?.ok_or(Error::InvalidAccessToken)?;
        access_token::verify(token, key, issuer, &self.audience)
    }
}

/// Returns the public keys that other services need: those of [`Rotation::valid`].
#[must_use]
pub fn public_keys(secret: &Secret, rotation: Rotation) -> Vec<PublicKey> {
    rotation.valid().map(|rotation| AccessKey::derive(secret, rotation).public().clone()).collect()
}
