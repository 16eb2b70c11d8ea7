//! Transactions: several conditional writes that all succeed or all fail.

use aws::failure::{cancellation_reasons, is_conflict, is_throttling};
use aws_sdk_dynamodb::{
    error::SdkError,
    operation::transact_write_items::TransactWriteItemsError,
    types::{AttributeValue, CancellationReason, Delete, Put, TransactWriteItem, Update, builders::UpdateBuilder},
};
use backon::Retryable as _;
use domain::error::Error;
use tokio::time::timeout;

use crate::{
    keys::{Key, PARTITION, SORT},
    table::{Item, MAX_RETRIES, Table, backoff, failure, timed_out},
};

/// Writes of one transaction, each with the meaning of its failed condition.
#[derive(Debug)]
pub struct Transaction<'a, M> {
    table: &'a Table,
    writes: Vec<TransactWriteItem>,
    meanings: Vec<Option<M>>,
}

/// Outcome of a transaction that DynamoDB has decided on.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome<M> {
    /// All writes are carried out.
    Written,
    /// Nothing is written; the meaning is that of the first failed condition.
    ConditionFailed(M),
}

impl<'a, M> Transaction<'a, M> {
    pub fn new(table: &'a Table) -> Self {
        Self { table, writes: Vec::new(), meanings: Vec::new() }
    }

    /// Returns the name of the table.
    pub fn table(&self) -> &str {
        &self.table.name
    }

    /// Adds an item with a new key; `if_taken` is the meaning of an existing key.
    pub fn put_new(&mut self, key: &Key, mut item: Item, if_taken: M) -> Result<(), Error> {
        item.insert(PARTITION.to_owned(), AttributeValue::S(key.partition.clone()));
        item.insert(SORT.to_owned(), AttributeValue::S(key.sort.clone()));
        let put = Put::builder()
            .table_name(&self.table.name)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(#pk)")
            .expression_attribute_names("#pk", PARTITION)
            .build()
            .map_err(Error::unexpected)?;
        self.add_conditional(TransactWriteItem::builder().put(put).build(), if_taken);
        Ok(())
    }

    /// Adds a write with a condition; `if_failed` is the meaning of its failure.
    pub fn add_conditional(&mut self, write: TransactWriteItem, if_failed: M) {
        self.writes.push(write);
        self.meanings.push(Some(if_failed));
    }

    pub fn add_unconditional(&mut self, write: TransactWriteItem) {
        self.writes.push(write);
        self.meanings.push(None);
    }

    /// Carries out all writes or none.
    ///
    /// Retries conflicts up to the time limit of a call, and throttling a few times.
    pub async fn commit(mut self) -> Result<Outcome<M>, Error> {
        let Self { table, writes, .. } = &self;
        let attempt =
            || async { table.client.transact_write_items().set_transact_items(Some(writes.clone())).send().await };
        let mut throttled = 0;
        let is_retryable = |error: &SdkError<TransactWriteItemsError>| {
            let is_throttled = was_cancelled_for(error, is_throttling);
            throttled += usize::from(is_throttled);
            was_cancelled_for(error, is_conflict) || is_throttled && throttled <= MAX_RETRIES
        };
        let attempts = attempt.retry(backoff().without_max_times()).when(is_retryable);
        match timeout(table.call_timeout(), attempts).await.map_err(timed_out)? {
            Ok(_) => Ok(Outcome::Written),
            Err(error) if was_cancelled_for(&error, is_item_too_large) => Err(Error::TooManyShows),
            Err(error) => {
                let failed = failed_condition(&error).and_then(|index| self.meanings.get_mut(index)?.take());
                failed.map(Outcome::ConditionFailed).ok_or_else(|| failure(error))
            }
        }
    }
}

pub fn update(update: UpdateBuilder) -> Result<TransactWriteItem, Error> {
    let update: Update = update.build().map_err(Error::unexpected)?;
    Ok(TransactWriteItem::builder().update(update).build())
}

/// Builds the unconditional deletion of an item.
pub fn delete(table: &Table, key: &Key) -> Result<TransactWriteItem, Error> {
    let delete =
        Delete::builder().table_name(&table.name).set_key(Some(key.attributes())).build().map_err(Error::unexpected)?;
    Ok(TransactWriteItem::builder().delete(delete).build())
}

/// Returns true if a write would make an item exceed the limit of DynamoDB, 400 KB.
///
/// Only the lock items of a title and place can become so large.
fn is_item_too_large(reason: &CancellationReason) -> bool {
    reason.code() == Some("ValidationError")
        && reason.message().is_some_and(|message| message.starts_with("Item size to update"))
}

fn was_cancelled_for(error: &SdkError<TransactWriteItemsError>, reason: impl Fn(&CancellationReason) -> bool) -> bool {
    error.as_service_error().and_then(cancellation_reasons).unwrap_or_default().iter().any(reason)
}

/// Returns the index of the first failed condition, if there is no other reason.
fn failed_condition(error: &SdkError<TransactWriteItemsError>) -> Option<usize> {
    let mut first = None;
    for (index, reason) in cancellation_reasons(error.as_service_error()?)?.iter().enumerate() {
        match reason.code() {
            Some("ConditionalCheckFailed") => first = first.or(Some(index)),
            Some("None") | None => {}
            Some(_) => return None,
        }
    }
    first
}
