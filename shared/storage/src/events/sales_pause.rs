//! Pauses of the sales of an event, by which a change of it succeeds even if a crowd takes its seats.
//!
//! A change raises all fences of its event in one transaction, which conflicts with every transaction that takes seats
//! at the same moment. If thousands take seats, there is always one. So a change that met a conflict writes into
//! the event's item until when nobody else may take its seats. Requests for seats read that, and wait. Those that are
//! being written end within milliseconds, then the change succeeds, and removes the pause.
//!
//! A pause only makes a moment without conflicts likely. That no seat is taken as before a change is the task of the
//! fences alone.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    events::{event_record::PAUSED_UNTIL, event_store::Events},
    keys::{self, VERSION},
    table::number,
    transaction::TransactionError,
    write::Write,
};

/// Length of a pause, unless the change succeeds before.
///
/// It is less than the time for which requests for seats try again (`until_decided`). So they succeed even after a
/// pause whose change was aborted.
const PAUSE: Duration = Duration::from_secs(2);

/// Time for which a change tries to commit in each pause. The rest is for its reads.
pub(super) const TRIES_OF_PAUSE: Duration = Duration::from_secs(1);

/// Returns true if seats must not be taken at a time since 1970, because of the pause that was read.
///
/// Confirmations go on during a pause, since members have paid for their seats; releases and reads, too.
pub(crate) fn is_paused(until: Option<Duration>, now: Duration) -> bool {
    until.is_some_and(|until| now < until)
}

impl Events {
    /// Pauses the sales of an event, and returns `Lost` if it no longer has the version that was read.
    pub(super) async fn pause_sales(&self, event: Uuid, version: u64, now: Duration) -> Result<(), TransactionError> {
        let write = Write::update(keys::event(event)).set(PAUSED_UNTIL, number((now + PAUSE).as_millis()));
        self.table.update(write.only_if(VERSION, "=", number(version))).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pause_ends_at_its_time() {
        let until = Duration::from_millis(1_500);
        assert!(is_paused(Some(until), Duration::from_millis(1_499)));
        assert!(!is_paused(Some(until), until));
        assert!(!is_paused(None, Duration::ZERO));
    }
}
