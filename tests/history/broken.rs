//! Databases that break promises, which a history must show.

use std::{collections::HashMap, sync::Mutex};

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use serde_json::Value;
use tests::{Backend, Proxy, operation};

/// A database that looks at no condition before it puts items.
pub struct Unconditional;

impl Proxy for Unconditional {
    async fn answer(&self, backend: &Backend, mut call: Request<Bytes>) -> Option<Response<Bytes>> {
        if operation(&call) == Some("TransactWriteItems") {
            let mut transaction: Value = serde_json::from_slice(call.body()).unwrap();
            for write in transaction["TransactItems"].as_array_mut().unwrap() {
                if let Some(put) = write["Put"].as_object_mut() {
                    put.retain(|part, _| ["TableName", "Item"].contains(&part.as_str()));
                }
            }
            *call.body_mut() = transaction.to_string().into();
        }
        Some(backend.forward(call).await)
    }
}

/// A database whose replicas lag: who asks the same again is answered what was right the last time.
pub struct Lagging {
    /// The operation that is answered so.
    operation: &'static str,
    answers: Mutex<HashMap<String, Response<Bytes>>>,
}

impl Lagging {
    /// One that lags in an operation.
    pub fn in_operation(operation: &'static str) -> Self {
        Self { operation, answers: Mutex::default() }
    }
}

impl Proxy for Lagging {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        if operation(&call) != Some(self.operation) {
            return Some(backend.forward(call).await);
        }
        // Read and written again, since keys come in any order.
        let asked: Value = serde_json::from_slice(call.body()).unwrap();
        let answer = backend.forward(call).await;
        let before = self.answers.lock().unwrap().insert(asked.to_string(), answer.clone());
        Some(before.unwrap_or(answer))
    }
}
