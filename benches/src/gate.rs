//! Comparison of the functions' instructions with recorded numbers.

use std::{collections::BTreeMap, fs, path::Path};

use domain::error::Cause;
use serde::{Deserialize, Serialize};

use crate::{environment::Environment, job::jobs, measure::Implementation, output, report::ratio, root};

/// File of the recorded numbers.
const FILE: &str = "benches/instructions.toml";

/// Largest allowed ratio to the recorded number. Repeated counts differ by less than this.
const TOLERANCE: f64 = 1.05;

/// Comment at the beginning of the file.
const HEAD: &str = "\
# CPU instructions of each function, counted by callgrind. `start` is from the start of the process until it asks
# for its first request. The other numbers are for one warm request of each kind. Passwords are hashed as cheaply as
# possible, except for `default-hash`. `.ci/instructions` fails if a function takes over 5 % more, counted with the same
# programs. `.ci/instructions --record` updates this file.

";

/// Recorded instructions of each function, and the versions of the programs that counted them.
#[derive(Default, Deserialize, Serialize)]
struct Baseline {
    counted_with: Vec<String>,
    #[serde(flatten)]
    functions: BTreeMap<String, BTreeMap<String, u64>>,
}

/// Counts the instructions of the functions with these slugs, or of all, and compares or records them.
///
/// # Errors
///
/// Returns an error if a function takes more instructions than recorded, has no record, or cannot be counted. With
/// another version of the compiler or of Valgrind, a difference is only printed.
pub async fn run(programs: &Path, only: &[String], record: bool) -> Result<(), Cause> {
    let file = root().join(FILE);
    let mut baseline: Baseline = toml::from_str(&fs::read_to_string(&file)?)?;
    let counted_with = vec![output("rustc", &["--version"])?, output("valgrind", &["--version"])?];
    let (mut counted, mut over) = (BTreeMap::<_, BTreeMap<_, _>>::new(), Vec::new());
    println!("{:<18} {:<17} {:>13} {:>13} {:>7}", "function", "figure", "instructions", "recorded", "ratio");
    for job in jobs(only)? {
        let environment = Environment::start(&job, job.counted_hash).await?;
        let function = Implementation::new(programs, &job.slug, &job, &environment)?;
        let figures = counted.entry(job.slug.clone()).or_default();
        let mut new = vec![(job.name, function.instructions(job.requests).await?)];
        if figures.is_empty() {
            new.push(("start", function.count(0).await?));
        }
        for (figure, instructions) in new {
            let recorded = baseline.functions.get(&job.slug).and_then(|figures| figures.get(figure)).copied();
            let ratio = recorded.map_or(f64::INFINITY, |recorded| ratio(instructions, recorded));
            let recorded = recorded.unwrap_or_default();
            println!("{:<18} {figure:<17} {instructions:>13} {recorded:>13} {ratio:>7.3}", job.slug);
            if ratio > TOLERANCE {
                over.push(format!("{}: {figure} takes {ratio:.3} times the recorded instructions", job.slug));
            }
            figures.insert(figure.to_owned(), instructions);
        }
    }
    let over = over.join("; ");
    if record {
        if only.is_empty() {
            baseline.functions.clear();
        }
        baseline.functions.extend(counted);
        let baseline = Baseline { counted_with, ..baseline };
        fs::write(&file, format!("{HEAD}{}", toml::to_string(&baseline)?))?;
        println!("recorded in {FILE}");
    } else if !over.is_empty() && baseline.counted_with == counted_with {
        return Err(over.into());
    } else if !over.is_empty() {
        println!("{over}; counted with {counted_with:?}, recorded with {:?}", baseline.counted_with);
    }
    Ok(())
}
