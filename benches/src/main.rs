//! Benchmarks of the functions: `benches/run` measures, `.ci/instructions` compares with recorded numbers.

mod callgrind;
mod cli;
mod cost;
mod counts;
mod environment;
mod functions;
mod gate;
mod implementations;
mod instance;
mod measure;
mod process;
mod report;
mod requests;
mod runtime_api;
mod sample;
mod statistics;
mod template;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Parser as _;
use domain::error::Cause;

use crate::{
    cli::{Cli, Command},
    functions::FUNCTIONS,
    implementations::BuildFolders,
};

/// File of the last complete results.
const RESULTS: &str = "target/benches.json";

/// Folder of the complete report.
const REPORT: &str = "docs";

/// Returns the folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("benches: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<(), Cause> {
    let Cli { bootstraps, only, command } = cli;
    let only = only.as_deref();
    if only.is_some_and(|only| FUNCTIONS.iter().all(|function| function.slug != only)) {
        return Err("no measured function has this name".into());
    }
    let bootstraps = std::path::absolute(bootstraps)?;
    match command {
        Command::Measure { rounds, peers } => {
            let folders = BuildFolders { bootstraps, peers: std::path::absolute(peers)? };
            let results = measure::run(&folders, only, rounds).await?;
            if only.is_some() {
                return report::write(&results, Path::new("target/benchmarks"));
            }
            fs::write(RESULTS, serde_json::to_string_pretty(&results)?)?;
            report::write(&results, Path::new(REPORT))
        }
        Command::Report => report::write(&serde_json::from_str(&fs::read_to_string(RESULTS)?)?, Path::new(REPORT)),
        Command::Gate { record } => gate::run(&bootstraps, only, record).await,
    }
}
