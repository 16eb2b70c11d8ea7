//! Times and memory of contestants, turn by turn.

use std::time::Duration;

use domain::error::Cause;
use serde::{Deserialize, Serialize};

use crate::{
    contestants::{Built, Contestant, Kind},
    functions::{Function, Job},
    instance::Instance,
    statistics::Spread,
    world::World,
};

/// What a contestant took for one kind of request. Times are in milliseconds, memory in bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Times {
    /// What it is to the function.
    pub kind: Kind,
    /// From its start to its first call for a request.
    pub start: Spread,
    /// Its first request.
    pub first: Spread,
    /// A warm request, as its caller sees it.
    pub warm: Spread,
    /// A warm request, on the processor.
    pub processor: Spread,
    /// The most memory until the first request.
    pub idle: Spread,
    /// The most memory until the last.
    pub peak: Spread,
    /// The bytes of the Lambda event.
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

/// Has each contestant start a process in each round and carry out requests in it:
/// the first, some to warm up, and as many that are timed.
///
/// # Errors
///
/// Where one fails.
pub async fn race(function: &Function, job: &Job, built: &Built, rounds: usize) -> Result<Vec<Times>, Cause> {
    let world = World::start(job.hashing).await?;
    let contestants = Kind::ALL.map(|kind| Contestant::new(kind, function, built));
    let mut samples: Vec<_> = contestants.iter().map(|_| Samples::default()).collect();
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            // Each begins a round as often as the others.
            let index = (round + turn) % contestants.len();
            let contestant = &contestants[index];
            run(function, job, &world, contestant, &mut samples[index])
                .await
                .map_err(|error| format!("{}, {}: {error}", function.slug, contestant.kind.name()))?;
        }
    }
    Ok(contestants
        .iter()
        .zip(samples)
        .map(|(contestant, samples)| samples.into_times(contestant.kind))
        .collect())
}

async fn run(
    function: &Function,
    job: &Job,
    world: &World,
    contestant: &Contestant,
    samples: &mut Samples,
) -> Result<(), Cause> {
    let mut events = (job.events)(world, 1 + 2 * job.timed).await?.into_iter();
    let mut instance = Instance::start(&contestant.command, &world.environment(function.slug)?).await?;
    samples.start.push(milliseconds(instance.started_in));
    samples.idle.push(bytes(instance.usage()?.peak));

    let first = events.next().ok_or("no event")?;
    samples.event = first.len();
    samples.first.push(milliseconds(instance.invoke(first).await?));
    for event in events.by_ref().take(job.timed) {
        instance.invoke(event).await?;
    }
    let before = instance.usage()?;
    for event in events {
        samples.warm.push(milliseconds(instance.invoke(event).await?));
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
            start: Spread::of(&self.start),
            first: Spread::of(&self.first),
            warm: Spread::of(&self.warm),
            processor: Spread::of(&self.processor),
            idle: Spread::of(&self.idle),
            peak: Spread::of(&self.peak),
            event: self.event,
        }
    }
}

/// A duration in milliseconds.
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[expect(clippy::cast_precision_loss, reason = "memory has far fewer bytes than a double has digits")]
fn bytes(bytes: u64) -> f64 {
    bytes as f64
}
