//! Calls that failed after the SDK's own tries.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};

/// Whether AWS is to blame, unavailable or throttling, and not the call itself.
pub fn is_unavailable<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    /// What is answered with a status of the 400s and yet is no fault of the call.
    const BUSY: [&str; 5] = [
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
        "TransactionCanceledException",
        "TransactionInProgressException",
    ];
    match error {
        SdkError::ConstructionFailure(_) => false,
        SdkError::ServiceError(service) => {
            let is_busy = service.err().code().is_some_and(|code| BUSY.contains(&code));
            is_busy || service.raw().status().is_server_error()
        }
        _ => true,
    }
}
