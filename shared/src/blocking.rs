//! Work that keeps a processor busy.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Does work of milliseconds without holding up other requests.
///
/// A function on Lambda has one request at a time and one thread, so there the
/// work is simply done; where several requests share threads, the thread is
/// taken out of their pool meanwhile.
pub fn run<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}
