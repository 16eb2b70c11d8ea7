//! Command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Benchmarks of the functions.
#[derive(Debug, Parser)]
#[command(name = "benches")]
pub struct Cli {
    /// Folder of the bootstraps, as written by `cargo lambda build`.
    #[arg(long, global = true, default_value = "target/lambda", value_name = "DIR")]
    pub bootstraps: PathBuf,
    /// Measures only the function with this slug.
    #[arg(long, global = true, value_name = "SLUG")]
    pub only: Option<String>,
    /// Command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measures everything and writes docs/benchmarks.md and its plots. The report on a single function
    /// goes to target/benchmarks.
    Measure {
        /// Number of timed processes of each implementation.
        #[arg(long, default_value_t = 11, value_name = "COUNT")]
        rounds: usize,
        /// Folder of the peers in other languages, as written by `benches/run`.
        #[arg(long, default_value = "target/peers", value_name = "DIR")]
        peers: PathBuf,
    },
    /// Writes docs/benchmarks.md again, from the last complete measurement.
    Report,
    /// Fails if a function takes more instructions than benches/instructions.toml allows.
    Gate {
        /// Writes the counted instructions to the file instead of comparing them.
        #[arg(long)]
        record: bool,
    },
}
