//! Transactions that lose to simultaneous ones, which the embedded DynamoDB never lets happen.

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

/// Cancels as many transactions as are left to cancel.
struct Conflicts(AtomicUsize);

/// A client of the running DynamoDB whose next `conflicts` transactions are cancelled for a conflict.
pub async fn conflicting(conflicts: usize) -> aws_sdk_dynamodb::Client {
    let conflicts = Conflicts(AtomicUsize::new(conflicts));
    dynamodb_at(&proxy::start(stack().dynamodb_url(), conflicts).await)
}

impl Proxy for Conflicts {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        let is_transaction = proxy::operation(&call) == Some("TransactWriteItems");
        let left = |left: usize| left.checked_sub(1);
        if is_transaction && self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok() {
            let mut answer = Response::new(Bytes::from_static(CONFLICT.as_bytes()));
            *answer.status_mut() = StatusCode::BAD_REQUEST;
            return Some(answer);
        }
        Some(backend.forward(call).await)
    }
}
