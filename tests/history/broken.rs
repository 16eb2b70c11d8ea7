//! Databases that break promises, which a history must show.

use serde_json::Value;
use tests::fault::{Extent, Fault, Rule};

/// Creates a rule for a database that checks no condition before it puts items.
pub fn unconditional() -> Rule {
    Rule::new("TransactWriteItems", Extent::Kind, Fault::Rewritten(remove_conditions))
}

/// Creates a rule for a database whose replicas lag: a repeated request gets the response that was right
/// the last time.
pub fn lagging(operation: &str) -> Rule {
    Rule::new(operation, Extent::Kind, Fault::Stale)
}

fn remove_conditions(transaction: &mut Value) {
    for write in transaction["TransactItems"].as_array_mut().unwrap() {
        if let Some(put) = write["Put"].as_object_mut() {
            put.retain(|part, _| ["TableName", "Item"].contains(&part.as_str()));
        }
    }
}
