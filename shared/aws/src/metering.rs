//! Capacity that calls to DynamoDB consume, recorded in the request metrics.
//!
//! Every attempt of a call is recorded, including retries by the SDK.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    config::{
        Builder, ConfigBag, Intercept, RuntimeComponents, SharedInterceptor,
        interceptors::{BeforeSerializationInterceptorContextMut, FinalizerInterceptorContextRef},
    },
    error::{BoxError, ProvideErrorMetadata},
    operation::{self, batch_get_item::BatchGetItemOutput},
    types::{ConsumedCapacity, ReturnConsumedCapacity},
};
use aws_smithy_runtime_api::client::interceptors::{
    context::{Error, Input, Output},
    dyn_dispatch_hint,
};

use crate::failure::{THROTTLING_CODES, cancellation_reasons, is_conflict, is_throttling};
use runtime::request_metrics;

/// Interceptor that requests the consumed capacity of each call, and records it.
#[derive(Debug)]
struct Metering;

/// Adds recording of consumed capacity to the configuration of a client.
#[must_use]
pub fn with_metering(mut config: Builder) -> Builder {
    config.push_interceptor(SharedInterceptor::permanent(Metering));
    config
}

#[dyn_dispatch_hint]
impl Intercept for Metering {
    fn name(&self) -> &'static str {
        "Metering"
    }

    fn modify_before_serialization(
        &self,
        context: &mut BeforeSerializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        request_units(context.input_mut());
        Ok(())
    }

    fn read_after_attempt(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        match context.output_or_error() {
            Some(Ok(output)) => {
                count_units(output);
                count_unprocessed(output);
            }
            Some(Err(error)) => error.as_operation_error().into_iter().for_each(count_rejection),
            None => {}
        }
        Ok(())
    }
}

/// Defines the metering of operations, given their modules, types and kinds of units.
macro_rules! meter {
    ($($module:ident: $input:ident, $output:ident, $error:ident, $units:ident;)+) => {
        fn request_units(input: &mut Input) {
            $(if let Some(input) = input.downcast_mut::<operation::$module::$input>() {
                input.return_consumed_capacity = Some(ReturnConsumedCapacity::Total);
            })+
        }

        fn count_units(output: &Output) {
            $(if let Some(output) = output.downcast_ref::<operation::$module::$output>() {
                let units = units(output.consumed_capacity());
                request_metrics::record(|metrics| metrics.$units += units);
            })+
        }

        /// Returns the code of an error of one of these operations.
        fn code(error: &Error) -> Option<&str> {
            $(if let Some(error) = error.downcast_ref::<operation::$module::$error>() {
                return error.code();
            })+
            None
        }
    };
}

meter! {
    get_item: GetItemInput, GetItemOutput, GetItemError, read_units;
    query: QueryInput, QueryOutput, QueryError, read_units;
    batch_get_item: BatchGetItemInput, BatchGetItemOutput, BatchGetItemError, read_units;
    transact_write_items:
        TransactWriteItemsInput, TransactWriteItemsOutput, TransactWriteItemsError, write_units;
    update_item: UpdateItemInput, UpdateItemOutput, UpdateItemError, write_units;
    put_item: PutItemInput, PutItemOutput, PutItemError, write_units;
    delete_item: DeleteItemInput, DeleteItemOutput, DeleteItemError, write_units;
}

fn units<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) -> f64 {
    consumed.into_iter().filter_map(|consumed| consumed.capacity_units).sum()
}

/// Counts a batch of reads that DynamoDB did not complete for lack of capacity.
fn count_unprocessed(output: &Output) {
    let batch = output.downcast_ref::<BatchGetItemOutput>();
    let is_complete = batch.and_then(|batch| batch.unprocessed_keys()).is_none_or(HashMap::is_empty);
    request_metrics::record(|metrics| metrics.throttles += u64::from(!is_complete));
}

/// Counts a call that DynamoDB rejected for lack of capacity, or because of a simultaneous transaction.
fn count_rejection(error: &Error) {
    let code = code(error).unwrap_or_default();
    let reasons = error.downcast_ref().and_then(cancellation_reasons).unwrap_or_default();
    let is_conflicting = code == "TransactionConflictException" || reasons.iter().any(is_conflict);
    let is_throttled = THROTTLING_CODES.contains(&code) || reasons.iter().any(is_throttling);
    request_metrics::record(|metrics| {
        metrics.conflicts += u64::from(is_conflicting);
        metrics.throttles += u64::from(is_throttled);
    });
}
