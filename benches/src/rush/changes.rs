//! Changes of an event during the rush for its seats: how long do they take, with and without a pause of the sales?
//!
//! A change raises all fences in one transaction, so it needs a moment in which no transaction has one. Those of holds
//! have one, and those of confirmations, which no pause stops.

use std::{cmp::Reverse, collections::BinaryHeap, mem, time::Duration};

use local::layouts;

use super::{Attempt, BACKOFF, Buyers, FENCES, PAUSE as PAUSE_BETWEEN_HOLDS, Rush, TRANSACTION, fence_item};

/// Milliseconds between the read of the event and the transaction of a hold; those of a single write, too.
const CALL: u64 = 5;
/// Length of a pause, and time for which a change tries to commit in each one, in milliseconds, as in
/// `shared/storage/src/events/sales_pause.rs`.
const PAUSE: u64 = 2_000;
const TRIES_OF_PAUSE: u64 = 1_000;
/// Milliseconds after which a change counts as not done.
const LIMIT: u64 = 2_000;
/// Milliseconds from the end of a change to the next one. Holds that met a pause are over then.
const BETWEEN_CHANGES: [u64; 2] = [1_000, 3_000];
const CHANGES: usize = 100;
/// Mean number of milliseconds between two confirmations: 47 a second, as in docs/data.md.
const BETWEEN_CONFIRMATIONS: u64 = 21;

/// Step that begins at a time.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Step {
    /// A hold reads the event.
    Read(Attempt),
    /// A hold begins its transaction.
    Try(Attempt),
    /// The transaction of a hold ends.
    End(Attempt),
    /// A confirmation begins its transaction.
    Confirm,
    /// A change begins its transaction.
    Change(Change),
    /// A change pauses the sales.
    Pause(Change),
    /// The transaction of a change ends.
    Changed(Change),
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Change {
    started: u64,
    /// Number of attempts that began with a read.
    attempts: u32,
    /// End of the tries of this attempt.
    tries_until: u64,
}

#[derive(Debug, Default)]
struct Outcome {
    /// Milliseconds of the changes that were done.
    changes: Vec<u64>,
    failed: usize,
    holds: u32,
    milliseconds: u64,
    /// Longest milliseconds of a hold: of one that met a pause, if there are pauses.
    longest_wait: u64,
}

/// Prints how many of 100 changes are done in two seconds, and how long they take.
pub(super) fn print() {
    println!(
        "\n| Buyers | Writers | Pause | Holds a second | Of {CHANGES} changes done in 2 s | 50 % in | 99 % in | Longest hold |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (buyers, writers) in [(Buyers::Click, 64), (Buyers::AnyArea, 64), (Buyers::AnyArea, 512)] {
        for has_pause in [false, true] {
            let hall = layouts::main_stadium();
            let outcome = Rush::new(&hall, 64, buyers).run_with_changes(writers, has_pause);
            let time = |percent: usize| {
                // Those that were not done took longer than any other.
                let time = outcome.changes.get(CHANGES * percent / 100 - 1);
                time.map_or_else(|| "over 2,000 ms".to_owned(), |time| format!("{time} ms"))
            };
            println!(
                "| {buyers:?} | {writers} | {has_pause} | {:.0} | {} | {} | {} | {} ms |",
                f64::from(outcome.holds) / Duration::from_millis(outcome.milliseconds).as_secs_f64(),
                outcome.changes.len(),
                time(50),
                time(99),
                outcome.longest_wait,
            );
        }
    }
}

impl Rush {
    /// Lets simultaneous writers hold seats, and changes one after the other.
    fn run_with_changes(mut self, writers: usize, has_pause: bool) -> Outcome {
        let (mut outcome, mut queue) = (Outcome::default(), BinaryHeap::new());
        self.quiet_fences = vec![None; writers];
        let mut met_pause = vec![false; writers];
        let (mut paused_until, mut sold_seats) = (0, 0);
        let best = self.best.clone();
        for writer in 0..writers {
            let time = self.rng.u64(..PAUSE_BETWEEN_HOLDS);
            queue.push(Reverse((time, Step::Read(self.choose(writer, time)))));
        }
        queue.push(Reverse((0, Step::Confirm)));
        queue.push(Reverse(self.next_change(0)));
        while let Some(Reverse((now, step))) = queue.pop() {
            outcome.milliseconds = now;
            let next = match step {
                Step::Read(mut attempt) if now < paused_until => {
                    met_pause[attempt.writer] = true;
                    let then = self.prepare_retry(&mut attempt, now);
                    (then, Step::Read(attempt))
                }
                Step::Read(attempt) => (now + CALL, Step::Try(attempt)),
                Step::Try(attempt) => self.try_hold(attempt, now),
                Step::End(mut attempt) if attempt.seats.iter().any(|seat| self.sold[*seat as usize]) => {
                    if attempt.area.is_some() {
                        attempt.collisions += 1;
                        (self.prepare_retry(&mut attempt, now), Step::Read(attempt))
                    } else {
                        self.next_hold(attempt.writer, now)
                    }
                }
                Step::End(attempt) => {
                    attempt.seats.iter().for_each(|seat| self.sold[*seat as usize] = true);
                    outcome.holds += 1;
                    sold_seats += attempt.seats.len();
                    // If half of the hall is sold, the next show begins.
                    if sold_seats > self.sold.len() / 2 {
                        self.sold.fill(false);
                        self.best.clone_from(&best);
                        sold_seats = 0;
                    }
                    if mem::take(&mut met_pause[attempt.writer]) || !has_pause {
                        outcome.longest_wait = outcome.longest_wait.max(now - attempt.started);
                    }
                    self.next_hold(attempt.writer, now)
                }
                Step::Confirm => {
                    let fence = fence_item(self.rng.u32(..FENCES));
                    if self.is_locked(fence, now) {
                        (now + self.wait(BACKOFF[0]), Step::Confirm)
                    } else {
                        self.locks.insert(fence, now + TRANSACTION);
                        (now + self.rng.u64(1..2 * BETWEEN_CONFIRMATIONS), Step::Confirm)
                    }
                }
                Step::Change(change) if now - change.started > LIMIT => {
                    outcome.failed += 1;
                    self.next_change(now)
                }
                Step::Change(change) if (0..FENCES).any(|fence| self.is_locked(fence_item(fence), now)) => {
                    if !has_pause || now < change.tries_until {
                        (now + self.wait(BACKOFF[0]), Step::Change(change))
                    } else {
                        let wait = self.wait((BACKOFF[0] << change.attempts.min(9)).min(BACKOFF[1]));
                        let change = Change { attempts: change.attempts + 1, ..change };
                        // It reads the event, and writes the pause.
                        (now + wait + 2 * CALL, Step::Pause(change))
                    }
                }
                Step::Change(change) => {
                    self.locks.extend((0..FENCES).map(|fence| (fence_item(fence), now + TRANSACTION)));
                    (now + TRANSACTION, Step::Changed(change))
                }
                Step::Pause(change) => {
                    paused_until = now + PAUSE;
                    (now, Step::Change(Change { tries_until: now + TRIES_OF_PAUSE, ..change }))
                }
                Step::Changed(change) => {
                    paused_until = 0;
                    outcome.changes.push(now - change.started);
                    self.next_change(now)
                }
            };
            if outcome.changes.len() + outcome.failed == CHANGES {
                break;
            }
            queue.push(Reverse(next));
        }
        outcome.changes.sort_unstable();
        outcome
    }

    /// Begins the transaction of a hold, or tries again later.
    fn try_hold(&mut self, mut attempt: Attempt, now: u64) -> (u64, Step) {
        let items = self.items(&attempt);
        if !items.iter().any(|item| self.is_locked(*item, now)) {
            self.locks.extend(items.into_iter().map(|item| (item, now + TRANSACTION)));
            return (now + TRANSACTION, Step::End(attempt));
        }
        let is_quiet = !self.is_locked(fence_item(attempt.fence), now);
        self.quiet_fences[attempt.writer] = is_quiet.then_some(attempt.fence);
        attempt.collisions += u32::from(is_quiet);
        let then = self.prepare_retry(&mut attempt, now);
        // A hold of chosen seats repeats its transaction, and reads nothing again.
        (then, if attempt.area.is_some() { Step::Read(attempt) } else { Step::Try(attempt) })
    }

    fn next_hold(&mut self, writer: usize, now: u64) -> (u64, Step) {
        let next = now + self.rng.u64(1..=2 * PAUSE_BETWEEN_HOLDS);
        (next, Step::Read(self.choose(writer, next)))
    }

    fn next_change(&mut self, now: u64) -> (u64, Step) {
        let [shortest, longest] = BETWEEN_CHANGES;
        let started = now + self.rng.u64(shortest..=longest);
        (started + CALL, Step::Change(Change { started, attempts: 0, tries_until: 0 }))
    }

    fn is_locked(&self, item: u64, now: u64) -> bool {
        self.locks.get(&item).is_some_and(|end| *end > now)
    }

    /// Returns a wait with jitter.
    fn wait(&mut self, shortest: u64) -> u64 {
        shortest + self.rng.u64(..=shortest)
    }
}
