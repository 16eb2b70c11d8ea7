//! Whether a history keeps every promise.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

use crate::{
    clients::Round,
    hall::{self, Creation, Hall},
    linearizability::{Call, Model, linearize},
    members::{Joining, LoggingIn, Members, Operation},
};

/// Every way in which operations are answered.
pub const ANSWERS: [&str; 17] = [
    "join 201",
    "join AJ_001",
    "join AJ_002",
    "login 200",
    "login AL_001",
    "create 201",
    "create E_001",
    "create by key 201",
    "create by key 201 again",
    "create by key C_010",
    "create by key C_011",
    "create by key E_001",
    "delete 204",
    "delete E_002",
    "list 200",
    "show 200",
    "show E_002",
];

/// Any other.
const UNEXPECTED: &str = "unexpected";

/// What is wrong with the history of each round; nothing where it is linearizable.
pub fn violations(rounds: &mut [Round]) -> Vec<String> {
    let mut violations = Vec::new();
    for (number, round) in rounds.iter_mut().enumerate() {
        contend(&mut round.hall);
        violations.extend(violation::<Members>(number, &round.members));
        violations.extend(violation::<Hall>(number, &round.hall));
    }
    violations
}

/// How often operations were answered in which way.
pub fn tally(rounds: &[Round]) -> BTreeMap<&'static str, usize> {
    let mut tally = BTreeMap::new();
    for round in rounds {
        let members = round.members.iter().map(|call| answer_to_member(&call.operation));
        let mut created = BTreeSet::new();
        let mut hall: Vec<_> = round.hall.iter().collect();
        hall.sort_by_key(|call| call.answered);
        let hall = hall.into_iter().map(|call| match &call.operation {
            hall::Operation::Create { key: Some(_), told: Ok(Creation::Created(id)), .. }
                if !created.insert(*id) =>
            {
                "create by key 201 again"
            }
            operation => answer_in_hall(operation),
        });
        for answer in members.chain(hall) {
            *tally.entry(answer).or_default() += 1;
        }
    }
    tally
}

/// Tells each registration by a key whether others by the same key ran at the same time.
fn contend(calls: &mut [Call<hall::Operation>]) {
    let by_key: Vec<_> = calls
        .iter()
        .filter_map(|call| match call.operation {
            hall::Operation::Create { key: Some(key), shows, .. } => {
                Some((key.name, shows, call.invoked, call.answered))
            }
            _ => None,
        })
        .collect();
    for call in calls {
        let hall::Operation::Create { key: Some(key), shows, .. } = &mut call.operation else { continue };
        for (name, other_shows, invoked, answered) in &by_key {
            let is_another = *invoked != call.invoked;
            if is_another && *name == key.name && *invoked < call.answered && call.invoked < *answered {
                key.is_contended = true;
                key.is_contended_by_another |= other_shows != shows;
            }
        }
    }
}

fn violation<M: Model<Operation: Debug>>(round: usize, calls: &[Call<M::Operation>]) -> Option<String> {
    let wrong = &calls[linearize::<M>(calls).err()?];
    let is_beside = |call: &&Call<_>| call.invoked < wrong.answered && wrong.invoked < call.answered;
    let beside: Vec<_> = calls.iter().filter(is_beside).map(|call| format!("\n  {call:?}")).collect();
    Some(format!("round {round}: nothing explains {wrong:?}, beside which ran:{}", beside.concat()))
}

fn answer_to_member(operation: &Operation) -> &'static str {
    match operation {
        Operation::Join { told: Ok(Joining::Joined(_)), .. } => "join 201",
        Operation::Join { told: Ok(Joining::EmailTaken), .. } => "join AJ_001",
        Operation::Join { told: Ok(Joining::NicknameTaken), .. } => "join AJ_002",
        Operation::Login { told: Ok(LoggingIn::LoggedIn { .. }), .. } => "login 200",
        Operation::Login { told: Ok(LoggingIn::WrongCredentials), .. } => "login AL_001",
        Operation::Join { told: Err(_), .. } | Operation::Login { told: Err(_), .. } => UNEXPECTED,
    }
}

fn answer_in_hall(operation: &hall::Operation) -> &'static str {
    match operation {
        hall::Operation::Create { key, told: Ok(told), .. } => match (told, key.is_some()) {
            (Creation::Created(_), false) => "create 201",
            (Creation::Created(_), true) => "create by key 201",
            (Creation::AlreadyRegistered, false) => "create E_001",
            (Creation::AlreadyRegistered, true) => "create by key E_001",
            (Creation::InProgress, _) => "create by key C_010",
            (Creation::KeyReused, _) => "create by key C_011",
        },
        hall::Operation::Show { told: Ok(Some(_)), .. } => "show 200",
        hall::Operation::Show { told: Ok(None), .. } => "show E_002",
        hall::Operation::List { told: Ok(_) } => "list 200",
        hall::Operation::Delete { told: Ok(true), .. } => "delete 204",
        hall::Operation::Delete { told: Ok(false), .. } => "delete E_002",
        hall::Operation::Create { told: Err(_), .. }
        | hall::Operation::Show { told: Err(_), .. }
        | hall::Operation::List { told: Err(_) }
        | hall::Operation::Delete { told: Err(_), .. } => UNEXPECTED,
    }
}
