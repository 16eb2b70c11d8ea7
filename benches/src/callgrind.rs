//! Instruction counts by Valgrind's callgrind.
//!
//! Only instructions of the process are counted, not the kernel's. The processor that callgrind emulates
//! has AVX2, but neither AVX-512 nor SHA instructions. So hashing takes more instructions here than on most
//! processors.

use std::{ffi::OsString, fs, path::PathBuf, process::Stdio};

use bytes::Bytes;
use domain::error::Cause;
use tempfile::TempDir;
use tokio::process::Command;

use crate::instance::{Accepts, Instance, Variables};

/// Counts the instructions of a process, from its start until it asks for a request after the last one.
///
/// # Errors
///
/// Returns an error if callgrind is missing, a request fails or its response is not accepted.
pub async fn count(
    command: &[OsString],
    variables: &Variables,
    events: impl IntoIterator<Item = Bytes>,
    accepts: Accepts,
) -> Result<u64, Cause> {
    let output = Output::new()?;
    let mut instance = Instance::start(&output.command(command), variables).await?;
    for event in events {
        instance.invoke(event, accepts).await?;
    }
    instance.stop().await?;
    output.total()
}

/// Counts the instructions of a program that ends by itself.
///
/// # Errors
///
/// Returns an error if callgrind is missing or the program fails.
pub async fn count_program(command: &[OsString]) -> Result<u64, Cause> {
    let output = Output::new()?;
    let command = output.command(command);
    let ended = Command::new(&command[0]).args(&command[1..]).stdout(Stdio::null()).status().await?;
    if !ended.success() {
        return Err(format!("{}: {ended}", command.last().unwrap_or(&command[0]).display()).into());
    }
    output.total()
}

/// Output of callgrind.
struct Output {
    folder: TempDir,
}

impl Output {
    fn new() -> Result<Self, Cause> {
        Ok(Self { folder: TempDir::new()? })
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("counts")
    }

    fn command(&self, command: &[OsString]) -> Vec<OsString> {
        let mut out = OsString::from("--callgrind-out-file=");
        out.push(self.file());
        let valgrind = ["valgrind".into(), "--quiet".into(), "--tool=callgrind".into(), out];
        valgrind.into_iter().chain(command.iter().cloned()).collect()
    }

    fn total(&self) -> Result<u64, Cause> {
        let counts = fs::read_to_string(self.file())?;
        let total = counts.lines().rev().find_map(|line| line.strip_prefix("totals: "));
        Ok(total.ok_or("callgrind printed no total")?.trim().parse()?)
    }
}
