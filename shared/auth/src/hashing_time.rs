//! Time that a request spends hashing passwords.
//!
//! It belongs to the task of the request. Everything that the task awaits adds to it; spawned tasks do not.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

tokio::task_local! {
    static HASHING: Cell<Option<Duration>>;
}

/// Runs a request and returns its result with the time of its hashes, if it computed any.
pub async fn with_hashing_time<T>(request: impl Future<Output = T>) -> (T, Option<Duration>) {
    let measured = async { (request.await, HASHING.with(Cell::get)) };
    HASHING.scope(Cell::default(), measured).await
}

/// Runs a hash of a password and adds its duration to that of the current request.
pub(crate) fn measure_hash<T>(hash: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let hashed = hash();
    // Outside a request, nobody asks for the time.
    let _ = HASHING.try_with(|time| time.set(Some(time.get().unwrap_or_default() + started.elapsed())));
    hashed
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    #[tokio::test]
    async fn hashes_of_a_request_are_added() {
        let hash = || measure_hash(|| sleep(Duration::from_millis(2)));
        let request = async {
            hash();
            hash();
        };
        assert!(with_hashing_time(request).await.1 >= Some(Duration::from_millis(4)));
        assert_eq!(with_hashing_time(async {}).await.1, None);
    }
}
