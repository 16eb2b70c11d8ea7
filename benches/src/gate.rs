//! Compares the CPU instructions of the functions with recorded numbers.

use std::{collections::BTreeMap, ffi::OsString, fs, path::Path};

use domain::error::Cause;
use serde::{Deserialize, Serialize};

use crate::{
    counts::{self, ratio},
    functions::{FUNCTIONS, Function},
    measure::machine::Machine,
    root,
};

/// File of the recorded numbers.
const BASELINE_FILE: &str = "benches/instructions.toml";

/// Largest allowed ratio to the recorded number. Repeated counts differ by less than this.
const TOLERANCE: f64 = 1.05;

/// Name of the figure for the start of a process. Other figures have the names of their jobs.
const START: &str = "start";

/// Comment at the beginning of the file.
const HEAD: &str = "\
# CPU instructions of each function, counted by callgrind. `start` is from the start of the process until it asks
# for its first request. The other numbers are for one warm request of each kind. `.ci/instructions` fails if a
# function takes over 5 % more, counted with the same programs. `.ci/instructions --record` updates this file.

";

/// Recorded instructions of each function, and the versions of the programs that counted them.
#[derive(Default, Deserialize, Serialize)]
struct Baseline {
    counted_with: Vec<String>,
    #[serde(flatten)]
    functions: BTreeMap<String, BTreeMap<String, u64>>,
}

/// Counts the instructions of the bootstraps in a folder, and compares or records them.
///
/// # Errors
///
/// Returns an error if a function takes more instructions than recorded, has no record, or cannot be counted. With
/// another version of the compiler or of Valgrind, a difference is only printed.
pub async fn run(bootstraps: &Path, only: Option<&str>, record: bool) -> Result<(), Cause> {
    let file = root().join(BASELINE_FILE);
    let mut baseline: Baseline = match fs::read_to_string(&file) {
        Ok(text) => toml::from_str(&text)?,
        Err(_) if record => Baseline::default(),
        Err(error) => return Err(format!("{BASELINE_FILE}: {error}").into()),
    };
    let programs = Machine::current(&["rustc", "valgrind"]).await?.versions;
    println!("{:<14} {:<14} {:>13} {:>13} {:>7}", "function", "figure", "instructions", "recorded", "ratio");
    let mut over = Vec::new();
    for function in FUNCTIONS.iter().filter(|function| only.is_none_or(|only| only == function.slug)) {
        let counted = count(function, bootstraps).await?;
        let recorded = baseline.functions.entry(function.slug.to_owned()).or_default();
        for (figure, counted) in &counted {
            let slug = function.slug;
            let Some(recorded) = recorded.get(figure) else {
                println!("{slug:<14} {figure:<14} {counted:>13} {:>13} {:>7}", "-", "-");
                over.push(format!("{slug}: {figure} is not recorded"));
                continue;
            };
            let ratio = ratio(*counted, *recorded);
            println!("{slug:<14} {figure:<14} {counted:>13} {recorded:>13} {ratio:>7.3}");
            if ratio > TOLERANCE {
                over.push(format!("{slug}: {figure} takes {ratio:.3} times the recorded instructions"));
            }
        }
        *recorded = counted;
    }
    if record {
        baseline.counted_with = programs;
        fs::write(&file, format!("{HEAD}{}", toml::to_string(&baseline)?))?;
        println!("recorded in {BASELINE_FILE}");
        return Ok(());
    }
    if over.is_empty() {
        return Ok(());
    }
    let over = over.join("; ");
    if programs == baseline.counted_with {
        return Err(over.into());
    }
    println!("{over}; counted with {}, recorded with {}", programs.join(", "), baseline.counted_with.join(", "));
    Ok(())
}

async fn count(function: &Function, bootstraps: &Path) -> Result<BTreeMap<String, u64>, Cause> {
    let command = command(function, bootstraps);
    let mut figures = BTreeMap::from([(START.to_owned(), counts::start(function, &command).await?)]);
    for job in function.jobs {
        let requests = counts::requests(function, job, &command, job.accepts).await?;
        figures.insert(job.name.to_owned(), requests.warm);
    }
    Ok(figures)
}

fn command(function: &Function, bootstraps: &Path) -> [OsString; 1] {
    [bootstraps.join(function.slug).join("bootstrap").into_os_string()]
}
