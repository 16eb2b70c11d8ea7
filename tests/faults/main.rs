//! Every call that an operation makes to its backends, broken in every way.
//!
//! Which calls there are is not written down: each operation is carried out once to see them, so a
//! new one is covered by itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod create;
mod delete;
mod exercise;
mod join;
mod login;
mod read;
mod stored;

use create::Create;
use delete::Delete;
use exercise::exercise;
use join::Join;
use login::Login;
use read::Read;

#[tokio::test(flavor = "multi_thread")]
async fn no_fault_of_a_backend_leaves_half_of_anything_or_goes_unanswered() {
    let tallies = [
        exercise("joining", Join::new).await,
        exercise("joining with a taken address", Join::with_taken_address).await,
        exercise("joining with a taken nickname", Join::with_taken_nickname).await,
        exercise("logging in", Login::right).await,
        exercise("logging in with a wrong password", Login::wrong).await,
        exercise("logging in as nobody", Login::nobody).await,
        exercise("logging in with an old hash", Login::with_old_hash).await,
        exercise("creating", Create::new).await,
        exercise("creating what is registered", Create::registered).await,
        exercise("creating by a key", Create::by_key).await,
        exercise("creating by a key what is registered", Create::registered_by_key).await,
        exercise("repeating a creation", Create::repeated).await,
        exercise("creating by a key of another request", Create::by_used_key).await,
        exercise("listing", Read::list).await,
        exercise("getting", Read::get).await,
        exercise("getting what is not there", Read::get_deleted).await,
        exercise("getting the detail", Read::detail).await,
        exercise("getting the detail with another tag", Read::detail_with_other_tag).await,
        exercise("getting the detail with its tag", Read::detail_with_its_tag).await,
        exercise("drawing", Read::seat_map).await,
        exercise("drawing with another tag", Read::seat_map_with_other_tag).await,
        exercise("deleting", Delete::live).await,
        exercise("deleting what is deleted", Delete::deleted).await,
    ];
    stored::assert_nothing_is_partial().await;

    let calls: usize = tallies.iter().map(|tally| tally.calls).sum();
    let combinations: usize = tallies.iter().map(|tally| tally.combinations).sum();
    println!("{} operations, {calls} calls, {combinations} combinations", tallies.len());
    let failures: Vec<_> = tallies.into_iter().flat_map(|tally| tally.failures).collect();
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
    // Three faults of a process or a transaction aside, each call meets five, three times each.
    assert!(combinations >= calls * (5 * 3 + 2), "{combinations} combinations of {calls} calls");
}
