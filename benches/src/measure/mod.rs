//! Measurements for docs/benchmarks.md.

pub mod codec;
pub mod growth;
pub mod hash;
pub mod machine;
pub mod timing;

use domain::error::Cause;
use serde::{Deserialize, Serialize};

use self::{codec::Codec, growth::Growth, hash::Hashing, machine::Machine, timing::Times};
use crate::{
    counts,
    functions::{FUNCTIONS, Function, Job},
    implementations::{BuildFolders, Implementation, Kind},
};

/// Function whose hash is also measured separately.
pub const LOGIN: &str = "members-login";

/// Results of all measurements.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// Machine and date.
    pub machine: Machine,
    /// Number of timed processes of each implementation.
    pub rounds: usize,
    /// Results of each function.
    pub functions: Vec<Measured>,
    /// Login and its hash, if measured.
    pub hashing: Option<Hashing>,
    /// Results of seat maps.
    pub codec: Vec<Codec>,
    /// Results by growing sizes.
    pub growth: Vec<Growth>,
}

/// Results of a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Slug of the function.
    pub slug: String,
    /// Bytes to deploy.
    pub sizes: Vec<(Kind, u64)>,
    /// Instructions from the start to the first call for a request.
    pub starts: Vec<(Kind, u64)>,
    /// Results of each kind of request.
    pub jobs: Vec<MeasuredJob>,
}

/// Results of one kind of request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeasuredJob {
    /// Name of the kind of request.
    pub name: String,
    /// Instructions of the first request and of a warm request.
    pub instructions: Vec<(Kind, u64, u64)>,
    /// Times, if measured.
    pub times: Vec<Times>,
}

/// Measures all functions, or only one.
///
/// # Errors
///
/// Returns an error if a program is not built or a measurement fails.
pub async fn run(folders: &BuildFolders, only: Option<&str>, rounds: usize) -> Result<Results, Cause> {
    let mut results = Results {
        machine: Machine::current(&["rustc", "valgrind", "node", "python3"]).await?,
        rounds,
        functions: Vec::new(),
        hashing: None,
        codec: Vec::new(),
        growth: Vec::new(),
    };
    for function in FUNCTIONS.iter().filter(|function| only.is_none_or(|only| only == function.slug)) {
        results.functions.push(measure(function, folders, rounds).await?);
        if function.slug == LOGIN {
            eprintln!("{}: hash", function.slug);
            results.hashing = Some(hash::measure(function, &function.jobs[0], folders, rounds).await?);
        }
    }
    if only.is_none() {
        eprintln!("seat maps");
        results.codec = tokio::task::spawn_blocking(codec::measure).await??;
        eprintln!("growth");
        results.growth = growth::measure(folders).await?;
    }
    Ok(results)
}

async fn measure(function: &Function, folders: &BuildFolders, rounds: usize) -> Result<Measured, Cause> {
    let implementations: Vec<_> =
        function.kinds.iter().map(|kind| Implementation::new(*kind, function.slug, function.floor, folders)).collect();
    let mut measured =
        Measured { slug: function.slug.to_owned(), sizes: Vec::new(), starts: Vec::new(), jobs: Vec::new() };
    for implementation in &implementations {
        measured.sizes.push((implementation.kind, implementation.size()?));
        if implementation.kind.is_counted() {
            measured.starts.push((implementation.kind, counts::start(function, &implementation.command).await?));
        }
    }
    for job in function.jobs {
        measured.jobs.push(measure_job(function, job, &implementations, folders, rounds).await?);
    }
    Ok(measured)
}

async fn measure_job(
    function: &Function,
    job: &Job,
    implementations: &[Implementation],
    folders: &BuildFolders,
    rounds: usize,
) -> Result<MeasuredJob, Cause> {
    eprintln!("{}: {}", function.slug, job.name);
    let mut instructions = Vec::new();
    for implementation in implementations.iter().filter(|implementation| implementation.kind.is_counted()) {
        let kind = implementation.kind;
        let requests = counts::requests(function, job, &implementation.command, job.accepts(kind)).await?;
        instructions.push((kind, requests.first, requests.warm));
    }
    let times = if job.timed > 0 { timing::measure(function, job, folders, rounds).await? } else { Vec::new() };
    Ok(MeasuredJob { name: job.name.to_owned(), instructions, times })
}
