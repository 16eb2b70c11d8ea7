//! Machine and date of a measurement.

use std::fs;

use domain::error::Cause;
use serde::{Deserialize, Serialize};
use tokio::process::Command;

/// Machine and its installed programs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Date of the measurement.
    pub date: String,
    /// Model of its processors.
    pub processor: String,
    /// Number of its processors.
    pub processors: usize,
    /// Versions of the programs.
    pub versions: Vec<String>,
}

impl Machine {
    /// Describes this machine, today, with these programs.
    ///
    /// # Errors
    ///
    /// Returns an error if a program is not installed.
    pub async fn current(programs: &[&str]) -> Result<Self, Cause> {
        let info = fs::read_to_string("/proc/cpuinfo")?;
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let mut versions = Vec::new();
        for program in programs {
            let output = Command::new(program).arg("--version").output().await?;
            let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            let has_name = version.to_lowercase().starts_with(program.trim_end_matches('3'));
            versions.push(if has_name { version } else { format!("{program} {version}") });
        }
        Ok(Self {
            date: chrono::Utc::now().format("%Y-%m-%d").to_string(),
            processor: model.map_or("unknown", |(_, model)| model).to_owned(),
            processors: std::thread::available_parallelism()?.get(),
            versions,
        })
    }
}
