//! Mails of the last hour: to each address, whether or not a member has it, and caused by each client.
//!
//! A mail is counted before it is sent, so simultaneous requests cannot pass a limit. Each count has a window that
//! starts with its first mail, and expires by itself.

use std::time::Duration;

use domain::{
    client_address::ClientAddress,
    clock::Clock,
    email::Email,
    error::Error,
    mail::{MAX_FROM_ONE_CLIENT, MAX_TO_ONE_ADDRESS, MailKind, WINDOW},
};
use serde::{Deserialize, Serialize};

use crate::{
    items::Items,
    keys::{self, EXPIRES, Key},
    table::{Table, from_item, number, to_item},
    transaction::{Transaction, TransactionError, until_decided},
    write::Write,
};

/// Attribute with the number of mails in a window.
const COUNT: &str = "count";

/// Store of the counts.
#[derive(Clone, Debug)]
pub struct MailCounts {
    table: Table,
}

/// Item with a count, which docs/data.md describes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MailCount {
    count: u32,
    /// End of the window, in seconds.
    expires_at: u64,
}

impl MailCounts {
    /// Opens the counts in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Counts a mail to an address, and for the client that causes it; a read and a transaction.
    ///
    /// # Errors
    ///
    /// Counts nothing and returns `TooManyMails` if a limit is reached. Returns `Database` if the outcome is unknown.
    pub async fn count(&self, email: &Email, kind: MailKind, client: &ClientAddress) -> Result<(), Error> {
        let limits =
            [(keys::mails_to(email, kind), MAX_TO_ONE_ADDRESS), (keys::mails_from(client), MAX_FROM_ONE_CLIENT)];
        until_decided(&self.table, || self.try_count(&limits)).await
    }

    async fn try_count(&self, limits: &[(Key, u32)]) -> Result<(), TransactionError> {
        let now = Clock::default().now().as_secs();
        let mut items = Items::read(&self.table, limits.iter().map(|(key, _)| key.clone())).await?;
        let mut transaction = Transaction::new(&self.table);
        let mut wait = 0;
        for (key, max) in limits {
            let before: Option<MailCount> = items.take(key).map(from_item).transpose()?;
            let current = before.clone().filter(|before| now < before.expires_at);
            if let Some(full) = current.as_ref().filter(|current| current.count >= *max) {
                wait = wait.max(full.expires_at - now);
            }
            let next = current.unwrap_or(MailCount { count: 0, expires_at: now + WINDOW.as_secs() });
            let write = Write::put(key.clone(), to_item(&MailCount { count: next.count + 1, ..next })?);
            let write = match before {
                None => write.if_absent(COUNT),
                Some(before) => {
                    write.only_if(COUNT, "=", number(before.count)).only_if(EXPIRES, "=", number(before.expires_at))
                }
            };
            transaction.add(write, TransactionError::Lost);
        }
        if wait > 0 {
            return Err(Error::TooManyMails(Duration::from_secs(wait)).into());
        }
        transaction.commit().await
    }
}
