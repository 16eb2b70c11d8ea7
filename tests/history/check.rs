//! Checks of a history.

use std::{collections::BTreeMap, fmt::Debug};

use crate::{
    clients::Round,
    events::{self, Events},
    linearizability::{Call, Model, linearize},
    members::Members,
    sessions::{Session, by_session},
};

/// Operations with their responses, as [`tally`] names them.
pub const RESPONSES: &str = "Join, Join AJ_001, Join AJ_002, Login, Login AL_001, \
    Edit member, Edit member AJ_002, Edit member AL_001, Withdraw, Withdraw AL_001, \
    StartSession, StartSession AL_001, Refresh, Refresh AS_001, LogOut, Reset, Reset AP_001, \
    Profile, Profile AS_002, ChangeNickname, ChangeNickname AJ_002, ChangeNickname AS_002, \
    Create, Create E_001, Create by key, Create by key C_010, Create by key C_011, Create by key E_001, \
    Copy, Copy E_001, Copy E_002, \
    Delete, Delete E_002, Edit event, Edit event E_001, Edit event E_002, Edit event E_003, \
    ChangeShow, ChangeShow C_001, ChangeShow E_001, ChangeShow E_002, ChangeShow E_003, Cancel, Cancel E_002, \
    Restore, Restore E_001, List, List drafts, List deleted, Get, Get E_002, GetOwn";

/// Returns a violation for each round whose history is not linearizable.
pub fn violations(rounds: &mut [Round]) -> Vec<String> {
    let mut violations = Vec::new();
    for (number, round) in rounds.iter_mut().enumerate() {
        mark_contended_keys(&mut round.events);
        violations.extend(violation::<Members>(number, &round.members));
        let sessions = by_session(&round.members);
        violations.extend(sessions.iter().filter_map(|calls| violation::<Session>(number, calls)));
        violations.extend(violation::<Events>(number, &round.events));
    }
    violations
}

/// Counts the operations with each response.
pub fn tally(rounds: &[Round]) -> BTreeMap<String, usize> {
    let mut tally = BTreeMap::new();
    for round in rounds {
        let members = round.members.iter().map(|call| name(&call.operation, "member"));
        for name in members.chain(round.events.iter().map(|call| name(&call.operation, "event"))) {
            *tally.entry(name).or_default() += 1;
        }
    }
    tally
}

/// Returns the name of an operation and the code of its failure, from its variant.
pub fn name(operation: &impl Debug, object: &str) -> String {
    let text = format!("{operation:?}");
    let operation = text.split(' ').next().unwrap_or_default();
    let detail = match operation {
        "Edit" => object,
        "Create" if text.contains("key: Some") => "by key",
        "List" if text.contains("status: Draft") => "drafts",
        "List" if text.contains("status: Deleted") => "deleted",
        _ => "",
    };
    let code = text.split_once("response: Err(\"").map_or("", |(_, code)| code.trim_end_matches("\") }"));
    [operation, detail, code].join(" ").split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Marks keys of registrations that ran at the same time as others with the same key.
fn mark_contended_keys(calls: &mut [Call<events::Operation>]) {
    let by_key: Vec<_> = calls
        .iter()
        .filter_map(|call| match call.operation {
            events::Operation::Create { key: Some(key), registration, .. } => {
                Some((key.number, registration, call.invoked, call.completed))
            }
            _ => None,
        })
        .collect();
    for call in calls {
        let events::Operation::Create { key: Some(key), registration, .. } = &mut call.operation else { continue };
        for (number, other, invoked, completed) in &by_key {
            let is_another = *invoked != call.invoked;
            if is_another && *number == key.number && *invoked < call.completed && call.invoked < *completed {
                key.is_contended = true;
                key.is_contended_with_another_event |= other != registration;
            }
        }
    }
}

pub fn violation<M: Model<Operation: Debug>>(round: usize, calls: &[Call<M::Operation>]) -> Option<String> {
    let wrong = &calls[linearize::<M>(calls).err()?];
    let is_simultaneous = |call: &&Call<_>| call.invoked < wrong.completed && wrong.invoked < call.completed;
    let simultaneous: Vec<_> = calls.iter().filter(is_simultaneous).map(|call| format!("\n  {call:?}")).collect();
    Some(format!("round {round}: no order explains {wrong:?}; simultaneous calls:{}", simultaneous.concat()))
}
