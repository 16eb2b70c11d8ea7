//! Benchmarks of the functions: `benches/run` measures them beside their peers, and `.ci/instructions` compares their
//! instructions with recorded numbers.

mod environment;
mod gate;
mod instance;
mod job;
mod measure;
mod report;
mod rush;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::{Parser, Subcommand};
use domain::error::Cause;

/// Benchmarks of the functions.
#[derive(Debug, Parser)]
#[command(name = "benches")]
struct Cli {
    /// Folder with the bootstraps in `lambda`, and the peers in other languages in `peers`.
    #[arg(long, global = true, default_value = "target", value_name = "DIR")]
    programs: PathBuf,
    /// Measures only the functions with these slugs, separated by commas.
    #[arg(long, global = true, value_delimiter = ',', value_name = "SLUGS")]
    only: Vec<String>,
    #[command(subcommand)]
    command: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Measures functions and peers, and prints a report in Markdown.
    Measure {
        /// Number of timed processes of each implementation.
        #[arg(long, default_value_t = 11, value_name = "COUNT")]
        rounds: usize,
        /// Description of the machine and of its programs.
        #[arg(long, default_value = "an unknown machine", value_name = "TEXT")]
        machine: String,
    },
    /// Simulates a rush for seats, and prints the table of conflicts in docs/data.md, and a plot of them.
    Rush,
    /// Fails if a function takes more instructions than benches/instructions.toml allows.
    Gate {
        /// Writes the counted instructions to the file instead of comparing them.
        #[arg(long)]
        record: bool,
    },
}

/// Returns the folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the output of a program.
fn output(program: &str, arguments: &[&str]) -> Result<String, Cause> {
    let output = Command::new(program).args(arguments).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

#[tokio::main]
async fn main() -> ExitCode {
    let Cli { programs, only, command } = Cli::parse();
    let done = match command {
        Task::Measure { rounds, machine } => report::print(&programs, &only, rounds, &machine).await,
        Task::Rush => rush::print(),
        Task::Gate { record } => gate::run(&programs, &only, record).await,
    };
    if let Err(error) = done {
        eprintln!("benches: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
