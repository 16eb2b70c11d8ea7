//! Sessions of members.
//!
//! A session is one item, which expires by itself. A refresh is a read and a transaction: it raises the generation, on
//! condition that nobody else did and that the member's sessions were not ended. The item has no token and nothing
//! personal.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    keys::{self, EXPIRES},
    members::member_store::{StoredMember, epoch_is, epoch_of},
    table::{Table, epoch_seconds, failure, from_item, number, to_item},
    transaction::{Transaction, TransactionError, until_decided},
    write::Write,
};
use domain::{
    clock::{Clock, milliseconds},
    error::Error,
};

/// Time for which a session lasts after its last refresh, or after its login.
pub const IDLE_LIFETIME: Duration = Duration::from_hours(14 * 24);

/// Time for which a session lasts at most after its login.
pub const MAX_LIFETIME: Duration = Duration::from_hours(90 * 24);

/// Time after its first use in which a refresh token gets the newest token again, since a response can be lost and a
/// tab can be slow.
pub const REPETITION: Duration = Duration::from_mins(1);

/// Refresh token of a session. Each refresh raises the generation, so the successor of a token follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshToken {
    /// Id of the session.
    pub session: Uuid,
    /// Number of refreshes before this token was issued.
    pub generation: u32,
}

impl RefreshToken {
    /// Returns the token that a refresh with this one issues.
    #[must_use]
    pub fn successor(self) -> Self {
        Self { generation: self.generation.saturating_add(1), ..self }
    }
}

/// Message in the log, which an alarm in template.yaml looks for.
pub const REUSED: &str = "a refresh token was used again";

/// Maximum number of used tokens that a session remembers, so that a client in a loop cannot fill the item.
const MAX_REPEATABLE: usize = 50;

/// Store of the sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    table: Table,
}

/// Session item, which docs/data.md describes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionRecord {
    member: Uuid,
    /// Epoch of the member's sessions at the login.
    epoch: u64,
    /// Generation of the only token that was not used.
    generation: u32,
    /// Generations of the last tokens, with the times of their first use in milliseconds.
    used: Vec<(u32, u64)>,
    /// Time of the login, in seconds.
    started_at: u64,
    expires_at: u64,
}

/// Refreshed session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refreshed {
    /// Member whose session it is.
    pub member: Uuid,
    /// Refresh token that follows.
    pub token: RefreshToken,
}

impl Sessions {
    /// Opens the sessions in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Starts a session of a member whose password was verified, and returns its first token.
    ///
    /// A password that is changed meanwhile ends it, since it has the epoch of the verified one.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown; the session then expires unused.
    pub async fn start(&self, stored: &StoredMember) -> Result<RefreshToken, Error> {
        let (session, now) = (Uuid::new_v4(), Clock::default().now());
        let record = SessionRecord {
            member: stored.member.id,
            epoch: stored.epoch,
            generation: 0,
            used: Vec::new(),
            started_at: now.as_secs(),
            expires_at: (now + IDLE_LIFETIME).as_secs(),
        };
        let mut item = to_item(&record)?;
        item.extend(keys::session(session).attributes());
        let put = self.table.client.put_item().table_name(&self.table.name).set_item(Some(item));
        put.send().await.map_err(failure)?;
        Ok(RefreshToken { session, generation: 0 })
    }

    /// Continues a session with a token: the one that was not used, or one whose response may be lost. It is one of the
    /// last 50, and was first used within the last minute.
    ///
    /// Returns the newest token of the session.
    ///
    /// # Errors
    ///
    /// Returns `InvalidRefreshToken` if the session has ended. Ends it and returns the same if the token was used
    /// before. Returns `Database` if the outcome is unknown; the same token can then be used again.
    pub async fn refresh(&self, token: RefreshToken) -> Result<Refreshed, Error> {
        until_decided(&self.table, move || self.try_refresh(token)).await
    }

    /// Ends a session, if it has not ended.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn end(&self, session: Uuid) -> Result<(), Error> {
        self.table.delete(&keys::session(session)).await
    }

    async fn try_refresh(&self, token: RefreshToken) -> Result<Refreshed, TransactionError> {
        let now = Clock::default().now();
        let item = self.table.get(&keys::session(token.session)).await?.ok_or(Error::InvalidRefreshToken)?;
        let record: SessionRecord = from_item(item)?;
        if record.expires_at <= now.as_secs() {
            return Err(Error::InvalidRefreshToken.into());
        }
        let newest = if token.generation == record.generation {
            let mut transaction = Transaction::new(&self.table);
            transaction.add(record.rotation(token, now)?, TransactionError::Lost);
            transaction.add(epoch_is(record.member, record.epoch), Error::InvalidRefreshToken);
            transaction.commit().await?;
            token.successor()
        } else if record.is_repeated(token, now) {
            let member = self.table.get(&keys::member(record.member)).await?;
            if member.map(epoch_of).transpose()? != Some(record.epoch) {
                return Err(Error::InvalidRefreshToken.into());
            }
            RefreshToken { generation: record.generation, ..token }
        } else {
            tracing::warn!("{REUSED}");
            self.end(token.session).await?;
            return Err(Error::InvalidRefreshToken.into());
        };
        Ok(Refreshed { member: record.member, token: newest })
    }
}

impl SessionRecord {
    /// Returns true if a token was first used within the last seconds.
    fn is_repeated(&self, token: RefreshToken, now: Duration) -> bool {
        self.used.iter().any(|(generation, used)| *generation == token.generation && is_recent(*used, now))
    }

    /// Builds the write that raises the generation, only if the token is still unused.
    fn rotation(&self, token: RefreshToken, now: Duration) -> Result<Write, Error> {
        let mut used = self.used.clone();
        used.retain(|(_, used)| is_recent(*used, now));
        used.push((token.generation, milliseconds(now)));
        let used = &used[used.len().saturating_sub(MAX_REPEATABLE)..];
        let end = Duration::from_secs(self.started_at) + MAX_LIFETIME;
        let update = Write::update(keys::session(token.session))
            .set("generation", number(token.successor().generation))
            .set("used", serde_dynamo::to_attribute_value(used).map_err(Error::unexpected)?)
            .set(EXPIRES, epoch_seconds(end.min(now + IDLE_LIFETIME)));
        Ok(update.only_if("generation", "=", number(token.generation)))
    }
}

/// Returns true if a time in milliseconds is at most [`REPETITION`] before now.
fn is_recent(time: u64, now: Duration) -> bool {
    now <= Duration::from_millis(time) + REPETITION
}
