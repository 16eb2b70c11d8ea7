//! What the system tells of a process.

use std::{fs, time::Duration};

use domain::error::Cause;

/// What a process has used since it began.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// The time that its threads spent on a processor.
    pub processor: Duration,
    /// The most bytes of memory that it had at once.
    pub peak: u64,
}

impl Usage {
    /// The time on a processor since an earlier moment.
    #[must_use]
    pub fn since(&self, before: Self) -> Duration {
        self.processor.saturating_sub(before.processor)
    }
}

/// What a process has used until now, all its living threads together.
///
/// # Errors
///
/// Where it has ended.
pub fn usage(process: u32) -> Result<Usage, Cause> {
    let mut processor = Duration::ZERO;
    for thread in threads(process)? {
        let times = fs::read_to_string(format!("{thread}/schedstat"))?;
        let nanoseconds = times.split(' ').next().ok_or("no time on the processor")?;
        processor += Duration::from_nanos(nanoseconds.parse()?);
    }
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no peak of memory")?;
    let kibibytes: u64 = peak.trim().trim_end_matches(" kB").parse()?;
    Ok(Usage { processor, peak: kibibytes * 1024 })
}

/// Waits until all threads of a process wait for something.
///
/// # Errors
///
/// Where it has ended.
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
