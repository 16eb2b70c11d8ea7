//! Times and memory of implementations, measured in turns.

use std::time::Duration;

use domain::error::Cause;
use serde::{Deserialize, Serialize};

use crate::{
    environment::Environment,
    functions::{Function, Job},
    implementations::{BuildFolders, Implementation, Kind},
    instance::Instance,
    statistics::Quartiles,
};

/// Times in milliseconds, and memory in bytes, of an implementation for one kind of request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Times {
    /// Kind of the implementation.
    pub kind: Kind,
    /// Time from the start to the first call for a request.
    pub start: Quartiles,
    /// Time of the first request.
    pub first: Quartiles,
    /// Time of a warm request, as the client sees it.
    pub warm: Quartiles,
    /// Processor time of a warm request.
    pub processor: Quartiles,
    /// Peak memory before the first request.
    pub idle: Quartiles,
    /// Peak memory after the last request.
    pub peak: Quartiles,
    /// Bytes of the Lambda event.
    pub event: usize,
}

#[derive(Default)]
struct Samples {
    start: Vec<f64>,
    first: Vec<f64>,
    warm: Vec<f64>,
    processor: Vec<f64>,
    idle: Vec<f64>,
    peak: Vec<f64>,
    event: usize,
}

/// Measures one process of each implementation in each round.
///
/// A process handles its first request, then `job.timed` requests to warm up, then as many timed ones.
///
/// # Errors
///
/// Returns an error if a process fails.
pub async fn measure(
    function: &Function,
    job: &Job,
    folders: &BuildFolders,
    rounds: usize,
) -> Result<Vec<Times>, Cause> {
    let implementations: Vec<_> =
        function.kinds.iter().map(|kind| Implementation::new(*kind, function.slug, function.floor, folders)).collect();
    let mut samples: Vec<_> = implementations.iter().map(|_| Samples::default()).collect();
    for round in 0..rounds {
        for turn in 0..implementations.len() {
            // Each implementation begins equally many rounds.
            let index = (round + turn) % implementations.len();
            let implementation = &implementations[index];
            run(function, job, implementation, &mut samples[index])
                .await
                .map_err(|error| format!("{}, {}: {error}", function.slug, implementation.kind.name()))?;
        }
    }
    Ok(implementations
        .iter()
        .zip(samples)
        .map(|(implementation, samples)| samples.into_times(implementation.kind))
        .collect())
}

async fn run(
    function: &Function,
    job: &Job,
    implementation: &Implementation,
    samples: &mut Samples,
) -> Result<(), Cause> {
    // Of its own, so that a list does not grow between processes.
    let environment = Environment::start(job.hashing).await?;
    let mut events = (job.events)(&environment, 1 + 2 * job.timed).await?.into_iter();
    let mut instance = Instance::start(&implementation.command, &environment.variables(function.slug)?).await?;
    samples.start.push(milliseconds(instance.start_duration));
    samples.idle.push(bytes(instance.usage()?.peak));

    let accepts = job.accepts(implementation.kind);
    let first = events.next().ok_or("no event")?;
    samples.event = first.len();
    samples.first.push(milliseconds(instance.invoke(first, accepts).await?));
    for event in events.by_ref().take(job.timed) {
        instance.invoke(event, accepts).await?;
    }
    let before = instance.usage()?;
    for event in events {
        samples.warm.push(milliseconds(instance.invoke(event, accepts).await?));
    }
    let after = instance.usage()?;
    samples.processor.push(milliseconds(after.since(before)) / f64::from(u32::try_from(job.timed)?));
    samples.peak.push(bytes(after.peak));
    instance.stop().await
}

impl Samples {
    fn into_times(self, kind: Kind) -> Times {
        Times {
            kind,
            start: Quartiles::new(&self.start),
            first: Quartiles::new(&self.first),
            warm: Quartiles::new(&self.warm),
            processor: Quartiles::new(&self.processor),
            idle: Quartiles::new(&self.idle),
            peak: Quartiles::new(&self.peak),
            event: self.event,
        }
    }
}

/// Converts a duration to milliseconds.
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[expect(clippy::cast_precision_loss, reason = "a number of bytes has fewer bits than the precision of a double")]
fn bytes(bytes: u64) -> f64 {
    bytes as f64
}
