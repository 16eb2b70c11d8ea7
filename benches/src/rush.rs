//! Simulation of a rush for seats: how often do simultaneous holds conflict?
//!
//! `DynamoDB` rejects a transaction that writes an item which another transaction is writing, and the service tries
//! again. So conflicts depend on the number of seats in an item, on the number of fences, and on who chooses the seats.
//! People who click want neighbouring seats in front and in the middle, and see which are taken a second late. Others
//! ask for the best seats of an area, which the service chooses.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    fmt::Write as _,
    time::Duration,
};

use domain::{coordinate::Coordinate, error::Cause, seat_kind::Usable};
use fastrand::Rng;
use local::layouts::{self, Layout};
use seating::{
    choice::{Group, Rows},
    seat_map::Seat,
};

mod changes;

/// Milliseconds in which a transaction writes its items. Amazon names single-digit milliseconds for a write
/// (<https://aws.amazon.com/dynamodb/>); a transaction has two phases.
const TRANSACTION: u64 = 10;
/// Milliseconds between two refreshes of what a person sees.
const VIEW: u64 = 1_000;
/// Milliseconds between two holds of one simultaneous writer, which is a stream of people.
const PAUSE: u64 = 5;
/// Shortest and longest wait before a retry, in milliseconds, as in `shared/storage/src/table.rs`.
const BACKOFF: [u64; 2] = [20, 500];
/// Shortest wait before the service tries other seats, in milliseconds, as in `shared/storage/src/seats/holds.rs`.
const OTHER_SEATS: u64 = 1;
/// Number of fences of an event, as in `shared/storage/src/seats/fence.rs`.
const FENCES: u32 = 72;
/// Number of the best groups of free seats among which a person chooses.
const CHOICES: usize = 400;
/// Numbers of seats that people want, and how many of a hundred want them.
const GROUPS: [(u32, u8); 4] = [(1, 15), (2, 55), (3, 10), (4, 20)];

/// Counts and times of a rush.
#[derive(Debug, Default)]
struct Outcome {
    holds: u32,
    seats: u32,
    attempts: u32,
    conflicts: u32,
    taken: u32,
    /// Milliseconds of each hold with its retries.
    waits: Vec<u64>,
    /// Seconds until the end.
    seconds: f64,
}

/// People of a rush, by the way in which they get seats.
#[derive(Clone, Copy, Debug)]
enum Buyers {
    /// They click on seats.
    Click,
    /// They ask for the best seats of one area, each of any area.
    AnyArea,
    /// All of them ask for the best seats of the first area.
    OneArea,
}

/// Area of the hall.
struct AreaOfHall {
    /// Number of its first seat.
    first: usize,
    rows: Rows,
    /// Sold seats as the service read them, and when.
    view: (Vec<bool>, u64),
}

struct Rush {
    buyers: Buyers,
    areas: Vec<AreaOfHall>,
    /// Seats from the best to the worst, and the best groups of each size.
    best: Vec<u32>,
    /// For each seat, the number of seats that follow in its row.
    neighbours: Vec<u32>,
    sold: Vec<bool>,
    /// Sold seats as people see them, and when they were read.
    view: (Vec<bool>, u64),
    locks: HashMap<u64, u64>,
    /// Fence that each writer used last without a conflict.
    quiet_fences: Vec<Option<u32>>,
    seats_of_item: u32,
    rng: Rng,
}

/// Transaction of a writer.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Attempt {
    writer: usize,
    seats: Vec<u32>,
    size: u32,
    fence: u32,
    started: u64,
    tries: u32,
    /// Number of times that others were faster to take a seat.
    collisions: u32,
    is_committing: bool,
    /// Area of which the service chooses the seats.
    area: Option<usize>,
}

/// Prints the conflicts for numbers of writers and of seats in an item, as a table and as a plot.
///
/// # Errors
///
/// Never fails.
pub fn print() -> Result<(), Cause> {
    let hall = layouts::main_stadium();
    println!("{} seats, {TRANSACTION} ms for a transaction, {FENCES} fences.\n", hall.seats());
    println!(
        "| Writers | Seats in an item | Holds a second | Conflicts of 100 tries | Taken of 100 holds | 99 % held in |"
    );
    println!("|---|---|---|---|---|---|");
    let sizes = [16, 32, 64, 128];
    let mut plot = String::new();
    for writers in [1, 8, 64] {
        let mut conflicts = Vec::new();
        for seats_of_item in sizes {
            let outcome = Rush::new(&hall, seats_of_item, Buyers::Click).run(writers, 20_000);
            let share = |part: u32, whole: u32| f64::from(part) * 100.0 / f64::from(whole.max(1));
            let conflicts_of_100 = format!("{:.1}", share(outcome.conflicts, outcome.attempts));
            println!(
                "| {writers} | {seats_of_item} | {:.0} | {conflicts_of_100} | {:.1} | {} ms |",
                f64::from(outcome.holds) / outcome.seconds,
                share(outcome.taken, outcome.taken + outcome.holds),
                outcome.waits[outcome.waits.len() * 99 / 100],
            );
            conflicts.push(conflicts_of_100);
        }
        writeln!(plot, "    line [{}]", conflicts.join(", "))?;
    }
    println!("\n```mermaid\nxychart-beta\n    title \"Conflicts of 100 tries of 1, 8 and 64 writers\"");
    print!("    x-axis \"Seats in an item\" {sizes:?}\n    y-axis \"Conflicts\"\n{plot}```\n");
    print_buyers();
    changes::print();
    Ok(())
}

/// Prints how fast seats sell to those who click and to those who ask for the best ones, with 64 seats in an item.
fn print_buyers() {
    const SEATS_OF_ITEM: u32 = 64;
    println!("\n| Hall | Buyers | Writers | Holds a second | Conflicts of 100 tries | 99 % held in |");
    println!("|---|---|---|---|---|---|");
    for (hall, seats) in [(layouts::arena(), 5_000), (layouts::main_stadium(), 20_000)] {
        let one_area = u32::try_from(hall.areas[0].seats.len() / 2).unwrap_or(u32::MAX);
        for (buyers, seats) in [(Buyers::Click, seats), (Buyers::AnyArea, seats), (Buyers::OneArea, one_area)] {
            for writers in [1, 8, 64, 512] {
                let outcome = Rush::new(&hall, SEATS_OF_ITEM, buyers).run(writers, seats);
                println!(
                    "| {} | {buyers:?} | {writers} | {:.0} | {:.0} | {} ms |",
                    hall.name,
                    f64::from(outcome.holds) / outcome.seconds,
                    f64::from(outcome.conflicts) * 100.0 / f64::from(outcome.attempts.max(1)),
                    outcome.waits.get(outcome.waits.len() * 99 / 100).unwrap_or(&0),
                );
            }
        }
    }
}

impl Rush {
    fn new(hall: &Layout, seats_of_item: u32, buyers: Buyers) -> Self {
        let seats: Vec<_> = hall
            .areas
            .iter()
            .enumerate()
            .flat_map(|(area, seats)| seats.seats.iter().map(move |seat| (area, seat)))
            .collect();
        let range = |ends: fn(f64, f64) -> f64, start| seats.iter().map(|(_, seat)| seat.cx).fold(start, ends);
        let middle = f64::midpoint(range(f64::min, f64::INFINITY), range(f64::max, f64::NEG_INFINITY));
        let stage = seats.iter().map(|(_, seat)| seat.cy).fold(f64::INFINITY, f64::min);
        let distance = |seat: u32| {
            let (_, seat) = seats[seat as usize];
            (seat.cx - middle).hypot(seat.cy - stage)
        };
        let mut best: Vec<_> = (0..u32::try_from(seats.len()).unwrap_or(u32::MAX)).collect();
        best.sort_by(|one, other| distance(*one).total_cmp(&distance(*other)));
        let mut neighbours = vec![0; seats.len()];
        for index in (0..seats.len() - 1).rev() {
            let ((area, seat), (next_area, next)) = (seats[index], seats[index + 1]);
            if (area, seat.row, seat.number + 1) == (next_area, next.row, next.number) {
                neighbours[index] = neighbours[index + 1] + 1;
            }
        }
        let sold = vec![false; seats.len()];
        let coordinate = |value: f64| Coordinate::parse(&value.to_string()).expect("a coordinate of a hall");
        let mut areas = Vec::new();
        for area in &hall.areas {
            let seat = |seat: &layouts::Seat| Seat {
                cx: coordinate(seat.cx),
                cy: coordinate(seat.cy),
                row: seat.row,
                number: seat.number,
                kind: None,
            };
            let first = areas.last().map_or(0, |last: &AreaOfHall| last.first + last.view.0.len());
            let rows = Rows::new(&area.seats.iter().map(seat).collect::<Vec<_>>());
            areas.push(AreaOfHall { first, rows, view: (vec![false; area.seats.len()], 0) });
        }
        Self {
            buyers,
            areas,
            best,
            neighbours,
            view: (sold.clone(), 0),
            sold,
            locks: HashMap::new(),
            quiet_fences: Vec::new(),
            seats_of_item,
            rng: Rng::with_seed(1),
        }
    }

    /// Lets simultaneous writers hold a number of seats.
    fn run(mut self, writers: usize, seats: u32) -> Outcome {
        let mut outcome = Outcome::default();
        let mut queue = BinaryHeap::new();
        self.quiet_fences = vec![None; writers];
        for writer in 0..writers {
            let time = self.rng.u64(..PAUSE);
            queue.push(Reverse((time, self.choose(writer, time))));
        }
        while let Some(Reverse((now, mut attempt))) = queue.pop() {
            outcome.seconds = Duration::from_millis(now).as_secs_f64();
            if outcome.seats >= seats {
                break;
            }
            if attempt.is_committing {
                let is_taken = attempt.seats.iter().any(|seat| self.sold[*seat as usize]);
                if is_taken {
                    outcome.taken += 1;
                    if attempt.area.is_some() {
                        // The service tries other seats.
                        attempt.collisions += 1;
                        self.retry(&mut queue, now, attempt);
                        continue;
                    }
                } else {
                    attempt.seats.iter().for_each(|seat| self.sold[*seat as usize] = true);
                    outcome.holds += 1;
                    outcome.seats += attempt.size;
                    outcome.waits.push(now - attempt.started);
                }
                let next = now + self.rng.u64(1..=2 * PAUSE);
                queue.push(Reverse((next, self.choose(attempt.writer, next))));
                continue;
            }
            outcome.attempts += 1;
            let items = self.items(&attempt);
            let is_locked = |item: &u64| self.locks.get(item).is_some_and(|end| *end > now);
            if items.iter().any(is_locked) {
                outcome.conflicts += 1;
                let is_quiet = !is_locked(&fence_item(attempt.fence));
                self.quiet_fences[attempt.writer] = is_quiet.then_some(attempt.fence);
                // The service notices only the first conflict, which is that at the fence.
                attempt.collisions += u32::from(is_quiet);
                self.retry(&mut queue, now, attempt);
            } else {
                self.locks.extend(items.into_iter().map(|item| (item, now + TRANSACTION)));
                attempt.is_committing = true;
                queue.push(Reverse((now + TRANSACTION, attempt)));
            }
        }
        outcome.waits.sort_unstable();
        outcome
    }

    /// Tries again later.
    fn retry(&mut self, queue: &mut BinaryHeap<Reverse<(u64, Attempt)>>, now: u64, mut attempt: Attempt) {
        let then = self.prepare_retry(&mut attempt, now);
        queue.push(Reverse((then, attempt)));
    }

    /// Returns the time at which an attempt is tried again, with other seats if the service chooses them.
    fn prepare_retry(&mut self, attempt: &mut Attempt, now: u64) -> u64 {
        let shortest = if attempt.area.is_some() { OTHER_SEATS } else { BACKOFF[0] };
        let wait = (shortest << attempt.tries.min(9)).min(BACKOFF[1]);
        let then = now + wait + self.rng.u64(..=wait);
        attempt.tries += 1;
        attempt.is_committing = false;
        if let Some(area) = attempt.area {
            attempt.fence = self.fence(attempt.writer);
            attempt.seats = self.best_of(area, attempt.size, attempt.collisions, then);
        }
        then
    }

    /// Returns seats of an area as the service chooses them, or of the next area that has some.
    fn best_of(&mut self, area: usize, size: u32, collisions: u32, now: u64) -> Vec<u32> {
        let group = Group { count: size as usize, adjacent: true, usable: Usable::Ordinary };
        for index in 0..self.areas.len() {
            let count = self.areas.len();
            let area = &mut self.areas[(area + index) % count];
            let seats = area.first..area.first + area.view.0.len();
            if collisions > 0 || now >= area.view.1 + VIEW {
                area.view = (self.sold[seats].to_vec(), now);
            }
            let choice = area.rows.choose(|seat| !area.view.0[seat], group, collisions, self.rng.u32(..));
            if let Some(choice) = choice {
                let number = |seat: usize| u32::try_from(area.first + seat).unwrap_or(u32::MAX);
                return choice.seats.into_iter().map(number).collect();
            }
        }
        Vec::new()
    }

    /// Chooses neighbouring seats among the best that seem free.
    fn choose(&mut self, writer: usize, now: u64) -> Attempt {
        if now >= self.view.1 + VIEW {
            self.view = (self.sold.clone(), now);
            self.best.retain(|seat| !self.sold[*seat as usize]);
        }
        let mut left = self.rng.u8(..100);
        let size = GROUPS
            .iter()
            .find(|(_, share)| {
                left < *share || {
                    left -= share;
                    false
                }
            })
            .map_or(1, |(size, _)| *size);
        let area = match self.buyers {
            Buyers::Click => None,
            Buyers::AnyArea => Some(self.rng.usize(..self.areas.len())),
            Buyers::OneArea => Some(0),
        };
        if let Some(area) = area {
            let seats = self.best_of(area, size, 0, now);
            let (area, fence) = (Some(area), self.fence(writer));
            return Attempt {
                writer,
                seats,
                size,
                fence,
                started: now,
                tries: 0,
                collisions: 0,
                is_committing: false,
                area,
            };
        }
        let group = |first: u32| first..first + size;
        let seems_free = |first: &u32| {
            self.neighbours[*first as usize] + 1 >= size && group(*first).all(|seat| !self.view.0[seat as usize])
        };
        let groups: Vec<_> = self.best.iter().copied().filter(seems_free).take(CHOICES).collect();
        let first = groups.get(self.rng.usize(..groups.len().max(1))).copied().unwrap_or(0);
        let (seats, fence) = (group(first).collect(), self.rng.u32(..FENCES));
        Attempt { writer, seats, size, fence, started: now, tries: 0, collisions: 0, is_committing: false, area: None }
    }

    /// Returns the fence that a writer keeps, or any.
    fn fence(&mut self, writer: usize) -> u32 {
        *self.quiet_fences[writer].get_or_insert_with(|| self.rng.u32(..FENCES))
    }

    /// Returns the items that a transaction writes and that another one may write.
    fn items(&self, attempt: &Attempt) -> Vec<u64> {
        let mut items: Vec<_> = attempt.seats.iter().map(|seat| u64::from(seat / self.seats_of_item)).collect();
        items.push(fence_item(attempt.fence));
        items.dedup();
        items
    }
}

/// Returns the item of a fence, which is none of seats.
fn fence_item(fence: u32) -> u64 {
    u64::MAX - u64::from(fence)
}
