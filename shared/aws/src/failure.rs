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
#[must_use]
pub fn cancellation_reasons(error: &TransactWriteItemsError) -> Option<&[CancellationReason]> {
    match error {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => {
            Some(cancelled.cancellation_reasons())
        }
        _ => None,
    }
}

/// Whether another transaction has the item.
#[must_use]
pub fn is_conflict(reason: &CancellationReason) -> bool {
    reason.code() == Some("TransactionConflict")
}

/// Whether there is no capacity for the item.
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

    fn answered(status: u16, code: &str) -> SdkError<ErrorMetadata> {
        let answer = HttpResponse::new(status.try_into().unwrap(), SdkBody::empty());
        SdkError::service_error(ErrorMetadata::builder().code(code).build(), answer)
    }

    #[test]
    fn server_errors_count_as_unavailable() {
        for unavailable in [
            SdkError::timeout_error("t"),
            SdkError::response_error("r", HttpResponse::new(200.try_into().unwrap(), SdkBody::empty())),
            answered(500, "InternalServerError"),
            answered(503, "SlowDown"),
            answered(400, "ThrottlingException"),
            answered(400, "TransactionConflictException"),
        ] {
            assert!(is_unavailable(&unavailable), "{unavailable:?}");
        }
        for fault in [
            SdkError::construction_failure("c"),
            answered(400, "ValidationException"),
            answered(400, "ConditionalCheckFailedException"),
            answered(403, "AccessDenied"),
        ] {
            assert!(!is_unavailable(&fault), "{fault:?}");
        }
    }

    #[test]
    fn conflict_and_throttling_are_distinct() {
        let reason = |code: &str| CancellationReason::builder().code(code).build();
        for (code, conflicts, throttles) in [
            ("TransactionConflict", true, false),
            ("ThrottlingError", false, true),
            ("ProvisionedThroughputExceeded", false, true),
            ("ConditionalCheckFailed", false, false),
            ("None", false, false),
        ] {
            assert_eq!(
                (is_conflict(&reason(code)), is_throttling(&reason(code))),
                (conflicts, throttles),
                "{code}"
            );
        }
        assert!(!is_conflict(&CancellationReason::builder().build()));
    }
}
