//! Locks of shows: two events with the same title and place, live or drafts, have no show in common.
//!
//! A lock item belongs to one title and place, and holds the shows of one month. Each show is an attribute: its name
//! is the instant, its value the event. A write has a condition only on its own shows. So simultaneous events with
//! other shows can change the same item.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::{
    keys::{self, Key},
    table::text,
    transaction::Transaction,
    write::Write,
};
use domain::{error::Error, event::Event, instant::Instant};

/// Number of lock items of one title and place.
///
/// A show is in the item of its month, which is the same in each year. DynamoDB allows 100 writes in a transaction. An
/// edit that moves all 60 shows of an event writes at most 25 items: the event, 12 of its old title and place, and 12 of
/// the new ones. The rest is for its fences.
pub const LOCK_ITEMS: u32 = 12;

/// Number of shows for which a lock item always has space.
///
/// An item has at most 400 KiB. A show takes 56 to 66 bytes: 20 to 30 of the instant, and 36 of the event.
pub const MIN_CAPACITY: usize = 6_200;

/// Shows that an event locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowLocks {
    /// Partition key of the lock items of the title and place.
    pub partition: String,
    /// Instants of the shows.
    pub shows: Vec<Instant>,
}

impl ShowLocks {
    /// Returns the locks of an event.
    #[must_use]
    pub fn new(event: &Event) -> Self {
        let partition = keys::show_locks(&event.details.unique_name());
        Self { partition, shows: event.shows.iter().map(|show| show.instant).collect() }
    }

    /// Returns the locks of an event without shows, for an event that is created or deleted.
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

    /// Adds the writes that replace the locks of an event; if a show is locked already, they return `AlreadyRegistered`.
    pub(crate) fn replace(&self, new: &Self, event: Uuid, transaction: &mut Transaction) {
        let mut writes = BTreeMap::new();
        for &show in self.shows.iter().filter(|show| !new.contains(&self.partition, **show)) {
            let key = self.key(show);
            let write = writes.remove(&key).unwrap_or_else(|| Write::update(key.clone()));
            writes.insert(key, write.remove(&show.to_string()));
        }
        for &show in new.shows.iter().filter(|show| !self.contains(&new.partition, **show)) {
            let (key, name) = (new.key(show), show.to_string());
            let write = writes.remove(&key).unwrap_or_else(|| Write::update(key.clone()));
            writes.insert(key, write.set(&name, text(event)).if_absent(&name));
        }
        for write in writes.into_values() {
            transaction.add(write, Error::AlreadyRegistered);
        }
    }
}

/// Returns the number of the lock item of a show.
#[must_use]
pub fn lock_item(show: Instant) -> u32 {
    show.month() % LOCK_ITEMS
}
