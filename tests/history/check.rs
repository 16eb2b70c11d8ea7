//! Checks of a history.

use std::{collections::BTreeMap, fmt::Debug};

use crate::{
    events::Operation,
    linearizability::{Call, Model, linearize},
};

/// Counts the operations with each response.
pub fn tally<O: Debug>(histories: &[Vec<Call<O>>]) -> BTreeMap<String, usize> {
    let mut tally = BTreeMap::new();
    for call in histories.iter().flatten() {
        *tally.entry(name(&call.operation)).or_default() += 1;
    }
    tally
}

/// Returns the name of an operation and the code of its failure, from its variant.
fn name(operation: &impl Debug) -> String {
    let text = format!("{operation:?}");
    let operation = text.split(' ').next().unwrap_or_default();
    let detail = match operation {
        "Create" if text.contains("key: Some") => "by key",
        "List" if text.contains("status: Draft") => "drafts",
        "List" if text.contains("status: Deleted") => "deleted",
        _ => "",
    };
    let code = text.split_once("response: Err(\"").map_or("", |(_, code)| code.trim_end_matches("\") }"));
    [operation, detail, code].join(" ").split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Marks keys of registrations that ran at the same time as others with the same key.
pub fn mark_contended_keys(calls: &mut [Call<Operation>]) {
    let by_key: Vec<_> = calls
        .iter()
        .filter_map(|call| match call.operation {
            Operation::Create { key: Some(key), registration, .. } => {
                Some((key.number, registration, call.invoked, call.completed))
            }
            _ => None,
        })
        .collect();
    for call in calls {
        let Operation::Create { key: Some(key), registration, .. } = &mut call.operation else { continue };
        for (number, other, invoked, completed) in &by_key {
            let is_another = *invoked != call.invoked;
            if is_another && *number == key.number && *invoked < call.completed && call.invoked < *completed {
                key.is_contended = true;
                key.is_contended_with_another_event |= other != registration;
            }
        }
    }
}

/// Returns a violation for each history that is not linearizable.
pub fn violations<M: Model<Operation: Debug>>(histories: &[Vec<Call<M::Operation>>]) -> Vec<String> {
    let violation = |(round, calls): (usize, &Vec<Call<M::Operation>>)| {
        let wrong = &calls[linearize::<M>(calls).err()?];
        let is_simultaneous = |call: &&Call<_>| call.invoked < wrong.completed && wrong.invoked < call.completed;
        let simultaneous: Vec<_> = calls.iter().filter(is_simultaneous).map(|call| format!("\n  {call:?}")).collect();
        Some(format!("round {round}: no order explains {wrong:?}; simultaneous calls:{}", simultaneous.concat()))
    };
    histories.iter().enumerate().filter_map(violation).collect()
}
