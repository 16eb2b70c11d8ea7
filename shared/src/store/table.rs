//! The calls to DynamoDB that every entity makes in the same way.

use std::{collections::HashMap, time::Duration};

use aws_sdk_dynamodb::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
    operation::transact_write_items::TransactWriteItemsError,
    types::{AttributeValue, CancellationReason, Put, TransactWriteItem},
};
use backon::{ExponentialBuilder, Retryable};

use super::keys::{Key, PARTITION};
use crate::domain::error::{Cause, Error};

/// An item as DynamoDB has it.
pub type Item = HashMap<String, AttributeValue>;

/// The one table.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) client: Client,
    pub(super) name: String,
}

/// How a transaction that the database decided on ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it is written.
    Written,
    /// None of it is, since the conditions of these of its items do not hold.
    Refused(Vec<usize>),
}

impl Table {
    /// The table of this name.
    #[must_use]
    pub fn new(client: Client, name: String) -> Self {
        Self { client, name }
    }

    /// Reads an item as it stands after every write that was acknowledged.
    pub(super) async fn get(&self, key: &Key) -> Result<Option<Item>, Error> {
        self.client
            .get_item()
            .table_name(&self.name)
            .set_key(Some(key.attributes()))
            .consistent_read(true)
            .send()
            .await
            .map(|output| output.item)
            .map_err(failure)
    }

    /// The write of an item whose key nothing has yet.
    pub(super) fn put_new(&self, key: &Key, item: Item) -> Result<TransactWriteItem, Error> {
        let put = Put::builder()
            .table_name(&self.name)
            .set_item(Some(item))
            .item(super::keys::SORT, AttributeValue::S(key.sort.clone()))
            .item(PARTITION, AttributeValue::S(key.partition.clone()))
            .condition_expression("attribute_not_exists(#pk)")
            .expression_attribute_names("#pk", PARTITION)
            .build()
            .map_err(Error::unexpected)?;
        Ok(TransactWriteItem::builder().put(put).build())
    }

    /// Writes all of it or nothing.
    ///
    /// A transaction that lost to a simultaneous one is tried again until the
    /// database decides on it, or its time is up.
    pub(super) async fn transact(&self, items: Vec<TransactWriteItem>) -> Result<Outcome, Error> {
        let attempt = || async {
            self.client.transact_write_items().set_transact_items(Some(items.clone())).send().await
        };
        let backoff = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(20))
            .with_max_delay(Duration::from_millis(500))
            .with_max_times(10)
            .with_jitter();
        match attempt.retry(backoff).when(lost_a_race).await {
            Ok(_) => Ok(Outcome::Written),
            Err(error) => match reasons(&error) {
                Some(reasons) if !lost_a_race(&error) => {
                    let refused: Vec<_> = reasons
                        .iter()
                        .enumerate()
                        .filter(|(_, reason)| reason.code() == Some("ConditionalCheckFailed"))
                        .map(|(index, _)| index)
                        .collect();
                    if refused.is_empty() { Err(failure(error)) } else { Ok(Outcome::Refused(refused)) }
                }
                _ => Err(failure(error)),
            },
        }
    }
}

/// Sorts out a call that failed after the SDK's own tries: is the database to
/// blame, or are we?
pub(super) fn failure<E>(error: SdkError<E>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    const BUSY: [&str; 7] = [
        "InternalServerError",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "ThrottlingException",
        "TransactionCanceledException",
        "TransactionInProgressException",
    ];
    let unavailable = match &error {
        SdkError::ConstructionFailure(_) => false,
        SdkError::ServiceError(service) => {
            service.err().code().map_or(service.raw().status().is_server_error(), |code| BUSY.contains(&code))
        }
        _ => true,
    };
    let cause: Cause = Box::new(error);
    if unavailable { Error::Database(cause) } else { Error::Unexpected(cause) }
}

fn lost_a_race(error: &SdkError<TransactWriteItemsError>) -> bool {
    reasons(error)
        .is_some_and(|reasons| reasons.iter().any(|reason| reason.code() == Some("TransactionConflict")))
}

fn reasons(error: &SdkError<TransactWriteItemsError>) -> Option<&[CancellationReason]> {
    match error.as_service_error()? {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => {
            Some(cancelled.cancellation_reasons())
        }
        _ => None,
    }
}
