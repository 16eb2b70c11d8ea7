//! Holds the functions to the instructions that they are known to take.

use std::{collections::BTreeMap, fs, path::Path};

use shared::domain::error::Cause;

use crate::{
    counts,
    functions::{FUNCTIONS, Function},
    measure::machine::Machine,
    root,
};

/// The file of the kept figures.
const KEPT: &str = "benches/instructions.toml";

/// How much more than the kept figure is let through: beyond what counts differ by from run to run.
const TOLERANCE: f64 = 1.05;

/// The name of the figure for the start of a process; the others have the names of their jobs.
const START: &str = "start";

/// What stands at the head of the file.
const HEAD: &str = "\
# The instructions that each function takes, by callgrind: from its start to its first call for a
# request, and for each request of a kind once it is warm. `.ci/instructions` fails where one takes
# more than 5 % above these; `.ci/instructions --record` writes them anew.
";

/// The instructions of each figure of each function.
type Figures = BTreeMap<String, BTreeMap<String, u64>>;

/// Counts the bootstraps in a folder and compares them with what is kept, or keeps what it counts.
///
/// # Errors
///
/// Where a function takes more than is kept, or is not kept, or cannot be counted.
pub async fn run(bootstraps: &Path, only: Option<&str>, record: bool) -> Result<(), Cause> {
    let file = root().join(KEPT);
    let mut kept: Figures = match fs::read_to_string(&file) {
        Ok(text) => toml::from_str(&text)?,
        Err(_) if record => Figures::new(),
        Err(error) => return Err(format!("{KEPT}: {error}").into()),
    };
    println!("{:<14} {:<14} {:>13} {:>13} {:>7}", "function", "figure", "instructions", "kept", "ratio");
    let mut over = Vec::new();
    for function in FUNCTIONS.iter().filter(|function| only.is_none_or(|only| only == function.slug)) {
        let counted = count(function, bootstraps).await?;
        let known = kept.entry(function.slug.to_owned()).or_default();
        for (figure, counted) in &counted {
            let slug = function.slug;
            let Some(known) = known.get(figure) else {
                println!("{slug:<14} {figure:<14} {counted:>13} {:>13} {:>7}", "-", "-");
                over.push(format!("{slug}: {figure} is not kept"));
                continue;
            };
            let ratio = ratio(*counted, *known);
            println!("{slug:<14} {figure:<14} {counted:>13} {known:>13} {ratio:>7.3}");
            if ratio > TOLERANCE {
                over.push(format!("{slug}: {figure} takes {ratio:.3} of what is kept"));
            }
        }
        *known = counted;
    }
    if record {
        let by = Machine::here(&["rustc", "valgrind"]).await?.versions.join(", ");
        fs::write(&file, format!("{HEAD}#\n# Counted with {by}.\n\n{}", toml::to_string(&kept)?))?;
        println!("kept in {KEPT}");
        return Ok(());
    }
    if over.is_empty() { Ok(()) } else { Err(over.join("; ").into()) }
}

async fn count(function: &Function, bootstraps: &Path) -> Result<BTreeMap<String, u64>, Cause> {
    let command = [bootstraps.join(function.slug).join("bootstrap").into_os_string()];
    let mut figures = BTreeMap::from([(START.to_owned(), counts::start(function, &command).await?)]);
    for job in function.jobs {
        let requests = counts::requests(function, job, &command).await?;
        figures.insert(job.name.to_owned(), requests.warm);
    }
    Ok(figures)
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is as good to some digits")]
fn ratio(counted: u64, kept: u64) -> f64 {
    counted as f64 / kept as f64
}
