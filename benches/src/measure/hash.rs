//! Hash of a login, compared with the bare algorithm.

use std::{ffi::OsString, process::Stdio};

use argon2_rust::Backend;
use domain::error::Cause;
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use super::timing::milliseconds;
use crate::{
    callgrind,
    environment::Environment,
    functions::{Function, Job},
    implementations::{BuildFolders, Implementation, Kind},
    instance::Instance,
    statistics::Quartiles,
};

/// Number of hashes that a process makes in a round.
const HASHES: usize = 10;

/// Name of the crate `argon2` in the results.
pub const RUST_CRYPTO: &str = "`argon2`, avx2";

/// Argument of `bare-argon2` for the implementation that the functions use.
const DETECTED: &str = "detected";

/// Measurements of a login and of its hash. Times are in milliseconds on the processor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hashing {
    /// Time of a warm login.
    pub login: Quartiles,
    /// Time of the same hash by the same crate, in reused memory.
    pub bare: Quartiles,
    /// Times of the same hash by other implementations, and by each backend of the crate.
    pub others: Vec<(String, Quartiles)>,
    /// Instructions of the bare hash by the crate.
    pub instructions: u64,
}

/// Implementation of the hash, and the measurements of it.
struct Hash {
    name: String,
    command: Vec<OsString>,
    times: Vec<f64>,
}

/// Measures logins and bare hashes in turns.
///
/// # Errors
///
/// Returns an error if one of them fails.
pub async fn measure(function: &Function, job: &Job, folders: &BuildFolders, rounds: usize) -> Result<Hashing, Cause> {
    let mut hashes = implementations(folders);
    let command = Implementation::new(Kind::Function, function.slug, function.floor, folders).command;
    let environment = Environment::start(job.hashing).await?;
    let variables = environment.variables(function.slug)?;
    let mut logins = Vec::new();
    for _ in 0..rounds {
        let mut instance = Instance::start(&command, &variables).await?;
        let mut events = (job.events)(&environment, 1 + HASHES).await?.into_iter();
        instance.invoke(events.next().ok_or("no event")?, job.accepts).await?;
        for event in events {
            let before = instance.usage()?;
            instance.invoke(event, job.accepts).await?;
            logins.push(milliseconds(instance.usage()?.since(before)));
        }
        instance.stop().await?;
        for hash in &mut hashes {
            hash.times.extend(printed_durations(&hash.command).await?);
        }
    }
    let one = callgrind::count_program(&bare(folders, 1, DETECTED)).await?;
    let two = callgrind::count_program(&bare(folders, 2, DETECTED)).await?;
    let bare = Quartiles::new(&hashes.remove(0).times);
    let others = hashes.into_iter().map(|hash| (hash.name, Quartiles::new(&hash.times))).collect();
    Ok(Hashing { login: Quartiles::new(&logins), bare, others, instructions: two - one })
}

/// Lists the implementations of the hash; that of the functions is the first.
fn implementations(folders: &BuildFolders) -> Vec<Hash> {
    let rust = |name: &str, argument: &str| Hash {
        name: name.to_owned(),
        command: bare(folders, 1 + HASHES, argument),
        times: Vec::new(),
    };
    let backends = Backend::ALL.iter().rev().filter(|backend| backend.is_available());
    let backends = backends.map(|backend| rust(&format!("`argon2-rust`, {backend}"), backend.name()));
    let script = folders.peers.join("python/dist/argon2_cffi.py").into();
    let python = Hash {
        name: "argon2-cffi, in Python (C)".to_owned(),
        command: vec!["python3".into(), script, (1 + HASHES).to_string().into()],
        times: Vec::new(),
    };
    let others = [rust(RUST_CRYPTO, "rust-crypto"), python];
    [rust(DETECTED, DETECTED)].into_iter().chain(backends).chain(others).collect()
}

/// Builds the command that makes bare hashes.
fn bare(folders: &BuildFolders, count: usize, implementation: &str) -> Vec<OsString> {
    vec![folders.bootstraps.join("bare-argon2/bootstrap").into(), count.to_string().into(), implementation.into()]
}

/// Runs a program that prints the nanoseconds of each hash, and returns milliseconds without the first hash.
async fn printed_durations(command: &[OsString]) -> Result<Vec<f64>, Cause> {
    let (program, arguments) = command.split_first().ok_or("no command")?;
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().await?;
    if !output.status.success() {
        return Err(format!("{}: {}", program.display(), output.status).into());
    }
    let nanoseconds = String::from_utf8(output.stdout)?;
    nanoseconds.lines().skip(1).map(|line| Ok(line.parse::<f64>()? / 1e6)).collect()
}
