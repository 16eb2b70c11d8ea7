//! Measurements of a function and of the other implementations of its request.

use std::{array, ffi::OsString, fs, iter::repeat_n, path::Path};

use bytes::Bytes;
use domain::error::Cause;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    environment::Environment,
    instance::Instance,
    job::{DEFAULT_HASH, Job, is_success},
    output,
};

/// Number of implementations: the function, the floor that only makes its calls, and the peers in Node.js and Python.
pub const IMPLEMENTATIONS: usize = 4;

/// Results of a job, by implementation.
#[derive(Debug)]
pub struct Row {
    pub job: Job,
    /// Instructions of the function from its start to its first call for an event.
    pub start: u64,
    /// Instructions of a warm request, if there is such a peer.
    pub instructions: [Option<u64>; IMPLEMENTATIONS],
    /// Milliseconds of a processor for a warm request in each process, sorted.
    pub times: [Vec<f64>; IMPLEMENTATIONS],
}

/// Implementation of a request, with the event that it receives.
#[derive(Clone, Debug)]
pub struct Implementation<'a> {
    environment: &'a Environment,
    command: Vec<OsString>,
    event: Bytes,
    accepts: fn(&Value) -> bool,
    /// Expected calls to AWS of all requests but the first; any calls if it is empty.
    calls: Vec<String>,
}

/// Measures a job with all its implementations. Those that are timed take turns.
///
/// # Errors
///
/// Returns an error if a process fails, or if a peer makes other calls than the function.
pub async fn measure(programs: &Path, job: &Job, rounds: usize) -> Result<Row, Cause> {
    eprintln!("{}: {}", job.slug, job.name);
    let environment = Environment::start(job, job.counted_hash).await?;
    let function = Implementation::new(programs, &job.slug, job, &environment)?;
    let start = function.count(0).await?;
    let mut instructions = [None; IMPLEMENTATIONS];
    for (implementation, instructions) in function.with_others(programs, job).await?.iter().zip(&mut instructions) {
        if let Some(implementation) = implementation {
            *instructions = Some(implementation.instructions(job.requests).await?);
        }
    }
    let mut times = array::from_fn(|_| Vec::new());
    if job.is_timed {
        let environment = Environment::start(job, DEFAULT_HASH).await?;
        let function = Implementation::new(programs, &job.slug, job, &environment)?;
        let implementations = function.with_others(programs, job).await?;
        for turn in 0..rounds * IMPLEMENTATIONS {
            if let Some(implementation) = &implementations[turn % IMPLEMENTATIONS] {
                times[turn % IMPLEMENTATIONS].push(implementation.time(job.requests).await?);
            }
        }
    }
    for times in &mut times {
        times.sort_by(f64::total_cmp);
    }
    Ok(Row { job: job.clone(), start, instructions, times })
}

impl<'a> Implementation<'a> {
    /// Returns a bootstrap with the event of a job.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no sample event.
    pub fn new(programs: &Path, name: &str, job: &Job, environment: &'a Environment) -> Result<Self, Cause> {
        let command = vec![programs.join("lambda").join(name).join("bootstrap").into()];
        Ok(Self { environment, command, event: environment.event()?, accepts: job.accepts, calls: Vec::new() })
    }

    /// Returns this function with its floor, and with the peers if the job has them.
    async fn with_others(self, programs: &Path, job: &Job) -> Result<[Option<Self>; IMPLEMENTATIONS], Cause> {
        let mut instance = Instance::start(&self.command, self.environment).await?;
        // The first request of a process may read what stays in memory.
        instance.invoke(self.event.clone()).await?;
        let calls = instance.invoke(self.event.clone()).await?.1;
        let function = Self { calls: names(&calls), ..self };
        let Self { command, .. } = Self::new(programs, "bare", job, function.environment)?;
        let event = serde_json::to_vec(&calls)?.into();
        let bare = Self { command, event, accepts: is_success, ..function.clone() };
        if !job.has_peers() {
            return Ok([Some(function), Some(bare), None, None]);
        }
        let peer = |program: &str, script: &str| {
            let command = vec![program.into(), programs.join("peers").join(script).into()];
            Self { command, ..function.clone() }
        };
        let python = output("python3", &["-c", "import sys; print(sys.executable)"])?;
        let [node, python] = [peer("node", "node/dist/index.mjs"), peer(&python, "python/dist/function.py")];
        Ok([Some(function), Some(bare), Some(node), Some(python)])
    }

    /// Returns the average instructions of warm requests.
    ///
    /// A process that receives one request more than this number is compared with one that receives one request.
    ///
    /// # Errors
    ///
    /// Returns an error if a request fails.
    pub async fn instructions(&self, requests: usize) -> Result<u64, Cause> {
        let first = self.count(1).await?;
        Ok(self.count(1 + requests).await?.saturating_sub(first) / u64::try_from(requests)?)
    }

    /// Counts the instructions of a process from its start until it asks for an event after the last request.
    ///
    /// They are those of the process, without the kernel's. The processor that callgrind emulates has AVX2, but neither
    /// AVX-512 nor SHA instructions, so hashes take more instructions than on most processors.
    ///
    /// # Errors
    ///
    /// Returns an error if callgrind is missing or a request fails.
    pub async fn count(&self, requests: usize) -> Result<u64, Cause> {
        let folder = TempDir::new()?;
        let file = folder.path().join("counts");
        let output = format!("--callgrind-out-file={}", file.display());
        // JavaScript is compiled while it runs.
        let valgrind = ["valgrind", "--quiet", "--tool=callgrind", "--smc-check=all-non-file", &output];
        let command: Vec<_> = valgrind.iter().map(OsString::from).chain(self.command.iter().cloned()).collect();
        let mut instance = Instance::start(&command, self.environment).await?;
        self.invoke(&mut instance, requests).await?;
        instance.stop().await?;
        let counts = fs::read_to_string(file)?;
        let total = counts.lines().rev().find_map(|line| line.strip_prefix("totals: "));
        Ok(total.ok_or("callgrind printed no total")?.trim().parse()?)
    }

    /// Returns the average milliseconds of a processor for warm requests, after as many requests to warm up.
    async fn time(&self, requests: usize) -> Result<f64, Cause> {
        let mut instance = Instance::start(&self.command, self.environment).await?;
        self.invoke(&mut instance, 1 + requests).await?;
        let before = instance.processor_time()?;
        self.invoke(&mut instance, requests).await?;
        let processor = instance.processor_time()?.saturating_sub(before);
        Ok(processor.as_secs_f64() * 1e3 / f64::from(u32::try_from(requests)?))
    }

    async fn invoke(&self, instance: &mut Instance<'_>, requests: usize) -> Result<(), Cause> {
        for (number, event) in repeat_n(&self.event, requests).enumerate() {
            let (response, calls) = instance.invoke(event.clone()).await?;
            if !(self.accepts)(&response) {
                return Err(format!("{:?}: unexpected response {response}", self.command).into());
            }
            let (calls, expected) = (names(&calls), &self.calls);
            if number > 0 && !expected.is_empty() && calls != *expected {
                return Err(format!("{:?} calls {calls:?}, the function {expected:?}", self.command).into());
            }
        }
        Ok(())
    }
}

/// Returns the sorted names of calls, with the writes of each transaction.
fn names(calls: &[Value]) -> Vec<String> {
    let name = |call: &Value| {
        let writes = call["input"]["TransactItems"].as_array().into_iter().flatten();
        let mut kinds: Vec<_> = writes.filter_map(Value::as_object).flat_map(|write| write.keys()).collect();
        kinds.sort();
        format!("{} {kinds:?}", call["operation"])
    };
    let mut names: Vec<_> = calls.iter().map(name).collect();
    names.sort();
    names
}
