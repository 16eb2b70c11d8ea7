//! Writes that lose to simultaneous transactions or find no capacity, which the embedded DynamoDB never
//! lets happen.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::{
    body::Bytes,
    http::{Request, Response, StatusCode},
};

use crate::{
    dynamodb_at,
    proxy::{self, Backend, Proxy},
    stack,
};

/// What DynamoDB answers where another transaction has one of the items.
const CONFLICT: &str = r#"{
    "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]",
    "CancellationReasons": [{"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"}]
}"#;

/// What it answers where it has no capacity for one of the items.
const THROTTLE: &str = r#"{
    "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons [ThrottlingError]",
    "CancellationReasons": [{"Code": "ThrottlingError", "Message": "Throughput exceeds the current capacity"}]
}"#;

/// What it answers a write of one item where another transaction has it.
const CONFLICT_OF_ONE: &str = r#"{
    "__type": "com.amazonaws.dynamodb.v20120810#TransactionConflictException",
    "message": "Transaction is ongoing for the item"
}"#;

/// Refuses as many calls of one operation as are left to refuse.
struct Conflicts {
    operation: &'static str,
    answer: &'static str,
    left: AtomicUsize,
}

/// A client of the running DynamoDB whose next `conflicts` transactions are cancelled for a conflict.
pub async fn conflicting(conflicts: usize) -> aws_sdk_dynamodb::Client {
    client("TransactWriteItems", CONFLICT, conflicts).await
}

/// A client of the running DynamoDB whose next `throttles` transactions are cancelled for want of capacity.
pub async fn throttling(throttles: usize) -> aws_sdk_dynamodb::Client {
    client("TransactWriteItems", THROTTLE, throttles).await
}

/// A client of the running DynamoDB whose next `conflicts` puts of one item are refused for a conflict.
pub async fn conflicting_puts(conflicts: usize) -> aws_sdk_dynamodb::Client {
    client("PutItem", CONFLICT_OF_ONE, conflicts).await
}

async fn client(operation: &'static str, answer: &'static str, conflicts: usize) -> aws_sdk_dynamodb::Client {
    let conflicts = Conflicts { operation, answer, left: AtomicUsize::new(conflicts) };
    dynamodb_at(&proxy::start(stack().dynamodb_url(), conflicts).await)
}

impl Proxy for Conflicts {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        let is_meant = proxy::operation(&call) == Some(self.operation);
        let left = |left: usize| left.checked_sub(1);
        if is_meant && self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok() {
            let mut answer = Response::new(Bytes::from_static(self.answer.as_bytes()));
            *answer.status_mut() = StatusCode::BAD_REQUEST;
            return Some(answer);
        }
        Some(backend.forward(call).await)
    }
}
