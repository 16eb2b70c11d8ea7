//! What a request takes beside its time, counted where it is taken.
//!
//! Each request has a count of its own, which goes with its task: whatever the task awaits, alone or
//! several at once, adds to it, and so does work in `blocking`. What it spawns does not.

use std::{
    cell::Cell,
    pin::{Pin, pin},
    time::{Duration, Instant},
};

tokio::task_local! {
    static USAGE: Cell<Usage>;
}

/// What a request has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// The read units that DynamoDB reported.
    pub read_units: f64,
    /// The write units that DynamoDB reported.
    pub write_units: f64,
    /// How often DynamoDB cancelled a transaction for the sake of a simultaneous one.
    pub conflicts: u32,
    /// How often DynamoDB had no capacity for a call or for a part of it.
    pub throttles: u32,
    /// The time spent hashing passwords; zero where none was hashed.
    pub hashing: Duration,
}

/// Carries a request out and tells what it took.
///
/// It is pinned already, since to move what is kept of a request about costs more than to count.
pub async fn counted<T>(request: Pin<&mut impl Future<Output = T>>) -> (T, Usage) {
    let mut counting = pin!(USAGE.scope(Cell::default(), request));
    let result = counting.as_mut().await;
    let usage = counting.take_value().map(Cell::into_inner);
    (result, usage.unwrap_or_default())
}

/// Adds to what the request under way has taken; outside a request, nobody asks.
pub(crate) fn add(take: impl FnOnce(&mut Usage)) {
    let _ = USAGE.try_with(|usage| {
        let mut taken = usage.get();
        take(&mut taken);
        usage.set(taken);
    });
}

/// Hashes a password, and adds the time that it takes.
pub(crate) fn hashing<T>(hash: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let hashed = hash();
    add(|usage| usage.hashing += started.elapsed());
    hashed
}

#[cfg(test)]
mod tests {
    use futures_util::future::join;

    use super::*;
    use crate::blocking;

    async fn read(units: f64) {
        tokio::task::yield_now().await;
        add(|usage| usage.read_units += units);
    }

    async fn lose(conflicts: u32) {
        tokio::task::yield_now().await;
        add(|usage| usage.conflicts += conflicts);
    }

    #[tokio::test]
    async fn what_is_taken_at_once_adds_up() {
        let request = pin!(async {
            read(0.5).await;
            join(read(1.0), read(2.0)).await;
        });
        let ((), usage) = counted(request).await;
        assert_eq!(usage, Usage { read_units: 3.5, ..Usage::default() });
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn requests_at_once_are_counted_apart_on_any_thread() {
        let request = async |conflicts| {
            let losing = pin!(join(lose(conflicts), lose(conflicts)));
            counted(losing).await.1.conflicts
        };
        let requests = [1, 10].map(|conflicts| tokio::spawn(async move { request(conflicts).await }));
        for (request, conflicts) in requests.into_iter().zip([2, 20]) {
            assert_eq!(request.await.unwrap(), conflicts);
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn work_that_keeps_a_thread_busy_is_counted() {
        let conflict = || add(|usage| usage.conflicts += 1);
        let request = async move { counted(pin!(async { blocking::run(conflict) })).await };
        let ((), usage) = tokio::spawn(request).await.unwrap();
        assert_eq!(usage.conflicts, 1);
    }

    #[tokio::test]
    async fn hashing_takes_time() {
        let busy = || {
            let started = Instant::now();
            while started.elapsed().is_zero() {}
        };
        let ((), usage) = counted(pin!(async { hashing(busy) })).await;
        assert!(!usage.hashing.is_zero());
    }

    #[test]
    fn outside_a_request_nothing_is_counted() {
        add(|_| panic!("there is nothing to add to"));
    }
}
