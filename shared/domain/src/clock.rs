//! Clock of the service.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// System clock, which tests can move ahead to let holds expire.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    ahead: Arc<AtomicU64>,
}

/// Returns a time since 1970 in whole milliseconds.
#[must_use]
pub fn milliseconds(since_epoch: Duration) -> u64 {
    u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX)
}

impl Clock {
    /// Returns the time since 1970.
    #[must_use]
    pub fn now(&self) -> Duration {
        let ahead = Duration::from_secs(self.ahead.load(Ordering::SeqCst));
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + ahead
    }

    /// Moves the clock, and all its clones, ahead by this number of seconds.
    pub fn advance(&self, seconds: u64) {
        self.ahead.fetch_add(seconds, Ordering::SeqCst);
    }
}
