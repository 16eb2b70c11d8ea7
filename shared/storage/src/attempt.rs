//! Attempts to change what was read before, repeated until no simultaneous change comes in between.

use backon::BackoffBuilder as _;
use domain::error::Error;
use tokio::time::{sleep, timeout};

use crate::table::{Table, backoff, timed_out};

/// Result of an attempt to change what was read before.
#[derive(Debug, PartialEq, Eq)]
pub enum Attempt<T> {
    /// The attempt decided the result.
    Decided(T),
    /// A simultaneous change came first.
    Lost,
}

/// Repeats an operation, a read and a transaction, until no simultaneous change comes in between.
///
/// Returns `Database` after the time limit of two calls.
pub async fn until_decided<T, F>(table: &Table, operation: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<Attempt<T>, Error>>,
{
    let mut delays = backoff().without_max_times().build();
    let repeated = async {
        loop {
            // Boxed, because the type of the whole future exceeds the compiler's recursion limit.
            if let Attempt::Decided(result) = Box::pin(operation()).await? {
                return Ok(result);
            }
            sleep(delays.next().unwrap_or_default()).await;
        }
    };
    timeout(2 * table.call_timeout(), repeated).await.map_err(timed_out)?
}
