//! Counters of failed password checks for each account.
//!
//! A counter starts with a failure and expires with its window. DynamoDB adds to it without a read, so all
//! simultaneous failures count. If a response is lost and the SDK retries, the failure may count twice.

use std::time::Duration;

use aws_sdk_dynamodb::{operation::update_item::builders::UpdateItemFluentBuilder, types::AttributeValue};
use futures_util::future;
use serde::Deserialize;

use crate::{
    expiry::{epoch_seconds, since_epoch},
    keys::{self, Account, EXPIRES, Key, PARTITION},
    table::{Item, Table, condition_met},
};
use domain::{
    client_address::ClientAddress,
    error::Error,
    throttling::{Failures, WINDOW},
};

const FAILURES: &str = "failures";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counter {
    failures: u32,
    expires_at: u64,
}

/// Returns the failures of a counter, or none if its window is over.
pub(super) fn current_failures(counter: Option<Item>, now: Duration) -> Result<Option<Failures>, Error> {
    let Some(counter) = counter else { return Ok(None) };
    let Counter { failures, expires_at } = serde_dynamo::from_item(counter).map_err(Error::unexpected)?;
    let remaining = expires_at.saturating_sub(now.as_secs());
    Ok((remaining > 0).then_some(Failures { count: failures, remaining: Duration::from_secs(remaining) }))
}

/// Store of the counters of failed logins.
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

    /// Counts a failure for its client and for all clients, with one update each.
    ///
    /// An expired counter that DynamoDB has not removed yet takes up to two more updates.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn record(&self, account: &Account, client: ClientAddress) -> Result<(), Error> {
        let (from_client, from_all_clients) =
            (keys::client_login_failures(account, client), keys::login_failures(account));
        let (client_result, total_result) =
            future::join(self.add_failure(&from_client), self.add_failure(&from_all_clients)).await;
        client_result.and(total_result)
    }

    /// Takes the calls and write units of [`record`](Self::record), but changes no counter.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a call fails; nothing depends on it.
    pub async fn record_nothing(&self, account: &Account, client: ClientAddress) -> Result<(), Error> {
        let (from_client, from_all_clients) =
            (keys::client_login_failures(account, client), keys::login_failures(account));
        let (client_result, total_result) =
            future::join(self.add_nothing(&from_client), self.add_nothing(&from_all_clients)).await;
        client_result.and(total_result)
    }

    /// Resets the counter of a client after a correct password.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn reset(&self, account: &Account, client: ClientAddress) -> Result<(), Error> {
        // An expired counter is ignored at once, so the function needs no permission to delete.
        let update = self
            .update_counter(&keys::client_login_failures(account, client), since_epoch()?)
            .update_expression("SET #expires = :now")
            .condition_expression("#expires > :now");
        condition_met(update.send().await).map(drop)
    }

    async fn add_failure(&self, key: &Key) -> Result<(), Error> {
        // Of several requests, exactly one starts the next window and the others add to it. If it is over
        // again, a login succeeded meanwhile and reset it.
        let _counted =
            self.add_to_window(key).await? || self.start_window(key).await? || self.add_to_window(key).await?;
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

    /// Adds zero to a counter, if there is one.
    async fn add_nothing(&self, key: &Key) -> Result<(), Error> {
        let update = self
            .update_counter(key, since_epoch()?)
            .update_expression("ADD #failures :zero")
            .condition_expression("#expires > :now")
            .expression_attribute_names("#failures", FAILURES)
            .expression_attribute_values(":zero", AttributeValue::N("0".to_owned()));
        condition_met(update.send().await).map(drop)
    }

    /// Starts the next window of a counter, if the last is over.
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
