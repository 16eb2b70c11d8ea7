//! Password hashing within a request.

use std::time::Instant;

use tokio::runtime::{Handle, RuntimeFlavor};

use crate::request_metrics;

/// Runs a hash of some milliseconds without delaying other requests, and records its duration.
///
/// A function on Lambda has one request and one thread at a time, so the hash simply runs. If several
/// requests share the threads of a pool, the current thread leaves the pool while the hash runs.
pub fn run<T>(hash: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let hashed = match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(hash),
        _ => hash(),
    };
    let took = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    request_metrics::record(|metrics| metrics.hash_microseconds += took);
    hashed
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, sync::mpsc, time::Duration};

    use super::*;
    use crate::request_metrics::measure;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_requests_continue() {
        let (done, waiting) = mpsc::channel();
        let working = tokio::spawn(async move { run(|| waiting.recv()) });
        tokio::spawn(async move { done.send(7) }).await.unwrap().unwrap();
        assert_eq!(working.await.unwrap(), Ok(7));
    }

    #[tokio::test]
    async fn duration_is_recorded() {
        let busy = || {
            let started = Instant::now();
            while started.elapsed() < Duration::from_micros(2) {}
        };
        let ((), metrics) = measure(pin!(async { run(busy) })).await;
        assert!(metrics.hash_microseconds > 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn metrics_survive_thread_change() {
        let conflict = || request_metrics::record(|metrics| metrics.conflicts += 1);
        let request = async move { measure(pin!(async { run(conflict) })).await };
        let ((), metrics) = tokio::spawn(request).await.unwrap();
        assert_eq!(metrics.conflicts, 1);
    }
}
