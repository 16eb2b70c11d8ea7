//! Transactions that lose to simultaneous ones, which the embedded DynamoDB never lets happen.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header::HOST},
};

use crate::stack;

/// What DynamoDB answers where another transaction has one of the items.
const CONFLICT: &str = r#"{
    "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]",
    "CancellationReasons": [{"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"}]
}"#;

#[derive(Clone)]
struct Proxy {
    endpoint: String,
    conflicts: Arc<AtomicUsize>,
    client: reqwest::Client,
}

/// A client of the running DynamoDB whose next `conflicts` transactions are cancelled for a conflict.
pub async fn conflicting(conflicts: usize) -> aws_sdk_dynamodb::Client {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address");
    let proxy = Proxy {
        endpoint: stack().dynamodb_url(),
        conflicts: Arc::new(AtomicUsize::new(conflicts)),
        client: reqwest::Client::new(),
    };
    tokio::spawn(
        async move { axum::serve(listener, Router::new().fallback(forward).with_state(proxy)).await },
    );
    let config = stack().dynamodb().config().to_builder().endpoint_url(format!("http://{address}")).build();
    aws_sdk_dynamodb::Client::from_conf(config)
}

async fn forward(State(proxy): State<Proxy>, mut headers: HeaderMap, body: Bytes) -> (StatusCode, Bytes) {
    let is_transaction =
        headers.get("x-amz-target").is_some_and(|target| target.as_bytes().ends_with(b"TransactWriteItems"));
    let left = |left: usize| left.checked_sub(1);
    if is_transaction && proxy.conflicts.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok() {
        return (StatusCode::BAD_REQUEST, Bytes::from_static(CONFLICT.as_bytes()));
    }
    headers.remove(HOST);
    let request = proxy.client.post(&proxy.endpoint).headers(headers).body(body);
    let response = request.send().await.expect("an answer of the emulator");
    (response.status(), response.bytes().await.expect("a whole answer"))
}
