//! Failed logins in the table, counted by e-mail address.
//!
//! A counter begins with a failure and expires with its window, so it needs no clearing up. Nobody
//! reads a counter to write it: the database adds, so that of any number of simultaneous failures
//! all count. One whose answer was lost, which the SDK sends again, may count twice.

use std::time::Duration;

use aws_sdk_dynamodb::{operation::update_item::builders::UpdateItemFluentBuilder, types::AttributeValue};
use futures_util::future;
use serde::Deserialize;

use crate::{
    expiry::{epoch_seconds, since_epoch},
    keys::{self, EXPIRES, Key, PARTITION},
    table::{Item, Table, condition_met},
};
use domain::{
    client_address::ClientAddress,
    email::Email,
    error::Error,
    throttling::{Failures, WINDOW},
};

const FAILURES: &str = "failures";

/// A counter, as it is stored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counter {
    failures: u32,
    expires_at: u64,
}

/// The failures that a counter tells of; none where its window is over.
pub(super) fn current_failures(counter: Option<Item>, now: Duration) -> Result<Option<Failures>, Error> {
    let Some(counter) = counter else { return Ok(None) };
    let Counter { failures, expires_at } = serde_dynamo::from_item(counter).map_err(Error::unexpected)?;
    let left = expires_at.saturating_sub(now.as_secs());
    Ok((left > 0).then_some(Failures { count: failures, remaining: Duration::from_secs(left) }))
}

/// Counters of failed logins.
#[derive(Clone, Debug)]
pub struct LoginFailureCounters {
    table: Table,
}

impl LoginFailureCounters {
    /// Opens the counters in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Counts a failed login, for its client and for all clients, with one update of each.
    ///
    /// Where a window is over that the database has not removed yet, it takes up to two more.
    ///
    /// # Errors
    ///
    /// `Database` where it cannot be told.
    pub async fn record(&self, email: &Email, client: ClientAddress) -> Result<(), Error> {
        let folded = email.folded();
        let (from_client, from_all_clients) =
            (keys::client_login_failures(&folded, client), keys::login_failures(&folded));
        let (one, other) =
            future::join(self.add_failure(&from_client), self.add_failure(&from_all_clients)).await;
        one.and(other)
    }

    /// Forgets the failed logins of one client, who has logged in now.
    ///
    /// # Errors
    ///
    /// `Database` where it cannot be told.
    pub async fn reset(&self, email: &Email, client: ClientAddress) -> Result<(), Error> {
        // What has expired is gone at once, and so the function need not be allowed to delete.
        let update = self
            .update_counter(&keys::client_login_failures(&email.folded(), client), since_epoch()?)
            .update_expression("SET #expires = :now")
            .condition_expression("#expires > :now");
        condition_met(update.send().await).map(drop)
    }

    async fn add_failure(&self, key: &Key) -> Result<(), Error> {
        // Of those who find a window over, one begins the next, and the others add to that. Where it
        // is over again, somebody logged in meanwhile, who is forgiven.
        let _counted = self.add_to_window(key).await?
            || self.start_window(key).await?
            || self.add_to_window(key).await?;
        Ok(())
    }

    /// Adds to a counter, unless its window is over.
    async fn add_to_window(&self, key: &Key) -> Result<bool, Error> {
        let now = since_epoch()?;
        let update = self
            .update_counter(key, now)
            .update_expression("SET #expires = if_not_exists(#expires, :end) ADD #failures :one")
            .condition_expression("attribute_not_exists(#pk) OR #expires > :now")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#failures", FAILURES)
            .expression_attribute_values(":one", AttributeValue::N("1".to_owned()))
            .expression_attribute_values(":end", epoch_seconds(now + WINDOW));
        condition_met(update.send().await)
    }

    /// Begins the next window of a counter, if one is over.
    async fn start_window(&self, key: &Key) -> Result<bool, Error> {
        let now = since_epoch()?;
        let update = self
            .update_counter(key, now)
            .update_expression("SET #expires = :end, #failures = :one")
            .condition_expression("#expires <= :now")
            .expression_attribute_names("#failures", FAILURES)
            .expression_attribute_values(":one", AttributeValue::N("1".to_owned()))
            .expression_attribute_values(":end", epoch_seconds(now + WINDOW));
        condition_met(update.send().await)
    }

    fn update_counter(&self, key: &Key, now: Duration) -> UpdateItemFluentBuilder {
        self.table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(key.attributes()))
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":now", epoch_seconds(now))
    }
}
