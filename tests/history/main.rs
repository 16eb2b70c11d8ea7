//! Linearizability of simultaneous requests to few objects.
//!
//! The tests check the history of each few addresses and nicknames, and of each title and place. Every
//! operation must take effect at one instant between request and response. This holds for lists if the
//! index of events is written with the table, as on the local stack; on AWS it follows within a second.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod check;
mod client;
mod clients;
mod events;
mod linearizability;
mod members;
mod seat_clients;
mod seats;
mod sell_out;
mod sessions;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    env,
    str::FromStr,
    sync::Arc,
    time::Instant,
};

use aws_sdk_dynamodb::types::AttributeValue;
use check::{RESPONSES, tally, violations};
use clients::{CLIENTS, Plan, Round, run};
use domain::clock::Clock;
use local::{Settings, Stack, TABLE};
use members::Operation;
use seat_clients::CLIENTS_OF_SHOW;
use tests::{Contents, new_stack, new_stack_with};
use tokio::task::JoinSet;

type Item = HashMap<String, AttributeValue>;

/// Number of operations, unless `HISTORY_OPERATIONS` sets another one.
const OPERATIONS: usize = 1_500;
/// Seed, unless `HISTORY_SEED` sets another one.
const SEED: u64 = 20_261_122;
/// Minimum number of operations in which all responses must occur. The rarest occurs once in about 400.
const OPERATIONS_FOR_ALL_RESPONSES: usize = 10_000;

/// Parses a number from the environment.
fn variable<T: FromStr>(name: &str) -> Option<T> {
    let value = env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is not a number: {value}")))
}

/// Creates the plan that `HISTORY_SEED` and `HISTORY_OPERATIONS` describe.
fn plan() -> Plan {
    let seed = variable("HISTORY_SEED").unwrap_or(SEED);
    println!("HISTORY_SEED={seed}");
    Plan { seed, operations: variable("HISTORY_OPERATIONS").unwrap_or(OPERATIONS) }
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_clients_are_linearizable() {
    let plan = plan();
    let started = Instant::now();
    let mut tally = BTreeMap::<_, usize>::new();
    for part in plan.parts() {
        for (response, times) in check_clients(part).await {
            *tally.entry(response).or_default() += times;
        }
    }
    println!("{} operations of {CLIENTS} clients, checked in {:.1?}", plan.operations, started.elapsed());
    print_and_expect(&tally, RESPONSES, plan);
}

/// Checks a history in a stack of its own, and returns how often each response occurred.
async fn check_clients(plan: Plan) -> BTreeMap<String, usize> {
    let stack = Arc::new(new_stack().await);
    let run = run(Arc::clone(&stack), plan).await;
    assert_epochs_match(&items(&stack).await);
    let mut rounds = run.end().await;
    let violations = violations(&mut rounds);
    assert!(violations.is_empty(), "HISTORY_SEED={}: {}", plan.seed, violations.join("\n"));
    let tally = tally(&rounds);
    // The refreshes, withdrawals and deletions at the end are not planned.
    assert!(tally.values().sum::<usize>() >= plan.operations);
    let items = items(&stack).await;
    assert_no_members(&items);
    assert_no_locks(&items);
    assert_sessions_of_members(&items, &rounds);
    tally
}

/// Prints how often each response occurred, and expects all of them in a long history.
fn print_and_expect(tally: &BTreeMap<String, usize>, responses: &str, plan: Plan) {
    for (response, times) in tally {
        println!("  {response:<24}{times:>7}");
    }
    let missing: Vec<_> = responses.split(", ").filter(|response| !tally.contains_key(*response)).collect();
    assert!(
        plan.operations < OPERATIONS_FOR_ALL_RESPONSES || missing.is_empty(),
        "HISTORY_SEED={}: no {missing:?}",
        plan.seed
    );
}

/// Responses to operations on the seats of a show, as [`check::name`] names them.
const SEAT_RESPONSES: &str = "Hold, Hold H_001, Hold H_002, Hold H_003, Hold E_002, HoldBest, HoldBest H_002, \
    HoldBest H_003, HoldBest H_006, HoldBest E_002, Sell, Sell H_001, Sell H_003, Sell E_002, Release, Release H_004, \
    Release E_002, Confirm, Confirm H_004, Confirm E_002, Cancel, Cancel H_004, Cancel E_002, Get, Get E_002, Block, \
    Block H_001, Block E_002, Unblock, Unblock E_002, Availability, Availability E_002, Delete, Delete E_002, \
    Delete E_004, Restore, Remove, Remove E_002, Remove E_004, Hide, Hide E_002, Hide E_004, Publish, Publish E_002, \
    Change, Change E_002, CancelEvent, CancelEvent E_002, Expire";

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_holds_are_linearizable() {
    let plan = plan();
    let started = Instant::now();
    let lanes = CLIENTS / CLIENTS_OF_SHOW;
    let histories = (0..lanes).map(|lane| async move {
        let plan = Plan {
            seed: plan.seed.wrapping_add(u64::from(lane) << 32),
            operations: plan.operations / usize::from(lanes),
        };
        let mut histories = Vec::new();
        for part in plan.parts() {
            // Each stack has its own clock.
            let clock = Clock::default();
            let stack = Arc::new(new_stack_with(Settings { clock: clock.clone(), ..Settings::default() }).await);
            histories.extend(seat_clients::run(&stack, &clock, part).await);
            Contents::read_table(&stack).await.check_seats(clock.now().as_secs());
        }
        histories
    });
    let histories = histories.collect::<JoinSet<_>>().join_all().await.concat();
    let (carried_out, ended) = (started.elapsed(), Instant::now());
    let violation = |(round, calls): (usize, &Vec<_>)| check::violation::<seats::Show>(round, calls);
    let violations: Vec<_> = histories.iter().enumerate().filter_map(violation).collect();
    println!("{} operations on seats in {carried_out:.1?}, checked in {:.1?}", plan.operations, ended.elapsed());
    let mut tally = BTreeMap::<_, usize>::new();
    for call in histories.iter().flatten() {
        *tally.entry(check::name(&call.operation, "")).or_default() += 1;
    }
    assert!(violations.is_empty(), "HISTORY_SEED={}: {}", plan.seed, violations.join("\n"));
    print_and_expect(&tally, SEAT_RESPONSES, plan);
}

/// Returns all items of the table.
async fn items(stack: &Stack) -> Vec<Item> {
    let scan = stack.dynamodb().scan().table_name(TABLE).consistent_read(true);
    scan.into_paginator().items().send().collect::<Result<_, _>>().await.unwrap()
}

/// Checks that the two items of each member have the same epoch.
fn assert_epochs_match(items: &[Item]) {
    let epochs = |sort: &str, id: fn(&Item) -> &str| -> BTreeMap<_, _> {
        let of_kind = items.iter().filter(|item| item["sk"].as_s().unwrap() == sort);
        of_kind.map(|item| (id(item), item.get("epoch"))).collect()
    };
    let members = epochs("MEMBER", |item| item["pk"].as_s().unwrap().trim_start_matches("MEMBER#"));
    assert_eq!(members, epochs("EMAIL", |item| item["id"].as_s().unwrap()));
    assert!(!members.is_empty());
}

/// Checks that each session item names a member who was registered.
fn assert_sessions_of_members(items: &[Item], rounds: &[Round]) {
    let joined: BTreeSet<_> = rounds
        .iter()
        .flat_map(|round| &round.members)
        .filter_map(|call| match &call.operation {
            Operation::Join { response, .. } => response.as_ref().ok().map(ToString::to_string),
            _ => None,
        })
        .collect();
    let sessions: Vec<_> = items.iter().filter(|item| item["sk"].as_s().unwrap() == "SESSION").collect();
    assert!(!sessions.is_empty());
    for session in sessions {
        assert!(joined.contains(session["member"].as_s().unwrap()), "a session of nobody: {session:?}");
    }
}

/// Checks that no lock item has a show any more.
fn assert_no_locks(items: &[Item]) {
    let locks: Vec<_> = items.iter().filter(|item| item["pk"].as_s().unwrap().starts_with("SHOW#")).collect();
    assert!(!locks.is_empty());
    for lock in locks {
        assert_eq!(lock.len(), 2, "a locked show without an event: {lock:?}");
    }
}

/// Checks that the table has no item of a member any more, except counters that expire.
fn assert_no_members(items: &[Item]) {
    let mut counters = 0;
    for item in items {
        let [partition, sort] = ["pk", "sk"].map(|name| item[name].as_s().unwrap());
        if !["EMAIL#", "MEMBER#", "NICKNAME#"].iter().any(|prefix| partition.starts_with(prefix)) {
            continue;
        }
        assert_eq!(sort, "FAILURES", "an item of a member who withdrew: {item:?}");
        let attributes: BTreeSet<_> = item.keys().map(String::as_str).collect();
        assert_eq!(attributes, ["clients", "expiresAt", "failures", "pk", "sk"].into());
        counters += 1;
    }
    println!("  {counters} counters of failures remain");
}
