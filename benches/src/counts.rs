//! How many instructions a bootstrap takes.

use std::ffi::OsString;

use domain::error::Cause;

use crate::{
    callgrind,
    environment::Environment,
    functions::{Function, Job},
    instance::SUCCESS,
};

/// Counts the instructions from the start of a process to its first call for a request.
///
/// # Errors
///
/// Where it does not start.
pub async fn start(function: &Function, command: &[OsString]) -> Result<u64, Cause> {
    let job = function.jobs.first().ok_or("a function without jobs")?;
    let environment = Environment::start(job.hashing).await?;
    callgrind::count(command, &environment.variables(function.slug)?, [], &SUCCESS).await
}

/// The instructions of requests.
#[derive(Clone, Copy, Debug)]
pub struct Requests {
    /// From the start of a process to the end of its first request.
    pub first: u64,
    /// Of each request after it, on average.
    pub warm: u64,
}

/// Counts the instructions of a process's first request and of those after it.
///
/// The warm ones are what a process of all requests takes beyond one of a single request.
///
/// # Errors
///
/// Where a request fails.
pub async fn requests(function: &Function, job: &Job, command: &[OsString]) -> Result<Requests, Cause> {
    let environment = Environment::start(job.hashing).await?;
    let variables = environment.variables(function.slug)?;
    let few = (job.events)(&environment, 1).await?;
    let first = callgrind::count(command, &variables, few, &SUCCESS).await?;
    let many = (job.events)(&environment, 1 + job.counted).await?;
    let all = callgrind::count(command, &variables, many, &SUCCESS).await?;
    let counted = u64::try_from(job.counted)?;
    Ok(Requests { first, warm: all.saturating_sub(first) / counted })
}

/// How many times the one the other is.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a ratio is as good to some digits")]
pub fn ratio(counted: u64, kept: u64) -> f64 {
    counted as f64 / kept as f64
}
