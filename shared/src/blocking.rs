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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_requests_go_on_meanwhile() {
        let (done, waiting) = mpsc::channel();
        let working = tokio::spawn(async move { run(|| waiting.recv()) });
        tokio::spawn(async move { done.send(7) }).await.unwrap().unwrap();
        assert_eq!(working.await.unwrap(), Ok(7));
    }

    #[tokio::test]
    async fn on_one_thread_the_work_is_simply_done() {
        assert_eq!(run(|| 7), 7);
    }
}
