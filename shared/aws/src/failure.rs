//! Classification of calls that failed after the retries of the SDK.

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::transact_write_items::TransactWriteItemsError,
    types::CancellationReason,
};

/// Error codes of DynamoDB for exceeded capacity.
pub const THROTTLING_CODES: [&str; 3] =
    ["ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"];

/// Returns true if AWS is unavailable or throttles, and false if the call is at fault.
pub fn is_unavailable<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    /// Error codes with status 4xx for which the call is not at fault.
    const TRANSACTION_CODES: [&str; 3] =
        ["TransactionCanceledException", "TransactionConflictException", "TransactionInProgressException"];
    match error {
        SdkError::ConstructionFailure(_) => false,
        SdkError::ServiceError(service) => {
            let is_temporary = |code| THROTTLING_CODES.contains(&code) || TRANSACTION_CODES.contains(&code);
            service.err().code().is_some_and(is_temporary) || service.raw().status().is_server_error()
        }
        _ => true,
    }
}

/// Returns the reason for each item if a transaction was cancelled.
#[must_use]
pub fn cancellation_reasons(error: &TransactWriteItemsError) -> Option<&[CancellationReason]> {
    match error {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => Some(cancelled.cancellation_reasons()),
        _ => None,
    }
}

/// Returns true if a simultaneous transaction has the item.
#[must_use]
pub fn is_conflict(reason: &CancellationReason) -> bool {
    reason.code() == Some("TransactionConflict")
}

/// Returns true if the capacity for the item is exceeded.
#[must_use]
pub fn is_throttling(reason: &CancellationReason) -> bool {
    matches!(reason.code(), Some("ThrottlingError" | "ProvisionedThroughputExceeded"))
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::error::ErrorMetadata;
    use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
    use aws_smithy_types::body::SdkBody;

    use super::*;

    fn service_error(status: u16, code: &str) -> SdkError<ErrorMetadata> {
        let response = HttpResponse::new(status.try_into().unwrap(), SdkBody::empty());
        SdkError::service_error(ErrorMetadata::builder().code(code).build(), response)
    }

    #[test]
    fn server_errors_count_as_unavailable() {
        for unavailable in [
            SdkError::timeout_error("t"),
            SdkError::response_error("r", HttpResponse::new(200.try_into().unwrap(), SdkBody::empty())),
            service_error(500, "InternalServerError"),
            service_error(400, "ThrottlingException"),
            service_error(400, "TransactionConflictException"),
        ] {
            assert!(is_unavailable(&unavailable), "{unavailable:?}");
        }
        for permanent in [
            SdkError::construction_failure("c"),
            service_error(400, "ConditionalCheckFailedException"),
            service_error(403, "AccessDenied"),
        ] {
            assert!(!is_unavailable(&permanent), "{permanent:?}");
        }
    }

    #[test]
    fn conflict_and_throttling_are_distinct() {
        let reason = |code: &str| CancellationReason::builder().code(code).build();
        for (code, conflicting, throttled) in [
            ("TransactionConflict", true, false),
            ("ThrottlingError", false, true),
            ("ProvisionedThroughputExceeded", false, true),
            ("ConditionalCheckFailed", false, false),
        ] {
            assert_eq!((is_conflict(&reason(code)), is_throttling(&reason(code))), (conflicting, throttled), "{code}");
        }
        assert!(!is_conflict(&CancellationReason::builder().build()));
    }
}
