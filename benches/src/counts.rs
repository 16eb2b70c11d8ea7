//! Instructions that a bootstrap takes.

use std::ffi::OsString;

use domain::error::Cause;

use crate::{
    callgrind,
    environment::Environment,
    functions::{Function, Job},
    instance::{Accepts, is_success},
};

/// Counts the instructions from the start of a process to its first call for a request.
///
/// # Errors
///
/// Returns an error if the process does not start.
pub async fn start(function: &Function, command: &[OsString]) -> Result<u64, Cause> {
    let job = function.jobs.first().ok_or("the function has no jobs")?;
    let environment = Environment::start(job.hashing).await?;
    callgrind::count(command, &environment.variables(function.slug)?, [], is_success).await
}

/// Instructions of requests.
#[derive(Clone, Copy, Debug)]
pub struct Requests {
    /// From the start of a process to the end of its first request.
    pub first: u64,
    /// Average of the requests after it.
    pub warm: u64,
}

/// Counts the instructions of a process's first request and of warm requests.
///
/// Warm requests are the difference between a process that handles all requests and one that handles one.
///
/// # Errors
///
/// Returns an error if a request fails.
pub async fn requests(
    function: &Function,
    job: &Job,
    command: &[OsString],
    accepts: Accepts,
) -> Result<Requests, Cause> {
    // Each process has an environment of its own, so that a list does not grow between them.
    let count = async |requests| {
        let environment = Environment::start(job.hashing).await?;
        let events = (job.events)(&environment, requests).await?;
        callgrind::count(command, &environment.variables(function.slug)?, events, accepts).await
    };
    let first = count(1).await?;
    let all = count(1 + job.counted).await?;
    let counted = u64::try_from(job.counted)?;
    Ok(Requests { first, warm: all.saturating_sub(first) / counted })
}

/// Divides one count by another.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a ratio needs only a few digits")]
pub fn ratio(count: u64, base: u64) -> f64 {
    count as f64 / base as f64
}
