//! Attempts to change what was read before, repeated until no simultaneous change comes in between.

use backon::Retryable as _;
use domain::error::Error;
use tokio::time::timeout;

use crate::{
    table::{Table, backoff, timed_out},
    transaction::TransactionError,
};

/// Repeats an operation, a read and a transaction, until no simultaneous change comes in between.
///
/// Returns `Database` after the time limit of two calls.
pub async fn until_decided<T, F>(table: &Table, operation: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, TransactionError>>,
{
    // Boxed, because the type of the whole future exceeds the compiler's recursion limit.
    let attempt = || Box::pin(operation());
    let attempts =
        attempt.retry(backoff().without_max_times()).when(|failure| matches!(failure, TransactionError::Lost));
    Ok(timeout(2 * table.call_timeout(), attempts).await.map_err(timed_out)??)
}
