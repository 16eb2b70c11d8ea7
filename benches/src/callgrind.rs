//! Counting instructions by Valgrind's callgrind.
//!
//! Only instructions of the process itself are counted, not the kernel's. The
//! processor that callgrind shows has AVX2, but neither AVX-512 nor instructions
//! for SHA; so hashing takes more instructions here than on most processors.

use std::{ffi::OsString, fs};

use bytes::Bytes;
use shared::domain::error::Cause;
use tempfile::TempDir;

use crate::instance::{Environment, Instance};

/// Counts the instructions of a process, from its start until it has carried
/// out the requests and asks for the next.
///
/// # Errors
///
/// Where the process fails at a request, or callgrind is not there.
pub async fn count(
    command: &[OsString],
    environment: &Environment,
    events: impl IntoIterator<Item = Bytes>,
) -> Result<u64, Cause> {
    let folder = TempDir::new()?;
    let file = folder.path().join("counts");
    let mut out = OsString::from("--callgrind-out-file=");
    out.push(&file);
    let options = ["--quiet".into(), "--tool=callgrind".into(), out];
    let command: Vec<_> =
        std::iter::once("valgrind".into()).chain(options).chain(command.iter().cloned()).collect();
    let mut instance = Instance::start(&command, environment).await?;
    for event in events {
        instance.invoke(event).await?;
    }
    instance.stop().await?;
    let counts = fs::read_to_string(&file)?;
    if let Some(kept) = std::env::var_os("KEEP_COUNTS") {
        fs::copy(&file, kept)?;
    }
    let total = counts.lines().rev().find_map(|line| line.strip_prefix("totals: "));
    Ok(total.ok_or("callgrind gives no total")?.trim().parse()?)
}
