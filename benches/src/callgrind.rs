//! Counting instructions by Valgrind's callgrind.
//!
//! Only instructions of the process itself are counted, not the kernel's. The
//! processor that callgrind shows has AVX2, but neither AVX-512 nor instructions
//! for SHA; so hashing takes more instructions here than on most processors.

use std::{ffi::OsString, fs, ops::Range, path::PathBuf, process::Stdio};

use bytes::Bytes;
use domain::error::Cause;
use tempfile::TempDir;
use tokio::process::Command;

use crate::instance::{Instance, Variables};

/// Counts the instructions of a process, from its start until it has carried
/// out the requests, each with a expected status, and asks for the next.
///
/// # Errors
///
/// Where the process fails at a request or answers otherwise, or callgrind is not there.
pub async fn count(
    command: &[OsString],
    variables: &Variables,
    events: impl IntoIterator<Item = Bytes>,
    expected: &Range<u64>,
) -> Result<u64, Cause> {
    let counts = Counts::new()?;
    let mut instance = Instance::start(&counts.command(command), variables).await?;
    for event in events {
        instance.invoke_expecting(expected, event).await?;
    }
    instance.stop().await?;
    counts.total()
}

/// Counts the instructions of a program that ends by itself.
///
/// # Errors
///
/// Where it fails, or callgrind is not there.
pub async fn count_program(command: &[OsString]) -> Result<u64, Cause> {
    let counts = Counts::new()?;
    let command = counts.command(command);
    let ended = Command::new(&command[0]).args(&command[1..]).stdout(Stdio::null()).status().await?;
    if !ended.success() {
        return Err(format!("{}: {ended}", command.last().unwrap_or(&command[0]).display()).into());
    }
    counts.total()
}

/// What callgrind writes.
struct Counts {
    folder: TempDir,
}

impl Counts {
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
        Ok(total.ok_or("callgrind gives no total")?.trim().parse()?)
    }
}
