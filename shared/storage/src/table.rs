//! DynamoDB calls and errors that all stores share.

use std::{collections::HashMap, fmt::Display, time::Duration};

use aws_sdk_dynamodb::{
    Client,
    config::timeout::TimeoutConfig,
    error::{ProvideErrorMetadata, SdkError},
    operation::query::builders::QueryFluentBuilder,
    types::{AttributeValue, KeysAndAttributes},
};
use backon::{ExponentialBuilder, Retryable};
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::{error::Elapsed, timeout};

use crate::keys::Key;
use aws::{CALL_TIMEOUT, failure::is_unavailable};
use domain::error::Error;

/// Maximum number of items that one call reads.
pub const MAX_READS: usize = 100;

/// DynamoDB item.
pub type Item = HashMap<String, AttributeValue>;

/// Builds an attribute with a text.
pub(super) fn text(value: impl Display) -> AttributeValue {
    AttributeValue::S(value.to_string())
}

/// Builds an attribute with a number.
pub(super) fn number(value: impl Display) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// Converts a time to an attribute in whole seconds.
pub(super) fn epoch_seconds(since_epoch: Duration) -> AttributeValue {
    number(since_epoch.as_secs())
}

/// Converts an item to a record; attributes that the record does not know are skipped.
pub(super) fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, Error> {
    serde_dynamo::from_item(item).map_err(Error::unexpected)
}

/// Converts a record to an item.
pub(super) fn to_item(record: &impl Serialize) -> Result<Item, Error> {
    serde_dynamo::to_item(record).map_err(Error::unexpected)
}

/// The service's only table.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) client: Client,
    pub(super) name: String,
}

impl Table {
    /// Opens the table with this name.
    #[must_use]
    pub fn new(client: Client, name: String) -> Self {
        Self { client, name }
    }

    /// Reads an item, strongly consistently.
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

    /// Builds a query of the items with this partition key, strongly consistently.
    pub(super) fn query(&self, partition: impl Display) -> QueryFluentBuilder {
        let query = self.client.query().table_name(&self.name).consistent_read(true);
        query.key_condition_expression("pk = :partition").expression_attribute_values(":partition", text(partition))
    }

    /// Deletes an item, if it exists.
    pub(super) async fn delete(&self, key: &Key) -> Result<(), Error> {
        let delete = self.client.delete_item().table_name(&self.name).set_key(Some(key.attributes()));
        delete.send().await.map(drop).map_err(failure)
    }

    /// Time limit of a call with its retries; function timeouts in template.yaml depend on it.
    pub(crate) fn call_timeout(&self) -> Duration {
        let timeouts = self.client.config().timeout_config();
        timeouts.and_then(TimeoutConfig::operation_timeout).unwrap_or(CALL_TIMEOUT)
    }

    /// Reads at most 100 items with one call, in any order.
    ///
    /// If some items are throttled, which the SDK treats as success, all are read again.
    pub(super) async fn read_batch(&self, keys: Vec<Item>, is_consistent: bool) -> Result<Vec<Item>, Error> {
        let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(is_consistent).build();
        let request = self.client.batch_get_item().request_items(&self.name, keys.map_err(Error::unexpected)?);
        let read = || async {
            let output = request.clone().send().await.map_err(failure)?;
            let is_complete = output.unprocessed_keys().is_none_or(HashMap::is_empty);
            if is_complete { Ok(output) } else { Err(Error::Database("throttled: not all items were read".into())) }
        };
        let attempts = read.retry(backoff()).when(|error| matches!(error, Error::Database(_)));
        let output = timeout(self.call_timeout(), attempts).await.map_err(timed_out)??;
        Ok(output.responses.and_then(|mut all| all.remove(&self.name)).unwrap_or_default())
    }
}

/// Converts the error of a call that exceeded its time limit.
pub(crate) fn timed_out(elapsed: Elapsed) -> Error {
    Error::Database(elapsed.into())
}

/// Maximum number of retries of a throttled call.
pub(crate) const MAX_RETRIES: usize = 6;

/// Shortest delay of these retries.
pub(crate) const SHORTEST_WAIT: Duration = Duration::from_millis(20);

/// Number and delays of the retries that the SDK does not make.
pub(crate) fn backoff() -> ExponentialBuilder {
    ExponentialBuilder::default()
        .with_min_delay(SHORTEST_WAIT)
        .with_max_delay(Duration::from_millis(500))
        .with_max_times(MAX_RETRIES)
        .with_jitter()
}

/// Converts the error of a failed call to DynamoDB.
pub(super) fn failure<E>(error: SdkError<E>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    if is_unavailable(&error) { Error::Database(error.into()) } else { Error::unexpected(error) }
}

/// Returns true if the condition of a write was met; if not, nothing is written.
pub(super) fn condition_met<T, E>(written: Result<T, SdkError<E>>) -> Result<bool, Error>
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
{
    match written {
        Ok(_) => Ok(true),
        Err(error) if error.code() == Some("ConditionalCheckFailedException") => Ok(false),
        Err(error) => Err(failure(error)),
    }
}
