//! Records of the table's stream, reduced to the fields that the function reads, and its response.
//!
//! Lambda documents both in "Using AWS Lambda with Amazon DynamoDB". The crate `aws_lambda_events` would select more
//! features of chrono. Then this function could not share compiled crates with the others.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_dynamo::AttributeValue;

/// Batch of records.
#[derive(Clone, Debug, Deserialize)]
pub struct StreamEvent {
    /// Changes of items, from the oldest to the newest.
    #[serde(rename = "Records")]
    pub records: Vec<StreamRecord>,
}

/// Change of an item.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamRecord {
    /// `INSERT`, `MODIFY` or `REMOVE`.
    pub event_name: String,
    /// The service that made the change, if it was not a request.
    pub user_identity: Option<UserIdentity>,
    /// The change itself.
    #[serde(rename = "dynamodb")]
    pub change: ItemChange,
}

/// Service that changed an item.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserIdentity {
    /// `Service`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name of the service.
    pub principal_id: String,
}

/// Changed item and the place of the change in the stream.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ItemChange {
    /// Primary key of the item.
    pub keys: HashMap<String, AttributeValue>,
    /// Number of the record, which identifies it in a response.
    pub sequence_number: String,
}

/// Records that Lambda shall retry.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchResponse {
    /// Failed records.
    pub batch_item_failures: Vec<BatchItemFailure>,
}

/// Failed record.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchItemFailure {
    /// Sequence number of the record.
    pub item_identifier: String,
}
