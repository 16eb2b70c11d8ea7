//! The calls to DynamoDB that every entity makes in the same way.

use std::{collections::HashMap, time::Duration};

use aws_sdk_dynamodb::{
    Client,
    config::timeout::TimeoutConfig,
    error::{ProvideErrorMetadata, SdkError},
    operation::{
        transact_write_items::TransactWriteItemsError,
        update_item::{UpdateItemError, UpdateItemOutput},
    },
    types::{AttributeValue, CancellationReason, KeysAndAttributes, Put, TransactWriteItem},
};
use backon::{ExponentialBuilder, Retryable};
use tokio::time::{error::Elapsed, timeout};

use super::{
    failure::{is_conflict, is_throttle, is_unavailable, reasons},
    keys::{Key, PARTITION},
};
use crate::{aws::CALL_TIMEOUT, domain::error::Error};

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

    /// What the SDK gives a call with its own tries, and we give one with ours: template.yaml has each
    /// function run for as many of those as it makes.
    fn call_timeout(&self) -> Duration {
        let timeouts = self.client.config().timeout_config();
        timeouts.and_then(TimeoutConfig::operation_timeout).unwrap_or(CALL_TIMEOUT)
    }

    /// Reads items, each as it stands after every write that was acknowledged, with one call.
    ///
    /// Where the database had no capacity for some of them, all are read again.
    pub(super) async fn get_all<const N: usize>(&self, keys: [Key; N]) -> Result<[Option<Item>; N], Error> {
        let wanted = KeysAndAttributes::builder()
            .set_keys(Some(keys.iter().map(Key::attributes).collect()))
            .consistent_read(true)
            .build()
            .map_err(Error::unexpected)?;
        let read = || async {
            let read = self.client.batch_get_item().request_items(&self.name, wanted.clone()).send().await;
            let output = read.map_err(|error| Unread::Failed(failure(error)))?;
            let is_whole = output.unprocessed_keys().is_none_or(HashMap::is_empty);
            if is_whole { Ok(output) } else { Err(Unread::Throttled) }
        };
        let is_throttled = |unread: &Unread| matches!(unread, Unread::Throttled);
        let tries = read.retry(backoff()).when(is_throttled);
        let output =
            timeout(self.call_timeout(), tries).await.map_err(late)?.map_err(|unread| match unread {
                Unread::Throttled => Error::Database("throttled: some of the items were not read".into()),
                Unread::Failed(error) => error,
            })?;
        // They come in any order.
        let mut items = output.responses.and_then(|mut all| all.remove(&self.name)).unwrap_or_default();
        Ok(keys.map(|key| {
            let index = items.iter().position(|item| key.is_of(item))?;
            Some(items.swap_remove(index))
        }))
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
    /// A transaction that lost to a simultaneous one is tried again until the database decides on it, or
    /// its time is up; one that was throttled is tried again some times.
    pub(super) async fn transact(&self, items: Vec<TransactWriteItem>) -> Result<Outcome, Error> {
        let attempt = || async {
            self.client.transact_write_items().set_transact_items(Some(items.clone())).send().await
        };
        let mut throttled = 0;
        let is_undecided = |error: &SdkError<TransactWriteItemsError>| {
            let is_throttled = was_cancelled_for(error, is_throttle);
            throttled += usize::from(is_throttled);
            was_cancelled_for(error, is_conflict) || is_throttled && throttled <= TRIES_AGAIN
        };
        let tries = attempt.retry(backoff().without_max_times()).when(is_undecided);
        match timeout(self.call_timeout(), tries).await.map_err(late)? {
            Ok(_) => Ok(Outcome::Written),
            Err(error) => match refused(&error) {
                Some(items) => Ok(Outcome::Refused(items)),
                None => Err(failure(error)),
            },
        }
    }
}

/// Why several items are not read.
enum Unread {
    /// There is no capacity for some of them, which the SDK takes for an answer.
    Throttled,
    Failed(Error),
}

/// The error for a call whose time was up.
fn late(elapsed: Elapsed) -> Error {
    Error::Database(elapsed.into())
}

/// How often a call is made again for which there is no capacity.
const TRIES_AGAIN: usize = 6;

/// How often, and after what time, a call is made again that the SDK does not make again.
fn backoff() -> ExponentialBuilder {
    ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(20))
        .with_max_delay(Duration::from_millis(500))
        .with_max_times(TRIES_AGAIN)
        .with_jitter()
}

/// The error for a call to the database that failed.
pub(super) fn failure<E>(error: SdkError<E>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    if is_unavailable(&error) { Error::Database(error.into()) } else { Error::unexpected(error) }
}

/// Whether the condition of an update held; where it did not, nothing is written.
pub(super) fn condition_held(
    updated: Result<UpdateItemOutput, SdkError<UpdateItemError>>,
) -> Result<bool, Error> {
    match updated {
        Ok(_) => Ok(true),
        Err(error)
            if error
                .as_service_error()
                .is_some_and(UpdateItemError::is_conditional_check_failed_exception) =>
        {
            Ok(false)
        }
        Err(error) => Err(failure(error)),
    }
}

/// Whether a transaction was cancelled, which the SDK takes for a decision, for such a reason.
fn was_cancelled_for(
    error: &SdkError<TransactWriteItemsError>,
    reason: impl Fn(&CancellationReason) -> bool,
) -> bool {
    error.as_service_error().and_then(reasons).unwrap_or_default().iter().any(reason)
}

/// The items whose conditions do not hold, where that is all that is wrong.
fn refused(error: &SdkError<TransactWriteItemsError>) -> Option<Vec<usize>> {
    let mut refused = Vec::new();
    for (index, reason) in reasons(error.as_service_error()?)?.iter().enumerate() {
        match reason.code() {
            Some("ConditionalCheckFailed") => refused.push(index),
            Some("None") | None => {}
            Some(_) => return None,
        }
    }
    (!refused.is_empty()).then_some(refused)
}
