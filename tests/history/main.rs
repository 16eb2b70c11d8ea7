//! Linearizability of simultaneous requests to few objects.
//!
//! The tests check the histories of each title and place, and of the seats of each show. Every operation must take
//! effect at one instant between request and response. This holds for lists if the index of events is written with the
//! table, as on the local stack; on AWS it follows within a second.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod check;
mod client;
mod event_clients;
mod events;
mod linearizability;
mod plan;
mod seat_clients;
mod seats;
mod sell_out;

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use check::{mark_contended_keys, violations};
use domain::clock::Clock;
use linearizability::{Call, Model};
use local::{Settings, Stack};
use plan::{CLIENTS, Plan};
use seat_clients::CLIENTS_OF_SHOW;
use tests::{Contents, Service, new_stack_with};
use tokio::task::JoinSet;

/// Time that a transaction on seats takes. One that writes the same item meanwhile meets a conflict, as on AWS.
const TRANSACTION: Duration = Duration::from_millis(5);

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_clients_are_linearizable() {
    let plan = Plan::new();
    let mut histories = Vec::new();
    for part in plan.parts() {
        let stack = Arc::new(new_stack_with(patient(Clock::default())).await);
        histories.extend(event_clients::run(&stack, part).await);
        assert_no_locks(&stack).await;
    }
    for calls in &mut histories {
        mark_contended_keys(calls);
    }
    check::<events::Events>(&histories, plan);
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_holds_are_linearizable() {
    let plan = Plan::new();
    let lanes = CLIENTS / CLIENTS_OF_SHOW;
    let pauses = Arc::new(AtomicUsize::new(0));
    let histories = (0..lanes).map(|lane| {
        let pauses = Arc::clone(&pauses);
        async move {
            let plan = Plan {
                seed: plan.seed.wrapping_add(u64::from(lane) << 32),
                operations: plan.operations / usize::from(lanes),
            };
            let mut histories = Vec::new();
            for part in plan.parts() {
                // Each stack has its own clock.
                let clock = Clock::default();
                let service = Service::start_with(patient(clock.clone())).await;
                service.proxy.set_transaction_time(TRANSACTION);
                histories.extend(seat_clients::run(&service, &clock, part).await);
                Contents::read_table(&service.stack).await.check_seats(clock.now().as_secs());
                let is_pause = |call: &&String| *call == "UpdateItem EVENT";
                pauses.fetch_add(service.proxy.calls().iter().filter(is_pause).count(), Ordering::Relaxed);
            }
            histories
        }
    });
    let histories = histories.collect::<JoinSet<_>>().join_all().await.concat();
    check::<seats::Show>(&histories, plan);
    let pauses = pauses.load(Ordering::Relaxed);
    println!("{pauses} pauses of sales");
    assert!(pauses > 0, "no change met a hold");
}

/// Settings of stacks whose calls may take as long as a busy machine needs.
fn patient(clock: Clock) -> Settings {
    Settings { clock, call_timeout: Some(Duration::from_mins(2)), ..Settings::default() }
}

/// Checks that an order of the operations explains each history.
fn check<M: Model<Operation: Debug>>(histories: &[Vec<Call<M::Operation>>], plan: Plan) {
    let violations = violations::<M>(histories);
    assert!(violations.is_empty(), "HISTORY_SEED={}: {}", plan.seed, violations.join("\n"));
}

/// Checks that all lock items of shows are gone, since all events are deleted.
async fn assert_no_locks(stack: &Stack) {
    let contents = Contents::read_table(stack).await;
    assert!(contents.of_kind("EVENT").next().is_some());
    assert_eq!(contents.of_kind("SHOW").next(), None, "a lock item without an event");
}
