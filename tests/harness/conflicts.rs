//! Conflicts of simultaneous writes. The embedded DynamoDB has none, since it carries out one call after another.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use serde_json::Value;
use tokio::time::sleep;

use crate::fault::{self, TRANSACTION, conflict};

/// Items that transactions are writing.
#[derive(Debug, Default)]
pub(crate) struct Conflicts {
    /// Time that a transaction takes; zero if there are no conflicts.
    duration: Mutex<Duration>,
    items: Mutex<HashSet<String>>,
}

/// Items of a transaction, until it ends.
#[derive(Debug)]
pub(crate) struct Writing<'a> {
    conflicts: &'a Conflicts,
    items: Vec<String>,
}

impl Conflicts {
    /// Lets each transaction take this time, and conflict with others that write one of its items meanwhile.
    pub fn set_duration(&self, duration: Duration) {
        *self.duration.lock().expect("lock of the duration") = duration;
    }

    /// Waits as long as a call takes that writes items.
    ///
    /// # Errors
    ///
    /// Returns the response of DynamoDB if a transaction is writing one of the items.
    pub async fn begin(&self, call: &Request<Bytes>) -> Result<Option<Writing<'_>>, Response<Bytes>> {
        let duration = *self.duration.lock().expect("lock of the duration");
        let Some(operation) = fault::operation(call).filter(|_| !duration.is_zero()) else { return Ok(None) };
        let keys = keys(operation, &fault::json(call.body()));
        let is_transaction = operation == TRANSACTION;
        {
            let mut items = self.items();
            let known: Vec<_> =
                (0..).zip(&keys).filter(|(_, key)| items.contains(*key)).map(|(index, _)| index).collect();
            if !known.is_empty() {
                return Err(conflict(is_transaction, &known));
            }
            if !is_transaction {
                return Ok(None);
            }
            items.extend(keys.iter().cloned());
        }
        let writing = Writing { conflicts: self, items: keys };
        sleep(duration).await;
        Ok(Some(writing))
    }

    fn items(&self) -> MutexGuard<'_, HashSet<String>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        let mut items = self.conflicts.items();
        items.retain(|item| !self.items.contains(item));
    }
}

/// Returns the keys of the items that a call writes, in its order.
fn keys(operation: &str, body: &Value) -> Vec<String> {
    let key = |key: &Value| format!("{} {}", key["pk"], key["sk"]);
    match operation {
        TRANSACTION => {
            let writes = body["TransactItems"].as_array().into_iter().flatten().filter_map(Value::as_object).flatten();
            writes.map(|(kind, write)| key(if kind == "Put" { &write["Item"] } else { &write["Key"] })).collect()
        }
        "PutItem" => vec![key(&body["Item"])],
        "UpdateItem" | "DeleteItem" => vec![key(&body["Key"])],
        _ => Vec::new(),
    }
}
