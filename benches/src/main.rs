//! What each function costs: `benches/run` measures it, `.ci/instructions` holds it to what is kept.

mod callgrind;
mod cli;
mod contestants;
mod counts;
mod functions;
mod gate;
mod instance;
mod measure;
mod process;
mod runtime_api;
mod sample;
mod statistics;
mod world;

use std::path::{Path, PathBuf};

use clap::Parser as _;
use shared::domain::error::Cause;

use crate::{
    cli::{Cli, Command},
    contestants::Built,
};

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
            println!("{}", serde_json::to_string_pretty(&results)?);
            let _ = output;
            Ok(())
        }
        Command::Gate { record } => gate::run(&bootstraps, only.as_deref(), record).await,
    }
}
