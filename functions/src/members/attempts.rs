//! Time limit of changes of a member, which start again if a simultaneous change comes first.

use api::error::Error;
use aws::CALL_TIMEOUT;
use domain::error::Error as DomainError;
use tokio::time::timeout;

/// Awaits attempts, each of which is a read and a write, for the time limit of two calls.
///
/// # Errors
///
/// Returns the error of an attempt, or `Database` after the time limit.
pub async fn until_decided<T>(attempts: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let lost = |_| DomainError::Database("a simultaneous change came first, again and again".into());
    timeout(2 * CALL_TIMEOUT, attempts).await.map_err(lost)?
}
