//! Reads that leave out what DynamoDB has no capacity for, which the embedded one never does.

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use serde_json::{Value, json};

use crate::{
    dynamodb_at,
    proxy::{self, Backend, Proxy},
    stack,
};

/// Reads nothing of what is asked for by several keys.
struct Unread;

/// A client of the running DynamoDB which reads none of several keys, and says so.
pub async fn unread() -> aws_sdk_dynamodb::Client {
    dynamodb_at(&proxy::start(stack().dynamodb_url(), Unread).await)
}

impl Proxy for Unread {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        if proxy::operation(&call) != Some("BatchGetItem") {
            return Some(backend.forward(call).await);
        }
        let asked: Value = serde_json::from_slice(call.body()).expect("a request in JSON");
        let answer = json!({"Responses": {}, "UnprocessedKeys": asked["RequestItems"]});
        Some(Response::new(answer.to_string().into()))
    }
}
