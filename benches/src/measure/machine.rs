//! Where and when something was measured.

use std::fs;

use domain::error::Cause;
use serde::{Deserialize, Serialize};
use tokio::process::Command;

/// A machine and what is installed on it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The day.
    pub date: String,
    /// The model of its processors.
    pub processor: String,
    /// How many of them there are.
    pub processors: usize,
    /// The versions of what runs on it.
    pub versions: Vec<String>,
}

impl Machine {
    /// This machine, today, with these programs.
    ///
    /// # Errors
    ///
    /// Where one of them is not installed.
    pub async fn current(programs: &[&str]) -> Result<Self, Cause> {
        let described = fs::read_to_string("/proc/cpuinfo")?;
        let model = described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let mut versions = Vec::new();
        for program in programs {
            let output = Command::new(program).arg("--version").output().await?;
            let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            let begins = version.to_lowercase().starts_with(program.trim_end_matches('3'));
            versions.push(if begins { version } else { format!("{program} {version}") });
        }
        Ok(Self {
            date: chrono::Utc::now().format("%Y-%m-%d").to_string(),
            processor: model.map_or("unknown", |(_, model)| model).to_owned(),
            processors: std::thread::available_parallelism()?.get(),
            versions,
        })
    }
}
