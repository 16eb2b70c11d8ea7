//! Turns records of the table's stream into changes; `EventBridge` Pipes sends these on, with new notices to buyers.
//!
//! The function calls no service. So it may read nothing but the records that it gets.

use domain::error::Error;
use serde::Serialize;
use storage::changes;
use uuid::Uuid;

use crate::changes::{cloud_event::CloudEvent, record::Record};

/// Variable with the `source` of all changes.
pub const SOURCE: &str = "CHANGES_SOURCE";

/// Entry of the bus.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Entry {
    /// Change that other systems are told.
    Change(Box<CloudEvent>),
    /// New notice, whose sending the bus starts.
    Notice(NewNotice),
}

/// New notice to buyers. Other systems are not told of it, so it has another source.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewNotice {
    source: String,
    r#type: &'static str,
    event_id: Uuid,
    notice_id: Uuid,
}

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

/// Returns the entries of records, in their order.
///
/// # Errors
///
/// Returns the first error of [`of_record`], after it was logged. The pipe then repeats the records.
pub fn of_records(source: &str, records: Vec<Record>) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for record in records {
        let id = record.event_id.clone();
        let failed = |error: &Error| tracing::error!(id, cause = error.causes(), "unreadable record of the stream");
        entries.extend(new_notice(source, &record).map(Entry::Notice));
        let changes = of_record(source, record).inspect_err(failed)?;
        entries.extend(changes.into_iter().map(|change| Entry::Change(Box::new(change))));
    }
    Ok(entries)
}

fn new_notice(source: &str, record: &Record) -> Option<NewNotice> {
    let after = record.change.new_image.clone().filter(|_| record.change.old_image.is_none())?;
    let [event_id, notice_id] = changes::new_notice(&after.into())?;
    Some(NewNotice { source: format!("{source}/notices"), r#type: "notice.created", event_id, notice_id })
}
