//! Checks of a history.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

use crate::{
    clients::Round,
    events::{self, CreateResponse, Events, RestoreResponse},
    linearizability::{Call, Model, linearize},
    members::{EditResponse, JoinResponse, LoginResponse, Members, Operation},
};

pub const RESPONSES: [&str; 29] = [
    "join 201",
    "join AJ_001",
    "join AJ_002",
    "login 200",
    "login AL_001",
    "edit 200",
    "edit AJ_002",
    "edit AL_001",
    "withdraw 204",
    "withdraw AL_001",
    "create 201",
    "create E_001",
    "create by key 201",
    "create by key 201 again",
    "create by key C_010",
    "create by key C_011",
    "create by key E_001",
    "delete 204",
    "delete E_002",
    "edit event 200",
    "edit event E_001",
    "edit event E_002",
    "edit event E_003",
    "restore 200",
    "restore E_001",
    "list 200",
    "list deleted 200",
    "get 200",
    "get E_002",
];

const UNEXPECTED: &str = "unexpected";

/// Returns a violation for each round whose history is not linearizable.
pub fn violations(rounds: &mut [Round]) -> Vec<String> {
    let mut violations = Vec::new();
    for (number, round) in rounds.iter_mut().enumerate() {
        mark_contended_keys(&mut round.events);
        violations.extend(violation::<Members>(number, &round.members));
        violations.extend(violation::<Events>(number, &round.events));
    }
    violations
}

/// Counts each response.
pub fn tally(rounds: &[Round]) -> BTreeMap<&'static str, usize> {
    let mut tally = BTreeMap::new();
    for round in rounds {
        let members = round.members.iter().map(|call| member_response(&call.operation));
        let mut created = BTreeSet::new();
        let mut calls: Vec<_> = round.events.iter().collect();
        calls.sort_by_key(|call| call.completed);
        let events = calls.into_iter().map(|call| match &call.operation {
            events::Operation::Create { key: Some(_), response: Ok(CreateResponse::Created(id, _)), .. }
                if !created.insert(*id) =>
            {
                "create by key 201 again"
            }
            operation => event_response(operation),
        });
        for response in members.chain(events) {
            *tally.entry(response).or_default() += 1;
        }
    }
    tally
}

/// Marks keys of registrations that ran at the same time as others with the same key.
fn mark_contended_keys(calls: &mut [Call<events::Operation>]) {
    let by_key: Vec<_> = calls
        .iter()
        .filter_map(|call| match call.operation {
            events::Operation::Create { key: Some(key), shows, .. } => {
                Some((key.number, shows, call.invoked, call.completed))
            }
            _ => None,
        })
        .collect();
    for call in calls {
        let events::Operation::Create { key: Some(key), shows, .. } = &mut call.operation else { continue };
        for (number, other_shows, invoked, completed) in &by_key {
            let is_another = *invoked != call.invoked;
            if is_another && *number == key.number && *invoked < call.completed && call.invoked < *completed {
                key.is_contended = true;
                key.is_contended_with_other_shows |= other_shows != shows;
            }
        }
    }
}

fn violation<M: Model<Operation: Debug>>(round: usize, calls: &[Call<M::Operation>]) -> Option<String> {
    let wrong = &calls[linearize::<M>(calls).err()?];
    let is_simultaneous = |call: &&Call<_>| call.invoked < wrong.completed && wrong.invoked < call.completed;
    let simultaneous: Vec<_> = calls.iter().filter(is_simultaneous).map(|call| format!("\n  {call:?}")).collect();
    Some(format!("round {round}: no order explains {wrong:?}; simultaneous calls:{}", simultaneous.concat()))
}

fn member_response(operation: &Operation) -> &'static str {
    match operation {
        Operation::Join { response: Ok(JoinResponse::Joined(_)), .. } => "join 201",
        Operation::Join { response: Ok(JoinResponse::EmailTaken), .. } => "join AJ_001",
        Operation::Join { response: Ok(JoinResponse::NicknameTaken), .. } => "join AJ_002",
        Operation::Login { response: Ok(LoginResponse::LoggedIn { .. }), .. } => "login 200",
        Operation::Login { response: Ok(LoginResponse::WrongCredentials), .. } => "login AL_001",
        Operation::Edit { response: Ok(EditResponse::Edited { .. }), .. } => "edit 200",
        Operation::Edit { response: Ok(EditResponse::NicknameTaken), .. } => "edit AJ_002",
        Operation::Edit { response: Ok(EditResponse::WrongCredentials), .. } => "edit AL_001",
        Operation::Withdraw { response: Ok(true), .. } => "withdraw 204",
        Operation::Withdraw { response: Ok(false), .. } => "withdraw AL_001",
        Operation::Join { response: Err(_), .. }
        | Operation::Login { response: Err(_), .. }
        | Operation::Edit { response: Err(_), .. }
        | Operation::Withdraw { response: Err(_), .. } => UNEXPECTED,
    }
}

fn event_response(operation: &events::Operation) -> &'static str {
    match operation {
        events::Operation::Create { key, response: Ok(response), .. } => match (response, key.is_some()) {
            (CreateResponse::Created(..), false) => "create 201",
            (CreateResponse::Created(..), true) => "create by key 201",
            (CreateResponse::AlreadyRegistered, false) => "create E_001",
            (CreateResponse::AlreadyRegistered, true) => "create by key E_001",
            (CreateResponse::InProgress, _) => "create by key C_010",
            (CreateResponse::KeyReused, _) => "create by key C_011",
        },
        events::Operation::Get { response: Ok(Some(_)), .. } => "get 200",
        events::Operation::Get { response: Ok(None), .. } => "get E_002",
        events::Operation::Edit { response: Ok(response), .. } => match response {
            events::EditResponse::Edited(_) => "edit event 200",
            events::EditResponse::AlreadyRegistered => "edit event E_001",
            events::EditResponse::NotFound => "edit event E_002",
            events::EditResponse::PreconditionFailed => "edit event E_003",
        },
        events::Operation::List { is_deleted: false, response: Ok(_) } => "list 200",
        events::Operation::List { is_deleted: true, response: Ok(_) } => "list deleted 200",
        events::Operation::Delete { response: Ok(true), .. } => "delete 204",
        events::Operation::Delete { response: Ok(false), .. } => "delete E_002",
        events::Operation::Restore { response: Ok(RestoreResponse::Live(_)), .. } => "restore 200",
        events::Operation::Restore { response: Ok(RestoreResponse::AlreadyRegistered), .. } => "restore E_001",
        events::Operation::Create { response: Err(_), .. }
        | events::Operation::Get { response: Err(_), .. }
        | events::Operation::Edit { response: Err(_), .. }
        | events::Operation::List { response: Err(_), .. }
        | events::Operation::Delete { response: Err(_), .. }
        // The clients know the id from a response.
        | events::Operation::Restore { response: Ok(RestoreResponse::NotFound) | Err(_), .. } => UNEXPECTED,
    }
}
