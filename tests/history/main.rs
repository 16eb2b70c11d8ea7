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

use broken::{lagging, unconditional};
use check::{ANSWERS, tally, violations};
use clients::{CLIENTS, Plan, history};
use tests::{Proxy, fault::Rule, new_stack, new_stack_with_cheap_hash, stack_with_cheap_hash_at};

/// How many operations there are, unless `HISTORY_OPERATIONS` says otherwise.
const OPERATIONS: usize = 5_000;
/// The seed, unless `HISTORY_SEED` sets another one.
const SEED: u64 = 20_261_122;
/// How few of them may leave a kind of answer out.
const MANY: usize = 5_000;
/// How many operations a broken database is used for.
const TO_BREAK: usize = 1_000;
/// How many histories at the most a broken database has.
const HISTORIES: usize = 10;

/// Parses a number from the environment.
fn variable<T: FromStr>(name: &str) -> Option<T> {
    let value = env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

/// Creates a plan from `HISTORY_SEED`, for the history of a number among others of as many operations.
fn plan(history: usize, operations: usize) -> Plan {
    // The seed of an operation is this one and its number.
    let seed = variable("HISTORY_SEED").unwrap_or(SEED).wrapping_add((history * operations) as u64);
    println!("HISTORY_SEED={seed}");
    Plan { seed, operations, with_keys: env::var_os("HISTORY_WITHOUT_KEYS").is_none() }
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_clients_are_linearizable() {
    let plan = plan(0, variable("HISTORY_OPERATIONS").unwrap_or(OPERATIONS));
    let Plan { seed, operations, with_keys } = plan;
    let started = Instant::now();
    let mut rounds = history(new_stack_with_cheap_hash().await, plan).await;
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

/// Returns the violations in a history over a database that a rule breaks.
async fn violations_with(rule: Rule, plan: Plan) -> Vec<String> {
    let behind = new_stack().await;
    let proxy = Proxy::start(&behind, [rule]).await;
    let stack = stack_with_cheap_hash_at(proxy.dynamodb_url()).await;
    violations(&mut history(stack, plan).await)
}

/// Uses a broken database until a violation tells of it: chance may let a history pass by what is broken.
async fn expect_found_out(rule: Rule, told: &str) {
    for number in 0..HISTORIES {
        let wrong = violations_with(rule.clone(), plan(number, TO_BREAK)).await;
        if wrong.iter().any(|violation| violation.contains(told)) {
            return;
        }
    }
    panic!("{told} is never wrong");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_conditions_are_detected() {
    for told in ["Joined", "Created"] {
        expect_found_out(unconditional(), told).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stale_reads_are_detected() {
    for (operation, told) in [("GetItem", "Show"), ("Query", "List"), ("BatchGetItem", "Login")] {
        expect_found_out(lagging(operation), told).await;
    }
}
