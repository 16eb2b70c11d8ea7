//! Metrics of one request, recorded by the code that knows them.
//!
//! The metrics belong to the task of the request. Everything that the task awaits adds to them, including
//! concurrent futures. Spawned tasks do not.

use std::{
    cell::Cell,
    pin::{Pin, pin},
    time::Instant,
};

use serde::Serialize;

tokio::task_local! {
    static METRICS: Cell<RequestMetrics>;
}

/// Resources that one request has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RequestMetrics {
    /// Read units that DynamoDB reported.
    pub read_units: f64,
    /// Write units that DynamoDB reported.
    pub write_units: f64,
    /// Transactions that DynamoDB cancelled because of a simultaneous one.
    #[serde(skip_serializing_if = "is_zero")]
    pub conflicts: u64,
    /// Calls, or parts of calls, that DynamoDB rejected for lack of capacity.
    #[serde(skip_serializing_if = "is_zero")]
    pub throttles: u64,
    /// Time spent hashing passwords, in microseconds.
    #[serde(skip_serializing_if = "is_zero")]
    pub hash_microseconds: u64,
}

/// Runs a request and returns its result with its metrics.
///
/// The argument is already pinned, because moving it costs more than measuring it.
pub async fn measure<T>(request: Pin<&mut impl Future<Output = T>>) -> (T, RequestMetrics) {
    let mut measured = pin!(METRICS.scope(Cell::default(), request));
    let result = measured.as_mut().await;
    let metrics = measured.take_value().map(Cell::into_inner);
    (result, metrics.unwrap_or_default())
}

/// Adds to the metrics of the current request; does nothing outside a request.
pub fn record(add: impl FnOnce(&mut RequestMetrics)) {
    let _ = METRICS.try_with(|current| {
        let mut metrics = current.get();
        add(&mut metrics);
        current.set(metrics);
    });
}

/// Runs a hash of a password and adds its duration to the metrics of the current request.
pub fn measure_hash<T>(hash: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let hashed = hash();
    let took = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    record(|metrics| metrics.hash_microseconds += took);
    hashed
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::future::join;

    use super::*;

    async fn read(units: f64) {
        tokio::task::yield_now().await;
        record(|metrics| metrics.read_units += units);
    }

    async fn conflict(conflicts: u64) {
        tokio::task::yield_now().await;
        record(|metrics| metrics.conflicts += conflicts);
    }

    #[tokio::test]
    async fn concurrent_calls_add_up() {
        let request = pin!(async {
            read(0.5).await;
            join(read(1.0), read(2.0)).await;
        });
        let ((), metrics) = measure(request).await;
        assert_eq!(metrics, RequestMetrics { read_units: 3.5, ..RequestMetrics::default() });
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn requests_are_measured_apart() {
        let request = async |conflicts| {
            let conflicting = pin!(join(conflict(conflicts), conflict(conflicts)));
            measure(conflicting).await.1.conflicts
        };
        let requests = [1, 10].map(|conflicts| tokio::spawn(async move { request(conflicts).await }));
        for (request, conflicts) in requests.into_iter().zip([2, 20]) {
            assert_eq!(request.await.unwrap(), conflicts);
        }
    }

    #[tokio::test]
    async fn duration_of_hash_is_recorded() {
        let busy = || {
            let started = Instant::now();
            while started.elapsed() < Duration::from_micros(2) {}
        };
        let ((), metrics) = measure(pin!(async { measure_hash(busy) })).await;
        assert!(metrics.hash_microseconds > 0);
    }

    #[test]
    fn nothing_is_recorded_outside_a_request() {
        record(|_| panic!("there are no metrics"));
    }
}
