//! Turns records of the table's stream into changes; `EventBridge` Pipes sends these on.
//!
//! The function calls no service. So it may read nothing but the records that it gets.

use domain::error::Error;
use storage::changes;

use crate::changes::{cloud_event::CloudEvent, record::Record};

/// Variable with the `source` of all changes.
pub const SOURCE: &str = "CHANGES_SOURCE";

/// Returns the changes of a record, in an order that is always the same.
///
/// # Errors
///
/// Returns `Unexpected` if an item cannot be read.
pub fn of_record(source: &str, record: Record) -> Result<Vec<CloudEvent>, Error> {
    let mut record = record;
    let [before, after] = [record.change.old_image.take(), record.change.new_image.take()];
    let changes = changes::of_item(before.map(Into::into), after.map(Into::into))?;
    let event = |(index, change)| CloudEvent::new(source, &record, index, change);
    changes.into_iter().enumerate().map(event).collect()
}

/// Returns the changes of records, in their order.
///
/// # Errors
///
/// Returns the first error of [`of_record`], after it was logged. The pipe then repeats the records.
pub fn of_records(source: &str, records: Vec<Record>) -> Result<Vec<CloudEvent>, Error> {
    let mut events = Vec::new();
    for record in records {
        let id = record.event_id.clone();
        let failed = |error: &Error| tracing::error!(id, cause = error.causes(), "unreadable record of the stream");
        events.append(&mut of_record(source, record).inspect_err(failed)?);
    }
    Ok(events)
}
