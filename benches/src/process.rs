//! Resource usage of a process, from `/proc`.

use std::{fs, time::Duration};

use domain::error::Cause;

/// Resources that a process has used since its start.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Processor time of its threads.
    pub processor: Duration,
    /// Peak memory, in bytes.
    pub peak: u64,
}

impl Usage {
    /// Returns the processor time since an earlier measurement.
    #[must_use]
    pub fn since(&self, before: Self) -> Duration {
        self.processor.saturating_sub(before.processor)
    }
}

/// Returns the resources that a process has used until now, summed over its living threads.
///
/// # Errors
///
/// Returns an error if the process has ended.
pub fn usage(process: u32) -> Result<Usage, Cause> {
    let mut processor = Duration::ZERO;
    for thread in threads(process)? {
        let times = fs::read_to_string(format!("{thread}/schedstat"))?;
        let nanoseconds = times.split(' ').next().ok_or("no processor time")?;
        processor += Duration::from_nanos(nanoseconds.parse()?);
    }
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no peak memory")?;
    let kibibytes: u64 = peak.trim().trim_end_matches(" kB").parse()?;
    Ok(Usage { processor, peak: kibibytes * 1024 })
}

/// Waits until all threads of a process sleep.
///
/// # Errors
///
/// Returns an error if the process has ended.
pub async fn wait_until_idle(process: u32) -> Result<(), Cause> {
    loop {
        let mut busy = false;
        for thread in threads(process)? {
            let state = fs::read_to_string(format!("{thread}/stat"))?;
            let state = state.rsplit(") ").next().ok_or("no state")?;
            busy |= !state.starts_with('S');
        }
        if !busy {
            return Ok(());
        }
        tokio::task::yield_now().await;
    }
}

fn threads(process: u32) -> Result<Vec<String>, Cause> {
    fs::read_dir(format!("/proc/{process}/task"))?
        .map(|thread| Ok(thread?.path().to_string_lossy().into_owned()))
        .collect()
}
