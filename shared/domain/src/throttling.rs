//! Login throttling: limits of failed logins, and the time a client is barred.

use std::time::Duration;

use crate::error::Error;

/// Time for which failures count, from the first one.
pub const WINDOW: Duration = Duration::from_mins(15);

/// Maximum failures in a window for one e-mail address from one client address.
pub const MAX_FROM_ONE_CLIENT: u32 = 10;

/// Maximum failures in a window for one e-mail address from all clients together.
pub const MAX_FROM_ALL_CLIENTS: u32 = 100;

/// Failed logins in a current window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failures {
    /// Number of failures, at least 1.
    pub count: u32,
    /// Remaining time of the window.
    pub remaining: Duration,
}

/// Failed logins with one e-mail address; `None` if there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoginFailures {
    /// Failures from the client that logs in now.
    pub from_client: Option<Failures>,
    /// Failures from all clients.
    pub from_all_clients: Option<Failures>,
}

impl LoginFailures {
    /// Checks that another login is allowed.
    ///
    /// # Errors
    ///
    /// Returns `TooManyFailedLogins` if a limit is reached, with the longest remaining time of the
    /// reached limits.
    pub fn check_limits(&self) -> Result<(), Error> {
        let limits = [(self.from_client, MAX_FROM_ONE_CLIENT), (self.from_all_clients, MAX_FROM_ALL_CLIENTS)];
        let reached = limits.into_iter().filter_map(|(failures, max)| failures.filter(|f| f.count >= max));
        match reached.map(|failures| failures.remaining).max() {
            Some(remaining) => Err(Error::TooManyFailedLogins(remaining)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failures(count: u32, seconds: u64) -> Option<Failures> {
        (count > 0).then_some(Failures { count, remaining: Duration::from_secs(seconds) })
    }

    #[test]
    fn reached_limits_bar_logins() {
        for (from_client, from_all_clients, barred) in [
            (failures(0, 0), failures(0, 0), None),
            (failures(9, 60), failures(99, 600), None),
            (failures(10, 60), failures(10, 600), Some(60)),
            (failures(11, 60), failures(99, 600), Some(60)),
            (failures(0, 0), failures(100, 600), Some(600)),
            (failures(9, 900), failures(100, 600), Some(600)),
            (failures(10, 60), failures(100, 600), Some(600)),
            (failures(10, 700), failures(100, 600), Some(700)),
        ] {
            let outcome = match (LoginFailures { from_client, from_all_clients }).check_limits() {
                Ok(()) => None,
                Err(Error::TooManyFailedLogins(remaining)) => Some(remaining.as_secs()),
                Err(other) => panic!("{other:?}"),
            };
            assert_eq!(outcome, barred, "{from_client:?} {from_all_clients:?}");
        }
    }
}
