//! What the service takes of DynamoDB and S3, measured on the wire.

use std::sync::{Arc, Mutex};

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use local::{BUCKET, Stack, TABLE};
use serde_json::Value;
use storage::{poster::Posters, table::Table};

use crate::proxy::{self, Backend, Proxy};

/// A table and a bucket whose every call is counted.
///
/// Counted is what goes over the wire, so that what the SDK does by itself, such as to try
/// again, is counted too.
#[derive(Debug)]
pub struct Meter {
    dynamodb: aws_sdk_dynamodb::Client,
    s3: aws_sdk_s3::Client,
    usage: Arc<Mutex<Usage>>,
}

/// What was taken.
///
/// The units are those that the embedded DynamoDB reports to whoever asks for them, as the functions do;
/// they follow the published rules: a
/// read unit for each 4 KB of an item or of a whole page, half of one where the read need
/// not be consistent; a write unit for each 1 KB of the larger of an item before and after,
/// twice in a transaction, and once more for a copy in an index. For a write that its condition
/// refuses, which AWS charges, it reports none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// The calls one after another: for DynamoDB the operation, for S3 method and path.
    pub calls: Vec<String>,
    /// The read units.
    pub read_units: f64,
    /// The write units.
    pub write_units: f64,
}

impl Meter {
    /// Measures what is taken of the backends of this service.
    pub async fn new(stack: &Stack) -> Self {
        let usage = Arc::<Mutex<Usage>>::default();
        let dynamodb = proxy::start(stack.dynamodb_url(), MeteredDynamoDb(Arc::clone(&usage))).await;
        let dynamodb = stack.dynamodb().config().to_builder().endpoint_url(dynamodb).build();
        let s3 = proxy::start(stack.s3_url(), MeteredS3(Arc::clone(&usage))).await;
        let s3 = stack.s3().config().to_builder().endpoint_url(s3).build();
        Self {
            dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb),
            s3: aws_sdk_s3::Client::from_conf(s3),
            usage,
        }
    }

    /// The table of the service.
    #[must_use]
    pub fn table(&self) -> Table {
        Table::new(self.dynamodb.clone(), TABLE.to_owned())
    }

    /// The posters of the service.
    #[must_use]
    pub fn posters(&self) -> Posters {
        Posters::new(self.s3.clone(), BUCKET.to_owned())
    }

    /// What was taken since this was last asked.
    #[must_use]
    pub fn take(&self) -> Usage {
        std::mem::take(&mut self.usage.lock().expect("a usage"))
    }
}

struct MeteredDynamoDb(Arc<Mutex<Usage>>);

impl Proxy for MeteredDynamoDb {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        let operation = proxy::operation(&call).expect("an operation").to_owned();
        self.0.lock().expect("a usage").calls.push(operation.clone());
        let answer = backend.forward(call).await;
        let units = units(answer.body());
        let mut usage = self.0.lock().expect("a usage");
        match operation.as_str() {
            "GetItem" | "BatchGetItem" | "TransactGetItems" | "Query" | "Scan" => usage.read_units += units,
            _ => usage.write_units += units,
        }
        Some(answer)
    }
}

struct MeteredS3(Arc<Mutex<Usage>>);

impl Proxy for MeteredS3 {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        self.0.lock().expect("a usage").calls.push(proxy::name(&call));
        Some(backend.forward(call).await)
    }
}

/// The units that an answer of DynamoDB reports: for one table, or for each of those in a transaction.
fn units(answer: &[u8]) -> f64 {
    let answer: Value = serde_json::from_slice(answer).expect("an answer in JSON");
    let consumed = &answer["ConsumedCapacity"];
    let tables = consumed.as_array().map_or(std::slice::from_ref(consumed), Vec::as_slice);
    tables.iter().filter_map(|table| table["CapacityUnits"].as_f64()).sum()
}
