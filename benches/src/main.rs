//! What each function costs: `benches/run` measures it, `.ci/instructions` holds it to what is kept.

mod callgrind;
mod cli;
mod contestants;
mod cost;
mod counts;
mod functions;
mod gate;
mod instance;
mod measure;
mod process;
mod report;
mod runtime_api;
mod sample;
mod statistics;
mod world;

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Parser as _;
use shared::domain::error::Cause;

use crate::{
    cli::{Cli, Command},
    contestants::Built,
};

/// Where the last results are kept.
const RESULTS: &str = "target/benches.json";

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[tokio::main]
async fn main() -> Result<(), Cause> {
    let Cli { bootstraps, only, command } = Cli::parse();
    let bootstraps = std::path::absolute(bootstraps)?;
    match command {
        Command::Measure { rounds, peers, output } => {
            let built = Built { bootstraps, peers: std::path::absolute(peers)? };
            let results = measure::run(&built, only.as_deref(), rounds).await?;
            fs::write(RESULTS, serde_json::to_string_pretty(&results)?)?;
            report::write(&results, &output)
        }
        Command::Report { output } => {
            report::write(&serde_json::from_str(&fs::read_to_string(RESULTS)?)?, &output)
        }
        Command::Gate { record } => gate::run(&bootstraps, only.as_deref(), record).await,
    }
}
