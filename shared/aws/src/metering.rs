//! What calls to DynamoDB consume, added to the usage of the request that makes them.
//!
//! Every try of a call is looked at, those that the SDK makes by itself too.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    config::{
        Builder, ConfigBag, Intercept, RuntimeComponents, SharedInterceptor,
        interceptors::{BeforeSerializationInterceptorContextMut, FinalizerInterceptorContextRef},
    },
    error::{BoxError, ProvideErrorMetadata},
    operation::{
        batch_get_item::{BatchGetItemError, BatchGetItemInput, BatchGetItemOutput},
        delete_item::{DeleteItemError, DeleteItemInput, DeleteItemOutput},
        get_item::{GetItemError, GetItemInput, GetItemOutput},
        put_item::{PutItemError, PutItemInput, PutItemOutput},
        query::{QueryError, QueryInput, QueryOutput},
        transact_write_items::{TransactWriteItemsError, TransactWriteItemsInput, TransactWriteItemsOutput},
        update_item::{UpdateItemError, UpdateItemInput, UpdateItemOutput},
    },
    types::{ConsumedCapacity, ReturnConsumedCapacity},
};
use aws_smithy_runtime_api::client::interceptors::{
    context::{Error, Input, Output},
    dyn_dispatch_hint,
};

use crate::failure::{THROTTLED, is_conflict, is_throttle, reasons};
use runtime::request_metrics;

/// Has DynamoDB tell what each call consumes, and counts it.
#[derive(Debug)]
struct Metering;

/// The settings of a client, with which what its calls consume is counted.
#[must_use]
pub fn metered(mut config: Builder) -> Builder {
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
        ask_for_units(context.input_mut());
        Ok(())
    }

    fn read_after_attempt(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        match context.output_or_error() {
            Some(Ok(output)) => count_units(output),
            Some(Err(error)) => error.as_operation_error().into_iter().for_each(count_refusal),
            None => {}
        }
        Ok(())
    }
}

fn ask_for_units(input: &mut Input) {
    macro_rules! ask {
        ($($call:ty),+) => {
            $(if let Some(call) = input.downcast_mut::<$call>() {
                call.return_consumed_capacity = Some(ReturnConsumedCapacity::Total);
                return;
            })+
        };
    }
    ask!(GetItemInput, QueryInput, BatchGetItemInput, TransactWriteItemsInput);
    ask!(UpdateItemInput, PutItemInput, DeleteItemInput);
}

fn count_units(output: &Output) {
    let read = |consumed| request_metrics::record(|metrics| metrics.read_units += units(consumed));
    let written = |consumed| request_metrics::record(|metrics| metrics.write_units += units(consumed));
    if let Some(got) = output.downcast_ref::<GetItemOutput>() {
        read(got.consumed_capacity.as_slice());
    } else if let Some(found) = output.downcast_ref::<QueryOutput>() {
        read(found.consumed_capacity.as_slice());
    } else if let Some(got) = output.downcast_ref::<BatchGetItemOutput>() {
        read(got.consumed_capacity());
        let is_whole = got.unprocessed_keys.as_ref().is_none_or(HashMap::is_empty);
        request_metrics::record(|metrics| metrics.throttles += u64::from(!is_whole));
    } else if let Some(transacted) = output.downcast_ref::<TransactWriteItemsOutput>() {
        written(transacted.consumed_capacity());
    } else if let Some(updated) = output.downcast_ref::<UpdateItemOutput>() {
        written(updated.consumed_capacity.as_slice());
    } else if let Some(put) = output.downcast_ref::<PutItemOutput>() {
        written(put.consumed_capacity.as_slice());
    } else if let Some(deleted) = output.downcast_ref::<DeleteItemOutput>() {
        written(deleted.consumed_capacity.as_slice());
    }
}

fn units(consumed: &[ConsumedCapacity]) -> f64 {
    consumed.iter().filter_map(|consumed| consumed.capacity_units).sum()
}

/// Counts what DynamoDB refused for want of capacity, or for the sake of a simultaneous transaction.
fn count_refusal(error: &Error) {
    const CODES: [fn(&Error) -> Option<&str>; 7] = [
        code::<GetItemError>,
        code::<QueryError>,
        code::<BatchGetItemError>,
        code::<TransactWriteItemsError>,
        code::<UpdateItemError>,
        code::<PutItemError>,
        code::<DeleteItemError>,
    ];
    let code = CODES.iter().find_map(|code| code(error)).unwrap_or_default();
    let reasons = error.downcast_ref().and_then(reasons).unwrap_or_default();
    let is_conflicting = code == "TransactionConflictException" || reasons.iter().any(is_conflict);
    let is_throttled = THROTTLED.contains(&code) || reasons.iter().any(is_throttle);
    request_metrics::record(|metrics| {
        metrics.conflicts += u64::from(is_conflicting);
        metrics.throttles += u64::from(is_throttled);
    });
}

/// The code of an error, if it is one of this operation.
fn code<E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static>(error: &Error) -> Option<&str> {
    error.downcast_ref::<E>()?.code()
}
