//! Times to live, in epoch seconds.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::types::AttributeValue;

use crate::table::number;
use domain::error::Error;

/// Returns the current time as a duration since 1970.
pub fn since_epoch() -> Result<Duration, Error> {
    SystemTime::now().duration_since(UNIX_EPOCH).map_err(Error::unexpected)
}

/// Converts a time to an attribute in whole seconds.
pub fn epoch_seconds(since_epoch: Duration) -> AttributeValue {
    number(since_epoch.as_secs())
}
