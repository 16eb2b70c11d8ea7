//! Transactions: several conditional writes that all succeed or all fail.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use aws::failure::{cancellation_reasons, is_conflict, is_throttling};
use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata as _, SdkError},
    operation::transact_write_items::TransactWriteItemsError,
    types::CancellationReason,
};
use backon::{ExponentialBuilder, Retryable as _};
use domain::error::Error;
use tokio::time::timeout;

use crate::{
    table::{MAX_RETRIES, SHORTEST_WAIT, Table, backoff, failure, timed_out},
    write::Write,
};

/// Maximum number of writes in a transaction of DynamoDB.
pub const MAX_WRITES: usize = 100;

/// Writes of one transaction, each with the meaning of its failed condition.
#[derive(Debug)]
pub struct Transaction<'a> {
    table: &'a Table,
    writes: Vec<(Write, Option<TransactionError>)>,
}

/// Reason why no try of a transaction succeeded.
enum Failure {
    /// Another transaction was writing an item; with the meaning of the first write of such an item.
    Conflict(TransactionError),
    Other(TransactionError),
}

/// Reason why a transaction, or an operation that ends with one, changes nothing.
#[derive(Debug)]
pub enum TransactionError {
    /// A simultaneous change came first, so the operation can be repeated.
    Lost,
    /// The operation fails with this error.
    Final(Error),
}

impl From<Error> for TransactionError {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

impl From<TransactionError> for Error {
    fn from(failure: TransactionError) -> Self {
        match failure {
            TransactionError::Lost => Self::Database("a simultaneous change came first".into()),
            TransactionError::Final(error) => error,
        }
    }
}

impl<'a> Transaction<'a> {
    pub fn new(table: &'a Table) -> Self {
        Self { table, writes: Vec::new() }
    }

    /// Adds a write with conditions; `if_failed` is the meaning of a failed one.
    pub fn add(&mut self, write: Write, if_failed: impl Into<TransactionError>) {
        self.writes.push((write, Some(if_failed.into())));
    }

    pub fn add_unconditional(&mut self, write: Write) {
        self.writes.push((write, None));
    }

    /// Carries out all writes or none; returns the meaning of the first failed condition.
    ///
    /// Retries conflicts up to the time limit of a call, and throttling a few times.
    pub async fn commit(self) -> Result<(), TransactionError> {
        self.send(backoff(), Duration::MAX).await.map_err(Failure::meaning)
    }

    /// Like [`Self::commit`], but returns false if the meaning is `Lost`.
    pub async fn commit_unless_lost(self) -> Result<bool, Error> {
        match self.commit().await {
            Ok(()) => Ok(true),
            Err(TransactionError::Lost) => Ok(false),
            Err(TransactionError::Final(error)) => Err(error),
        }
    }

    /// Carries out all writes or none. If another transaction is writing items of this one, returns the meaning of the
    /// first write of such an item, otherwise that of the first failed condition.
    ///
    /// Retries throttling a few times.
    pub async fn commit_without_waiting(self) -> Result<(), TransactionError> {
        self.send(backoff(), Duration::ZERO).await.map_err(Failure::meaning)
    }

    /// Carries out all writes or none. Returns false if other transactions are writing items of this one during all
    /// tries of this time, of which there is at least one.
    ///
    /// The waits between the tries stay short, since the transaction needs a moment without any of many others. Retries
    /// throttling a few times.
    pub async fn commit_within(self, time: Duration) -> Result<bool, TransactionError> {
        match self.send(backoff().with_max_delay(SHORTEST_WAIT), time).await {
            Ok(()) => Ok(true),
            Err(Failure::Conflict(_)) => Ok(false),
            Err(Failure::Other(error)) => Err(error),
        }
    }

    /// Sends the transaction, and retries conflicts for a time, but not longer than the time limit of a call.
    async fn send(self, waits: ExponentialBuilder, conflict_time: Duration) -> Result<(), Failure> {
        let (writes, mut meanings): (Vec<_>, Vec<_>) = self.writes.into_iter().unzip();
        let writes: Result<Vec<_>, _> = writes.into_iter().map(|write| write.build(&self.table.name)).collect();
        let writes = writes.map_err(Error::unexpected)?;
        let transaction = self.table.client.transact_write_items().set_transact_items(Some(writes));
        let attempt = || transaction.clone().send();
        let (started, mut throttled) = (Instant::now(), 0);
        let is_retryable = |error: &SdkError<TransactWriteItemsError>| {
            let is_throttled = was_cancelled_for(error, is_throttling);
            throttled += usize::from(is_throttled);
            let is_in_time = || started.elapsed() < conflict_time;
            was_cancelled_for(error, is_conflict) && is_in_time() || is_throttled && throttled <= MAX_RETRIES
        };
        let attempts = attempt.retry(waits.without_max_times()).when(is_retryable);
        match timeout(self.table.call_timeout(), attempts).await.map_err(timed_out)? {
            Ok(_) => Ok(()),
            Err(error) if was_cancelled_for(&error, is_item_too_large) => Err(Error::TooManyShows.into()),
            Err(error) => {
                let conflict = conflict(&error);
                let index = conflict.or_else(|| failed_condition(&error));
                let failed = index.and_then(|index| meanings.get_mut(index)?.take());
                let meaning = failed.unwrap_or_else(|| failure(error).into());
                Err(if conflict.is_some() { Failure::Conflict(meaning) } else { Failure::Other(meaning) })
            }
        }
    }
}

impl Table {
    /// Carries out an update of one item, outside of a transaction; returns `Lost` if a condition is not met, or if a
    /// transaction is writing the item.
    pub(crate) async fn update(&self, write: Write) -> Result<(), TransactionError> {
        let update = write.build(&self.name).map_err(Error::unexpected)?.update;
        let update = update.ok_or_else(|| Error::unexpected("another kind of write"))?;
        let request = self.client.update_item().table_name(&self.name).set_key(Some(update.key));
        let request = request.update_expression(update.update_expression);
        let request = request.set_condition_expression(update.condition_expression);
        let request = request.set_expression_attribute_names(update.expression_attribute_names);
        match request.set_expression_attribute_values(update.expression_attribute_values).send().await {
            Ok(_) => Ok(()),
            Err(error) if was_overtaken(error.code()) => Err(TransactionError::Lost),
            Err(error) => Err(failure(error).into()),
        }
    }
}

impl Failure {
    fn meaning(self) -> TransactionError {
        match self {
            Self::Conflict(meaning) | Self::Other(meaning) => meaning,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Other(error.into())
    }
}

/// Counter of the attempts of an operation.
#[derive(Debug, Default)]
pub struct Attempts(AtomicU32);

impl Attempts {
    /// Counts an attempt, and returns true if it is the first one.
    pub fn is_first(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) == 0
    }
}

/// Repeats an operation, a read and a transaction, until no simultaneous change comes in between.
///
/// Returns `Database` after the time limit of two calls.
pub async fn until_decided<T, F>(table: &Table, operation: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, TransactionError>>,
{
    until_decided_with(table, backoff(), operation).await
}

/// Like [`until_decided`], with other waits between the attempts.
pub async fn until_decided_with<T, F>(
    table: &Table,
    waits: ExponentialBuilder,
    operation: impl Fn() -> F,
) -> Result<T, Error>
where
    F: Future<Output = Result<T, TransactionError>>,
{
    // Boxed, because the type of the whole future exceeds the compiler's recursion limit.
    let attempt = || Box::pin(operation());
    let is_lost = |error: &TransactionError| matches!(error, TransactionError::Lost);
    let attempts = attempt.retry(waits.without_max_times()).when(is_lost);
    Ok(timeout(2 * table.call_timeout(), attempts).await.map_err(timed_out)??)
}

/// Returns true if a write would make an item exceed the limit of DynamoDB, 400 KB.
///
/// Only the lock items of a title and place can become so large.
fn is_item_too_large(reason: &CancellationReason) -> bool {
    reason.code() == Some("ValidationError")
        && reason.message().is_some_and(|message| message.starts_with("Item size to update"))
}

/// Returns true if a simultaneous change has the item, or has changed it.
fn was_overtaken(code: Option<&str>) -> bool {
    matches!(code, Some("ConditionalCheckFailedException" | "TransactionConflictException"))
}

fn was_cancelled_for(error: &SdkError<TransactWriteItemsError>, reason: impl Fn(&CancellationReason) -> bool) -> bool {
    error.as_service_error().and_then(cancellation_reasons).unwrap_or_default().iter().any(reason)
}

/// Returns the index of the first write whose item another transaction is writing.
fn conflict(error: &SdkError<TransactWriteItemsError>) -> Option<usize> {
    cancellation_reasons(error.as_service_error()?)?.iter().position(is_conflict)
}

/// Returns the index of the first failed condition, if there is no other reason.
fn failed_condition(error: &SdkError<TransactWriteItemsError>) -> Option<usize> {
    let reasons = cancellation_reasons(error.as_service_error()?)?;
    let is_failed = |reason: &CancellationReason| reason.code() == Some("ConditionalCheckFailed");
    let is_none = |reason: &CancellationReason| matches!(reason.code(), Some("None") | None);
    if reasons.iter().any(|reason| !is_failed(reason) && !is_none(reason)) {
        return None;
    }
    reasons.iter().position(is_failed)
}
