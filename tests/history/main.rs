//! Simultaneous clients of few objects, and whether what they were told could have happened one
//! after another.
//!
//! Checked is, for each few addresses and nicknames and for each title and place, that the history
//! is linearizable: that every operation took effect at one instant between question and answer. For
//! a list this holds where the index of events is written with the table, as it is on the local
//! stack; on AWS the index follows within a second. `HISTORY_WITHOUT_KEYS` leaves idempotency keys
//! out, for a database that cannot keep them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod broken;
mod check;
mod clients;
mod hall;
mod linearizability;
mod members;
mod service;

use std::{env, str::FromStr, time::Instant};

use broken::{Lagging, Unconditional};
use check::{ANSWERS, tally, violations};
use clients::{CLIENTS, Plan, history};
use tests::{Proxy, hasty_stack_at, new_hasty_stack, new_stack, start_proxy};

/// How many operations there are, unless `HISTORY_OPERATIONS` says otherwise.
const OPERATIONS: usize = 5_000;
/// How few of them may leave a kind of answer out.
const MANY: usize = 5_000;
/// How many operations a broken database is used for.
const TO_BREAK: usize = 1_000;
/// How many histories at the most a broken database has.
const HISTORIES: usize = 10;

/// A number from the environment.
fn variable<T: FromStr>(name: &str) -> Option<T> {
    let value = env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

/// The plan of so many operations that the environment asks for.
fn plan(operations: usize) -> Plan {
    let seed = variable("HISTORY_SEED").unwrap_or_else(|| fastrand::u64(..));
    println!("HISTORY_SEED={seed}");
    Plan { seed, operations, with_keys: env::var_os("HISTORY_WITHOUT_KEYS").is_none() }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_simultaneous_clients_see_could_have_happened_one_after_another() {
    let plan = plan(variable("HISTORY_OPERATIONS").unwrap_or(OPERATIONS));
    let Plan { seed, operations, with_keys } = plan;
    let started = Instant::now();
    let mut rounds = history(new_hasty_stack().await, plan).await;
    let (carried_out, ended) = (started.elapsed(), Instant::now());
    let violations = violations(&mut rounds);
    let checked = ended.elapsed();

    let tally = tally(&rounds);
    println!("{operations} operations of {CLIENTS} clients in {carried_out:.1?}, checked in {checked:.1?}");
    for (answer, times) in &tally {
        println!("  {answer:<24}{times:>7}");
    }
    assert!(violations.is_empty(), "HISTORY_SEED={seed}: {}", violations.join("\n"));
    assert_eq!(tally.values().sum::<usize>(), operations);
    let is_expected = |answer: &&&str| with_keys || !answer.contains("by key");
    let expected = ANSWERS.iter().filter(is_expected);
    let missing: Vec<_> = expected.filter(|answer| !tally.contains_key(*answer)).collect();
    assert!(operations < MANY || missing.is_empty(), "HISTORY_SEED={seed}: no {missing:?}");
}

/// What is wrong with the history of the service over a database that a proxy breaks.
async fn wrong_with(proxy: impl Proxy) -> Vec<String> {
    let plan = plan(TO_BREAK);
    let behind = new_stack().await;
    let stack = hasty_stack_at(start_proxy(behind.dynamodb_url(), proxy).await).await;
    violations(&mut history(stack, plan).await)
}

/// Uses a broken database until a violation tells of it: chance may let a history pass by what is broken.
async fn expect_found_out<P: Proxy>(broken: impl Fn() -> P, told: &str) {
    for _ in 0..HISTORIES {
        let wrong = wrong_with(broken()).await;
        if wrong.iter().any(|violation| violation.contains(told)) {
            return;
        }
    }
    panic!("{told} is never wrong");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_looks_at_no_condition_is_found_out() {
    for told in ["Joined", "Created"] {
        expect_found_out(|| Unconditional, told).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_lags_is_found_out() {
    for (operation, told) in [("GetItem", "Show"), ("Query", "List"), ("BatchGetItem", "Login")] {
        expect_found_out(|| Lagging::in_operation(operation), told).await;
    }
}
