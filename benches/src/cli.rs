//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Measures what each function costs.
#[derive(Debug, Parser)]
#[command(name = "benches")]
pub struct Cli {
    /// The folder of the bootstraps, as `cargo lambda build` fills it.
    #[arg(long, global = true, default_value = "target/lambda", value_name = "DIR")]
    pub bootstraps: PathBuf,
    /// The one function to look at, by its slug.
    #[arg(long, global = true, value_name = "SLUG")]
    pub only: Option<String>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measures everything and writes docs/benchmarks.md, with its plots; a single function is
    /// reported in target/benchmarks.
    Measure {
        /// How many processes of each implementation are timed.
        #[arg(long, default_value_t = 11, value_name = "COUNT")]
        rounds: usize,
        /// The folder of the peers in other languages, as `benches/run` fills it.
        #[arg(long, default_value = "target/peers", value_name = "DIR")]
        peers: PathBuf,
    },
    /// Writes docs/benchmarks.md again, of what was last measured of everything.
    Report,
    /// Fails where a function takes more instructions than are kept in benches/instructions.toml.
    Gate {
        /// Keeps what is counted, whatever it is.
        #[arg(long)]
        record: bool,
    },
}
