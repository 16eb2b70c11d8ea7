//! Locks of shows: two events with the same title and place, live or drafts, have no show in common.
//!
//! A lock item belongs to one title and place, and holds the shows of one month. Each show is an attribute: its name
//! is the instant, its value the event. A write has a condition only on its own shows. So simultaneous events with
//! other shows can change the same item.
//!
//! An item also counts its shows, because the last event to leave it deletes it. Mostly an item has shows of one event
//! only, so an event that leaves it first tries to delete it, on condition that it has no other shows. If it has, the
//! change starts again with the counts that it reads.

use std::collections::{BTreeMap, HashMap};

use uuid::Uuid;

use crate::{
    items::Items,
    keys::{self, Key},
    table::{Table, number, text},
    transaction::{Transaction, TransactionError},
    write::Write,
};
use domain::{error::Error, event::Event, instant::Instant};

/// Number of lock items of one title and place.
///
/// A show is in the item of its month, which is the same in each year. DynamoDB allows 100 writes in a transaction. An
/// edit that moves all 60 shows of an event writes at most 25 items: the event, 12 of its old title and place, and 12
/// of the new ones. The rest is for its fences.
pub const LOCK_ITEMS: u32 = 12;

/// Number of shows for which a lock item always has space.
///
/// An item has at most 400 KiB. A show takes 56 to 66 bytes: 20 to 30 of the instant, and 36 of the event.
pub const MIN_CAPACITY: usize = 6_200;

/// Attribute with the number of shows in an item.
pub const COUNT: &str = "shows";

/// Shows that an event locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowLocks {
    /// Partition key of the lock items of the title and place.
    pub partition: String,
    /// Instants of the shows.
    pub shows: Vec<Instant>,
}

impl ShowLocks {
    /// Returns the locks of an event; a deleted one has none.
    #[must_use]
    pub fn new(event: &Event) -> Self {
        if event.is_deleted() {
            return Self::none();
        }
        let partition = keys::show_locks(&event.details.unique_name());
        Self { partition, shows: event.shows.iter().map(|show| show.instant).collect() }
    }

    /// Returns the locks of an event without shows, for one that does not exist yet.
    #[must_use]
    pub fn none() -> Self {
        Self { partition: String::new(), shows: Vec::new() }
    }

    /// Returns the key of the lock item of a show.
    fn key(&self, show: Instant) -> Key {
        keys::show_lock(self.partition.clone(), lock_item(show))
    }

    fn contains(&self, partition: &str, show: Instant) -> bool {
        self.partition == partition && self.shows.contains(&show)
    }

    /// Returns the changes of lock items that replace the locks of an event.
    pub(crate) fn changes(&self, new: &Self) -> LockChanges {
        let mut changes = BTreeMap::<_, LockChange>::new();
        for &show in &self.shows {
            let change = changes.entry(self.key(show)).or_default();
            if new.contains(&self.partition, show) { change.kept += 1 } else { change.left.push(show) }
        }
        for &show in new.shows.iter().filter(|show| !self.contains(&new.partition, **show)) {
            changes.entry(new.key(show)).or_default().added.push(show);
        }
        changes.retain(|_, change| !change.left.is_empty() || !change.added.is_empty());
        LockChanges(changes)
    }
}

/// Changes of lock items by one event.
#[derive(Debug)]
pub(crate) struct LockChanges(BTreeMap<Key, LockChange>);

/// Shows of an event that leave a lock item, that it gets, and the number of those that stay.
#[derive(Debug, Default)]
struct LockChange {
    left: Vec<Instant>,
    added: Vec<Instant>,
    kept: usize,
}

impl LockChange {
    /// Returns true if the event has no show in the item any more, so that nobody may have one.
    fn may_empty(&self) -> bool {
        self.added.is_empty() && self.kept == 0
    }
}

/// Numbers of shows in lock items.
pub(crate) type LockCounts = HashMap<Key, usize>;

impl LockChanges {
    /// Reads the numbers of shows in the items that this event may leave empty.
    pub async fn read_counts(&self, table: &Table) -> Result<LockCounts, Error> {
        let keys: Vec<_> = self.0.iter().filter(|(_, change)| change.may_empty()).map(|(key, _)| key).collect();
        let mut items = Items::read(table, keys.iter().copied().cloned()).await?;
        let mut count = |key: &Key| items.take(key)?.get(COUNT)?.as_n().ok()?.parse().ok();
        Ok(keys.into_iter().map(|key| (key.clone(), count(key).unwrap_or(0))).collect())
    }

    /// Reads the items that get shows, and checks that no other event has one of these.
    ///
    /// # Errors
    ///
    /// Returns `AlreadyRegistered` if one has, `Database` if the read fails.
    pub async fn expect_free(&self, table: &Table) -> Result<(), Error> {
        let changes = || self.0.iter().filter(|(_, change)| !change.added.is_empty());
        let mut items = Items::read(table, changes().map(|(key, _)| key.clone())).await?;
        let mut is_taken = |(key, change): (&Key, &LockChange)| {
            items.take(key).is_some_and(|item| change.added.iter().any(|show| item.contains_key(&show.to_string())))
        };
        if changes().any(&mut is_taken) { Err(Error::AlreadyRegistered) } else { Ok(()) }
    }

    /// Adds the writes of the changes; if a show is locked already, they return `AlreadyRegistered`.
    ///
    /// An item without a known number of shows is taken to have none of other events. `Lost` means that this is wrong.
    pub fn write(&self, event: Uuid, counts: &LockCounts, transaction: &mut Transaction) {
        for (key, change) in &self.0 {
            let left = change.left.len();
            let count = counts.get(key).copied().unwrap_or(left);
            if change.may_empty() && count <= left {
                let delete = Write::delete(key.clone()).only_if(COUNT, "=", number(left));
                transaction.add(delete, TransactionError::Lost);
                continue;
            }
            let difference = i64::try_from(change.added.len()).unwrap_or(0) - i64::try_from(left).unwrap_or(0);
            let write = Write::update(key.clone()).increase(COUNT, difference);
            let write = change.left.iter().fold(write, |write, show| write.remove(&show.to_string()));
            if change.may_empty() {
                transaction.add(write.only_if(COUNT, "=", number(count)), TransactionError::Lost);
                continue;
            }
            let add = |write: Write, show: &Instant| {
                let name = show.to_string();
                write.set(&name, text(event)).if_absent(&name)
            };
            transaction.add(change.added.iter().fold(write, add), Error::AlreadyRegistered);
        }
    }
}

/// Returns the number of the lock item of a show.
#[must_use]
pub fn lock_item(show: Instant) -> u32 {
    show.month() % LOCK_ITEMS
}
