//! Every call that an operation makes to its backends, broken in every way.
//!
//! Which calls there are is not written down: each operation is carried out once to see them, so a
//! new one is covered by itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::unused_async, reason = "operations are made alike, whatever they need first")]

mod create;
mod delete;
mod exercise;
mod join;
mod login;
mod read;
mod reap;
mod restore;
mod stored;

use create::Create;
use delete::Delete;
use exercise::{Tally, exercise, message};
use futures_util::future::{BoxFuture, join_all};
use join::Join;
use login::Login;
use read::Read;
use reap::Posters;
use restore::Restore;

#[tokio::test(flavor = "multi_thread")]
async fn no_fault_of_a_backend_leaves_half_of_anything_or_goes_unanswered() {
    let operations: Vec<BoxFuture<Tally>> = vec![
        Box::pin(exercise("joining", Join::new)),
        Box::pin(exercise("joining with a taken address", Join::with_taken_address)),
        Box::pin(exercise("joining with a taken nickname", Join::with_taken_nickname)),
        Box::pin(exercise("logging in", Login::right)),
        Box::pin(exercise("logging in with a wrong password", Login::wrong)),
        Box::pin(exercise("logging in as nobody", Login::nobody)),
        Box::pin(exercise("logging in with an old hash", Login::with_old_hash)),
        Box::pin(exercise("logging in after failures", Login::forgiven)),
        Box::pin(exercise("logging in after too many failures", Login::too_often)),
        Box::pin(exercise("creating", Create::new)),
        Box::pin(exercise("creating what is registered", Create::registered)),
        Box::pin(exercise("creating by a key", Create::by_key)),
        Box::pin(exercise("creating by a key what is registered", Create::registered_by_key)),
        Box::pin(exercise("repeating a creation", Create::repeated)),
        Box::pin(exercise("creating by a key of another request", Create::by_used_key)),
        Box::pin(exercise("listing", Read::list)),
        Box::pin(exercise("getting", Read::get)),
        Box::pin(exercise("getting what is not there", Read::get_deleted)),
        Box::pin(exercise("getting the detail", Read::detail)),
        Box::pin(exercise("getting the detail with another tag", Read::detail_with_other_tag)),
        Box::pin(exercise("getting the detail with its tag", Read::detail_with_its_tag)),
        Box::pin(exercise("drawing", Read::seat_map)),
        Box::pin(exercise("drawing with another tag", Read::seat_map_with_other_tag)),
        Box::pin(exercise("deleting", Delete::live)),
        Box::pin(exercise("deleting as its manager", Delete::owned)),
        Box::pin(exercise("deleting what is deleted", Delete::deleted)),
        Box::pin(exercise("restoring", Restore::deleted)),
        Box::pin(exercise("restoring what is claimed since", Restore::claimed)),
        Box::pin(exercise("reaping", Posters::expired)),
    ];
    let tallies = join_all(operations).await;
    let swept = tokio::spawn(async {
        stored::sweep().await;
        stored::assert_nothing_is_partial().await;
    });
    let swept = swept.await;

    let calls: usize = tallies.iter().map(|tally| tally.calls).sum();
    let combinations: usize = tallies.iter().map(|tally| tally.combinations).sum();
    println!("{} operations, {calls} calls, {combinations} combinations", tallies.len());
    let left = swept.err().map(|error| format!("in the end: {}", message(error)));
    let failures: Vec<_> = tallies.into_iter().flat_map(|tally| tally.failures).chain(left).collect();
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
    // Any call meets five faults of three strengths, and the two ends of a process.
    assert!(combinations >= calls * (5 * 3 + 2), "{combinations} combinations of {calls} calls");
}
