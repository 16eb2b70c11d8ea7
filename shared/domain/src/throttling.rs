//! Limits of failed logins for one e-mail address.

use std::time::Duration;

/// Time for which failures count, from the first one.
pub const WINDOW: Duration = Duration::from_mins(15);

/// Maximum failures in a window from one client address.
pub const MAX_FROM_ONE_CLIENT: u32 = 10;

/// Maximum failures in a window from all clients together.
pub const MAX_FROM_ALL_CLIENTS: u32 = 100;
