//! Checks of a history.

use std::fmt::Debug;

use crate::{
    events::Operation,
    linearizability::{Call, Model, linearize},
};

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
