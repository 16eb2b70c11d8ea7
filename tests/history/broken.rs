//! Databases with faults that a history must reveal.

use std::{thread, time::Duration};

use serde_json::Value;
use tests::fault::{Extent, Fault, Rule};

/// Time by which transactions that take seats are late if fences are missing, so that changes often come first.
const LATENESS: Duration = Duration::from_millis(20);

/// Creates a rule for a database that ignores the conditions of puts and of locks of shows.
pub fn ignores_conditions() -> Rule {
    Rule::new("TransactWriteItems", Extent::Kind, Fault::Rewritten(remove_conditions))
}

/// Creates a rule for a database that changes an event although it has another version.
pub fn ignores_versions() -> Rule {
    Rule::new("TransactWriteItems", Extent::Kind, Fault::Rewritten(weaken_conditions))
}

/// Creates a rule for a database that does not raise the fences of an event when a show changes.
pub fn keeps_fences_of_changed_shows() -> Rule {
    Rule::new("TransactWriteItems", Extent::Kind, Fault::Rewritten(remove_fences_of_changed_shows))
}

/// Creates a rule for a database that neither checks nor raises the fences of an event when it becomes a draft.
pub fn keeps_fences_of_drafts() -> Rule {
    Rule::new("TransactWriteItems", Extent::Kind, Fault::Rewritten(remove_fences_of_drafts))
}

/// Creates a rule for a database that changes a member although somebody else changed them.
pub fn ignores_changes_of_members() -> Rule {
    Rule::new("TransactWriteItems", Extent::Kind, Fault::Rewritten(weaken_puts))
}

/// Creates a rule for a database that refreshes a session although the member has another epoch or withdrew.
pub fn ignores_epochs() -> Rule {
    Rule::new("TransactWriteItems", Extent::Kind, Fault::Rewritten(weaken_checks))
}

/// Creates a rule for a database that does not raise the epoch of a member at a new password.
pub fn keeps_epochs() -> Rule {
    Rule::new("TransactWriteItems", Extent::Kind, Fault::Rewritten(remove_epochs))
}

/// Creates a rule for a database that keeps a session at a logout.
pub fn keeps_sessions() -> Rule {
    Rule::new("DeleteItem SESSION", Extent::Kind, Fault::Rewritten(delete_another_item))
}

/// Creates a rule for a database with stale replicas: a repeated request gets its previous response.
pub fn serves_stale_reads(operation: &str) -> Rule {
    Rule::new(operation, Extent::Kind, Fault::Stale)
}

fn remove_conditions(transaction: &mut Value) {
    for write in transaction["TransactItems"].as_array_mut().unwrap() {
        if let Some(put) = write["Put"].as_object_mut() {
            put.retain(|part, _| ["TableName", "Item"].contains(&part.as_str()));
        }
        if let Some(update) = write.get_mut("Update")
            && update["Key"]["pk"]["S"].as_str().is_some_and(|key| key.starts_with("SHOW#"))
            && let Some(condition) = update["ConditionExpression"].as_str()
        {
            // Always true, but with all names, since the database rejects those that no expression uses.
            update["ConditionExpression"] =
                format!("({condition}) OR attribute_exists(pk) OR attribute_not_exists(pk)").into();
        }
    }
}

fn weaken_conditions(transaction: &mut Value) {
    for write in transaction["TransactItems"].as_array_mut().unwrap() {
        let update = &mut write["Update"];
        if update["Key"]["pk"]["S"].as_str().is_some_and(|key| key.starts_with("EVENT#"))
            && let Some(condition) = update["ConditionExpression"].as_str()
        {
            // The database rejects names and values that no expression uses.
            update["ConditionExpression"] = format!("({condition}) OR attribute_exists(pk)").into();
        }
    }
}

fn remove_fences_of_changed_shows(transaction: &mut Value) {
    remove_fences(transaction, &["showStatuses", "showTimes"]);
}

fn remove_fences_of_drafts(transaction: &mut Value) {
    remove_fences(transaction, &["draft"]);
}

/// Removes the fences from a transaction that changes one of these attributes of an event and does not remove a show.
fn remove_fences(transaction: &mut Value, attributes: &[&str]) {
    let writes = transaction["TransactItems"].as_array_mut().unwrap();
    let is_of = |write: &Value, kind| write["Update"]["Key"]["sk"]["S"] == kind;
    let event = writes.iter().find(|write| is_of(write, "EVENT"));
    let names = event.and_then(|event| event["Update"]["ExpressionAttributeNames"].as_object());
    let changes = |attribute| names.is_some_and(|names| names.values().any(|name| name == attribute));
    let is_change = attributes.iter().any(|attribute| changes(*attribute)) && !changes("showNumbers");
    if is_change {
        writes.retain(|write| !is_of(write, "FENCE"));
    } else if event.is_none() && writes.iter().any(|write| is_of(write, "FENCE")) {
        thread::sleep(LATENESS);
    }
}

fn weaken_puts(transaction: &mut Value) {
    for write in transaction["TransactItems"].as_array_mut().unwrap() {
        let put = &mut write["Put"];
        if put["Item"]["sk"]["S"] == "EMAIL"
            && let Some(condition) = put["ConditionExpression"].as_str()
        {
            // The database rejects names and values that no expression uses.
            put["ConditionExpression"] = format!("({condition}) OR attribute_exists(pk)").into();
        }
    }
}

fn weaken_checks(transaction: &mut Value) {
    for write in transaction["TransactItems"].as_array_mut().unwrap() {
        if let Some(check) = write.get_mut("ConditionCheck")
            && let Some(condition) = check["ConditionExpression"].as_str()
        {
            // The database rejects names and values that no expression uses.
            check["ConditionExpression"] =
                format!("({condition}) OR attribute_exists(pk) OR attribute_not_exists(pk)").into();
        }
    }
}

fn remove_epochs(transaction: &mut Value) {
    let writes = transaction["TransactItems"].as_array_mut().unwrap();
    writes.retain(|write| !write["Update"]["Key"]["pk"]["S"].as_str().is_some_and(|key| key.starts_with("MEMBER#")));
}

fn delete_another_item(delete: &mut Value) {
    delete["Key"]["pk"]["S"] = "SESSION#another".into();
}
