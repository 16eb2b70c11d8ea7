//! Calls that failed after the SDK's own tries.

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::transact_write_items::TransactWriteItemsError,
    types::CancellationReason,
};

/// What DynamoDB answers a call for which it has no capacity.
pub const THROTTLED: [&str; 3] =
    ["ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"];

/// Whether AWS is to blame, unavailable or throttling, and not the call itself.
pub fn is_unavailable<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    /// What is answered with a status of the 400s and yet is no fault of the call.
    const BUSY: [&str; 3] =
        ["TransactionCanceledException", "TransactionConflictException", "TransactionInProgressException"];
    match error {
        SdkError::ConstructionFailure(_) => false,
        SdkError::ServiceError(service) => {
            let is_busy =
                service.err().code().is_some_and(|code| THROTTLED.contains(&code) || BUSY.contains(&code));
            is_busy || service.raw().status().is_server_error()
        }
        _ => true,
    }
}

/// Why a transaction was cancelled, item by item; none where that is not what went wrong.
pub fn reasons(error: &TransactWriteItemsError) -> Option<&[CancellationReason]> {
    match error {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => {
            Some(cancelled.cancellation_reasons())
        }
        _ => None,
    }
}

/// Whether another transaction has the item.
pub fn is_conflict(reason: &CancellationReason) -> bool {
    reason.code() == Some("TransactionConflict")
}

/// Whether there is no capacity for the item.
pub fn is_throttle(reason: &CancellationReason) -> bool {
    matches!(reason.code(), Some("ThrottlingError" | "ProvisionedThroughputExceeded"))
}
