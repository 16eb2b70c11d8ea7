//! Time to live and the table's stream, as far as the service needs them.
//!
//! The embedded DynamoDB has both, but its sweep uses its own clock, and one in memory has no stream. Therefore this
//! module removes expired items, and invokes the function for them.

use std::{
    collections::HashMap,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use aws_sdk_dynamodb::{Client, operation::delete_item::DeleteItemError, types::AttributeValue};
use domain::error::Cause;
use functions::posters::{
    cleanup::Cleanup,
    stream::{StreamEvent, StreamRecord},
};
use serde_json::json;
use storage::keys::{EXPIRES, PARTITION, SORT};
use uuid::Uuid;

use crate::emulators::TABLE;

/// Interval in which a running service removes expired items; AWS takes up to days.
pub const SWEEP_INTERVAL: Duration = Duration::from_mins(1);

/// Number of records in one invocation, as in template.yaml.
const BATCH_SIZE: usize = 10;

/// Sweeper of expired items, with the stream records that are not processed yet.
#[derive(Debug, Default)]
pub struct ExpirySweeper {
    pending: Vec<StreamRecord>,
}

impl ExpirySweeper {
    /// Removes items that are expired at `now`, invokes the function for them, and returns their number.
    ///
    /// Records that the function fails to process are retried in the next sweep.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails.
    pub async fn sweep(&mut self, dynamodb: &Client, cleanup: &Cleanup, now: SystemTime) -> Result<usize, Cause> {
        let now = AttributeValue::N(now.duration_since(UNIX_EPOCH)?.as_secs().to_string());
        let mut expired = dynamodb
            .scan()
            .table_name(TABLE)
            .filter_expression("#expires <= :now")
            .projection_expression("#pk, #sk")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#sk", SORT)
            .expression_attribute_values(":now", now.clone())
            .into_paginator()
            .items()
            .send();
        let mut removed = 0;
        while let Some(key) = expired.next().await {
            let key = key?;
            if remove(dynamodb, key.clone(), now.clone()).await? {
                self.pending.push(stream_record(&key)?);
                removed += 1;
            }
        }
        self.invoke_cleanup(cleanup).await;
        Ok(removed)
    }

    async fn invoke_cleanup(&mut self, cleanup: &Cleanup) {
        let mut failed = Vec::new();
        for records in self.pending.chunks(BATCH_SIZE) {
            let event = StreamEvent { records: records.to_vec() };
            let failures = cleanup.handle(event).await.batch_item_failures;
            failed.extend(failures.into_iter().map(|failure| failure.item_identifier));
        }
        self.pending.retain(|record| failed.contains(&record.change.sequence_number));
    }
}

/// Removes an item if it is still expired, and returns true if it did.
async fn remove(dynamodb: &Client, key: HashMap<String, AttributeValue>, now: AttributeValue) -> Result<bool, Cause> {
    let removed = dynamodb
        .delete_item()
        .table_name(TABLE)
        .set_key(Some(key))
        .condition_expression("#expires <= :now")
        .expression_attribute_names("#expires", EXPIRES)
        .expression_attribute_values(":now", now)
        .send()
        .await;
    match removed {
        Ok(_) => Ok(true),
        Err(error) if error.as_service_error().is_some_and(DeleteItemError::is_conditional_check_failed_exception) => {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Builds the stream record of an expired item.
fn stream_record(key: &HashMap<String, AttributeValue>) -> Result<StreamRecord, Cause> {
    let text = |name: &str| key.get(name).and_then(|value| value.as_s().ok());
    Ok(serde_json::from_value(json!({
        "eventID": Uuid::new_v4(),
        "eventName": "REMOVE",
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "ap-northeast-2",
        "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
        "dynamodb": {
            "Keys": {PARTITION: {"S": text(PARTITION)}, SORT: {"S": text(SORT)}},
            "SequenceNumber": Uuid::new_v4().as_u128().to_string(),
            "SizeBytes": 0,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    }))?)
}

#[cfg(test)]
mod tests {
    use aws_sdk_s3::{config::retry::RetryConfig, primitives::ByteStream};
    use storage::{events::poster_store::PREFIX, keys};

    use super::*;
    use crate::{Addresses, BUCKET, Data, Stack};

    #[tokio::test]
    async fn failed_records_are_retried() {
        let stack = Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap();
        let (dynamodb, s3) = (stack.dynamodb(), stack.s3());
        let thumbnail = format!("{}.png", Uuid::new_v4());
        let object = format!("{PREFIX}{thumbnail}");
        let body = ByteStream::from_static(b"a poster");
        s3.put_object().bucket(BUCKET).key(&object).body(body).send().await.unwrap();
        let mut item = keys::poster(&thumbnail).attributes();
        item.insert(EXPIRES.to_owned(), AttributeValue::N("1".to_owned()));
        dynamodb.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();

        let unreachable = s3.config().to_builder().endpoint_url("http://127.0.0.1:1");
        let unreachable = unreachable.retry_config(RetryConfig::disabled()).build();
        let environment = stack.environment().unwrap();
        let cleanup = Cleanup::new(&environment).await.unwrap();
        let broken = environment.with_clients(dynamodb.clone(), aws_sdk_s3::Client::from_conf(unreachable));
        let broken = Cleanup::new(&broken).await.unwrap();
        let mut sweeper = ExpirySweeper::default();
        let head = async || s3.head_object().bucket(BUCKET).key(&object).send().await;
        assert_eq!(sweeper.sweep(&dynamodb, &broken, SystemTime::now()).await.unwrap(), 1);
        assert!(head().await.is_ok());
        assert_eq!(sweeper.sweep(&dynamodb, &cleanup, SystemTime::now()).await.unwrap(), 0);
        assert!(head().await.is_err());
    }
}
