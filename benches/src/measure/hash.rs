//! Hash of a login, compared with the bare algorithm.

use std::{ffi::OsString, process::Stdio};

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

/// Measurements of a login and of its hash. Times are in milliseconds on the processor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hashing {
    /// Time of a warm login.
    pub login: Quartiles,
    /// Time of the same hash by the same crate, in reused memory.
    pub bare: Quartiles,
    /// Time of the same hash by argon2-cffi.
    pub python: Quartiles,
    /// Instructions of the bare hash by the crate.
    pub instructions: u64,
}

/// Measures logins and bare hashes in turns.
///
/// # Errors
///
/// Returns an error if one of them fails.
pub async fn measure(function: &Function, job: &Job, folders: &BuildFolders, rounds: usize) -> Result<Hashing, Cause> {
    let bare: OsString = folders.bootstraps.join("bare-argon2/bootstrap").into();
    let python = folders.peers.join("python/dist/argon2_cffi.py");
    let command = Implementation::new(Kind::Function, function, folders).command;
    let environment = Environment::start(job.hashing).await?;
    let variables = environment.variables(function.slug)?;
    let (mut logins, mut bares, mut pythons) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let mut instance = Instance::start(&command, &variables).await?;
        let mut events = (job.events)(&environment, 1 + HASHES).await?.into_iter();
        instance.invoke(events.next().ok_or("no event")?).await?;
        for event in events {
            let before = instance.usage()?;
            instance.invoke(event).await?;
            logins.push(milliseconds(instance.usage()?.since(before)));
        }
        instance.stop().await?;
        bares.extend(printed_durations(&[bare.clone(), (1 + HASHES).to_string().into()]).await?);
        pythons.extend(
            printed_durations(&["python3".into(), python.clone().into(), (1 + HASHES).to_string().into()]).await?,
        );
    }
    let one = callgrind::count_program(&[bare.clone(), "1".into()]).await?;
    let two = callgrind::count_program(&[bare, "2".into()]).await?;
    Ok(Hashing {
        login: Quartiles::new(&logins),
        bare: Quartiles::new(&bares),
        python: Quartiles::new(&pythons),
        instructions: two - one,
    })
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
