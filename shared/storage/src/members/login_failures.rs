//! Failed password checks for each e-mail address, whether or not a member has it.
//!
//! An attempt is counted before its password is checked, and taken back if the password is correct. So however many
//! guesses are simultaneous, only as many are checked as the limits allow. One item counts the failures of all clients
//! and those of each client, in a window that starts with the first of them.

use std::{collections::HashMap, time::Duration};

use aws_sdk_dynamodb::{
    operation::update_item::{UpdateItemError, builders::UpdateItemFluentBuilder},
    types::{AttributeValue, ReturnValuesOnConditionCheckFailure},
};

use crate::{
    keys::{self, EXPIRES},
    table::{Item, Table, condition_met, epoch_seconds, failure, number},
};
use domain::{
    client_address::ClientAddress,
    clock::Clock,
    email::Email,
    error::Error,
    throttling::{MAX_FROM_ALL_CLIENTS, MAX_FROM_ONE_CLIENT, WINDOW},
};

/// Store of the failed password checks.
#[derive(Clone, Debug)]
pub struct LoginFailures {
    table: Table,
}

impl LoginFailures {
    /// Opens the failures in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Counts an attempt of a client as a failure; within a window, that takes a second call.
    ///
    /// # Errors
    ///
    /// Counts nothing and returns `TooManyFailedLogins` if a limit is reached. Returns `Database` if the outcome is
    /// unknown.
    pub async fn count(&self, email: &Email, client: &ClientAddress) -> Result<(), Error> {
        let now = Clock::default().now();
        while !self.start_window(email, client, now).await? {
            if self.count_in_window(email, client, now).await? {
                break;
            }
        }
        Ok(())
    }

    /// Counts an attempt in the window of earlier ones; returns false if it was forgotten meanwhile.
    async fn count_in_window(&self, email: &Email, client: &ClientAddress, now: Duration) -> Result<bool, Error> {
        let counted = self
            .update(email, now)
            .update_expression(
                "SET failures = failures + :one, clients.#client = if_not_exists(clients.#client, :zero) + :one",
            )
            .condition_expression(
                "expiresAt > :now AND failures < :max_from_all
                 AND (attribute_not_exists(clients.#client) OR clients.#client < :max_from_one)",
            )
            .expression_attribute_names("#client", client.to_string())
            .expression_attribute_values(":zero", number(0))
            .expression_attribute_values(":max_from_all", number(MAX_FROM_ALL_CLIENTS))
            .expression_attribute_values(":max_from_one", number(MAX_FROM_ONE_CLIENT))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        let Err(error) = counted else { return Ok(true) };
        match error.as_service_error() {
            Some(UpdateItemError::ConditionalCheckFailedException(failed)) => match failed.item() {
                Some(full) if !full.is_empty() => Err(Error::TooManyFailedLogins(remaining(full, now))),
                _ => Ok(false),
            },
            _ => Err(failure(error)),
        }
    }

    /// Takes back an attempt of a client whose password was correct, and forgets its earlier failures.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn take_back(&self, email: &Email, client: &ClientAddress) -> Result<(), Error> {
        let taken_back = self
            .update(email, Clock::default().now())
            .update_expression("SET failures = failures - :one REMOVE clients.#client")
            .condition_expression("expiresAt > :now")
            .expression_attribute_names("#client", client.to_string())
            .send()
            .await;
        condition_met(taken_back).map(drop)
    }

    /// Forgets all failures with an e-mail address, of all clients.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn forget(&self, email: &Email) -> Result<(), Error> {
        self.table.delete(&keys::login_failures(email)).await
    }

    /// Starts a window with the attempt of a client, unless the last one is not over.
    async fn start_window(&self, email: &Email, client: &ClientAddress, now: Duration) -> Result<bool, Error> {
        let clients = HashMap::from([(client.to_string(), number(1))]);
        let started = self
            .update(email, now)
            .update_expression("SET expiresAt = :end, failures = :one, clients = :clients")
            .condition_expression("attribute_not_exists(clients) OR expiresAt <= :now")
            .expression_attribute_values(":end", epoch_seconds(now + WINDOW))
            .expression_attribute_values(":clients", AttributeValue::M(clients))
            .send()
            .await;
        condition_met(started)
    }

    fn update(&self, email: &Email, now: Duration) -> UpdateItemFluentBuilder {
        self.table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(keys::login_failures(email).attributes()))
            .expression_attribute_values(":now", epoch_seconds(now))
            .expression_attribute_values(":one", number(1))
    }
}

/// Returns the remaining time of a window, at least a second.
fn remaining(item: &Item, now: Duration) -> Duration {
    let end = item.get(EXPIRES).and_then(|end| end.as_n().ok()?.parse::<u64>().ok()).unwrap_or_default();
    Duration::from_secs(end.saturating_sub(now.as_secs()).max(1))
}
