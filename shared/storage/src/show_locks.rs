//! Locks of shows: two live events with the same title and place have no show in common.
//!
//! A lock item belongs to one title and place, and holds the shows of one month. Each show is an attribute: its name
//! is the instant, its value the event. A write has a condition only on its own shows. So simultaneous events with
//! other shows can change the same item.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{AttributeValue, Update, builders::UpdateBuilder};
use uuid::Uuid;

use crate::{
    keys,
    transaction::{Transaction, update},
};
use domain::{error::Error, event::Event, instant::Instant};

/// Number of lock items of one title and place.
///
/// A show is in the item of its month; months that are two years apart share an item. DynamoDB allows 100 writes in a
/// transaction. An edit that moves all 60 shows of an event writes at most 49 items: the event, 24 of its old title
/// and place, and 24 of the new ones.
pub const LOCK_ITEMS: u32 = 24;

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

/// Shows that a transaction adds to one lock item, and removes from it.
#[derive(Default)]
struct Change {
    added: Vec<String>,
    removed: Vec<String>,
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

    fn contains(&self, partition: &str, show: Instant) -> bool {
        self.partition == partition && self.shows.contains(&show)
    }

    /// Adds the writes that replace the locks of an event; `if_taken` is the meaning of a show that is locked already.
    pub(crate) fn replace<M>(
        &self,
        new: &Self,
        event: Uuid,
        transaction: &mut Transaction<M>,
        if_taken: impl Fn() -> M,
    ) -> Result<(), Error> {
        let mut changes = BTreeMap::<_, Change>::new();
        for &show in self.shows.iter().filter(|show| !new.contains(&self.partition, **show)) {
            changes.entry((&self.partition, lock_item(show))).or_default().removed.push(show.to_string());
        }
        for &show in new.shows.iter().filter(|show| !self.contains(&new.partition, **show)) {
            changes.entry((&new.partition, lock_item(show))).or_default().added.push(show.to_string());
        }
        for ((partition, number), change) in changes {
            let key = keys::show_lock(partition.clone(), number);
            let is_conditional = !change.added.is_empty();
            let write =
                update(change.into_update(event).table_name(transaction.table()).set_key(Some(key.attributes())))?;
            if is_conditional {
                transaction.add_conditional(write, if_taken());
            } else {
                transaction.add_unconditional(write);
            }
        }
        Ok(())
    }
}

impl Change {
    fn into_update(self, event: Uuid) -> UpdateBuilder {
        let added = self.added.len();
        let shows = || (0..added).map(|number| format!("#{number}"));
        let removed = (added..added + self.removed.len()).map(|number| format!("#{number}"));
        let mut update = Update::builder();
        let mut expression = Vec::new();
        if added > 0 {
            let free = join(shows().map(|show| format!("attribute_not_exists({show})")), " AND ");
            expression.push(format!("SET {}", join(shows().map(|show| format!("{show} = :event")), ", ")));
            update = update
                .condition_expression(free)
                .expression_attribute_values(":event", AttributeValue::S(event.to_string()));
        }
        if !self.removed.is_empty() {
            expression.push(format!("REMOVE {}", join(removed, ", ")));
        }
        for (number, show) in self.added.into_iter().chain(self.removed).enumerate() {
            update = update.expression_attribute_names(format!("#{number}"), show);
        }
        update.update_expression(expression.join(" "))
    }
}

fn join(parts: impl Iterator<Item = String>, separator: &str) -> String {
    parts.collect::<Vec<_>>().join(separator)
}

/// Returns the number of the lock item of a show.
#[must_use]
pub fn lock_item(show: Instant) -> u32 {
    show.month() % LOCK_ITEMS
}
