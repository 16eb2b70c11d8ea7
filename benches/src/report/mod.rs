//! Report on the results.

mod growth_plot;
mod markdown;
mod peers_plot;

use std::{fs, path::Path};

use domain::error::Cause;

use crate::measure::Results;

/// Writes `benchmarks.md` and its plots to a folder.
///
/// # Errors
///
/// Returns an error if the folder cannot be written.
pub fn write(results: &Results, folder: &Path) -> Result<(), Cause> {
    fs::create_dir_all(folder)?;
    let report = folder.join("benchmarks.md");
    fs::write(&report, markdown::render(results)?)?;
    fs::write(folder.join("benchmarks-peers.svg"), peers_plot::render(results)?)?;
    if !results.growth.is_empty() {
        fs::write(folder.join("benchmarks-growth.svg"), growth_plot::render(&results.growth)?)?;
    }
    println!("{}", report.display());
    Ok(())
}
