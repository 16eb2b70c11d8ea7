//! Holds the functions to the instructions that they are known to take.

use std::{collections::BTreeMap, ffi::OsString, fs, path::Path};

use domain::error::Cause;
use serde::{Deserialize, Serialize};

use crate::{
    counts::{self, ratio},
    functions::{FUNCTIONS, Function},
    login_failures,
    measure::machine::Machine,
    root,
};

/// The file of the kept figures.
const BASELINE_FILE: &str = "benches/instructions.toml";

/// How much more than the kept figure is let through: beyond what counts differ by from run to run.
const TOLERANCE: f64 = 1.05;

/// The name of the figure for the start of a process; the others have the names of their jobs.
const START: &str = "start";

/// What stands at the head of the file.
const HEAD: &str = "\
# The instructions that each function takes, by callgrind: from its start to its first call for a
# request, and for each request of a kind once it is warm. `.ci/instructions` fails where one takes
# more than 5 % above these, if the same programs count it; `.ci/instructions --record` writes them anew.

";

/// The instructions of each figure of each function, and what counted them.
#[derive(Default, Deserialize, Serialize)]
struct Baseline {
    counted_with: Vec<String>,
    #[serde(flatten)]
    functions: BTreeMap<String, BTreeMap<String, u64>>,
}

/// Counts the bootstraps in a folder and compares them with what is kept, or keeps what it counts.
///
/// # Errors
///
/// Where a function takes more than is kept, or is not kept, or cannot be counted, and where
/// failed logins differ by what they fail for. Another
/// compiler makes other instructions: what it takes more is told, and is no error.
pub async fn run(bootstraps: &Path, only: Option<&str>, record: bool) -> Result<(), Cause> {
    let file = root().join(BASELINE_FILE);
    let mut kept: Baseline = match fs::read_to_string(&file) {
        Ok(text) => toml::from_str(&text)?,
        Err(_) if record => Baseline::default(),
        Err(error) => return Err(format!("{BASELINE_FILE}: {error}").into()),
    };
    let here = Machine::current(&["rustc", "valgrind"]).await?.versions;
    println!("{:<14} {:<14} {:>13} {:>13} {:>7}", "function", "figure", "instructions", "kept", "ratio");
    let mut over = Vec::new();
    for function in FUNCTIONS.iter().filter(|function| only.is_none_or(|only| only == function.slug)) {
        let counted = count(function, bootstraps).await?;
        let known = kept.functions.entry(function.slug.to_owned()).or_default();
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
        if function.slug == login_failures::SLUG {
            login_failures::check_equal_costs(&command(function, bootstraps)).await?;
        }
    }
    if record {
        kept.counted_with = here;
        fs::write(&file, format!("{HEAD}{}", toml::to_string(&kept)?))?;
        println!("kept in {BASELINE_FILE}");
        return Ok(());
    }
    if over.is_empty() {
        return Ok(());
    }
    let over = over.join("; ");
    if here == kept.counted_with {
        return Err(over.into());
    }
    println!("{over}; counted with {}, kept with {}", here.join(", "), kept.counted_with.join(", "));
    Ok(())
}

async fn count(function: &Function, bootstraps: &Path) -> Result<BTreeMap<String, u64>, Cause> {
    let command = command(function, bootstraps);
    let mut figures = BTreeMap::from([(START.to_owned(), counts::start(function, &command).await?)]);
    for job in function.jobs {
        let requests = counts::requests(function, job, &command).await?;
        figures.insert(job.name.to_owned(), requests.warm);
    }
    Ok(figures)
}

fn command(function: &Function, bootstraps: &Path) -> [OsString; 1] {
    [bootstraps.join(function.slug).join("bootstrap").into_os_string()]
}
