//! Fences of an event: items that let an edit or a deletion notice every seat that is taken meanwhile.
//!
//! A transaction that takes a seat counts in one of the fences, only if the event is neither deleted nor of a
//! later edit than it read. A deletion, or an edit that removes shows, reads all fences, then the states of the seats, and
//! changes all fences only if no count has changed. There are many, because transactions that write the same
//! item conflict.

use std::{collections::HashMap, time::Duration};

use domain::{error::Error, event::Event, id};
use uuid::Uuid;

use crate::{
    expiry::epoch_seconds,
    keys::{self, EXPIRES, Key, PARTITION},
    table::{Item, Table, number, text},
    transaction::{Transaction, TransactionError},
    write::Write,
};

/// Number of fences of an event.
///
/// DynamoDB allows 100 writes in a transaction, and an edit that moves all shows has 49 others.
const FENCES: u32 = 50;

/// Attribute with the number of transactions that took seats of any show.
const COUNT: &str = "count";
/// Attribute of the fences of a deleted event.
const CLOSED: &str = "closed";
/// Attribute with the version of the event at the last edit that removed shows.
const EDIT: &str = "edit";

/// Fences of an event, as they were read: their numbers by name.
#[derive(Debug)]
pub(crate) struct Fences {
    event: Uuid,
    fences: Vec<HashMap<String, u64>>,
}

/// Builds the write by which a transaction that takes seats of a show counts itself in a fence, which an id selects.
///
/// It is carried out only if the event still has the show, as it was read.
pub(crate) fn count(event: &Event, show: Uuid, id: Uuid) -> Write {
    let number = id.as_fields().0 % FENCES;
    Write::update(keys::fence(event.id, number))
        .increase(COUNT, 1)
        .increase(&used(show), 1)
        .if_absent(CLOSED)
        .if_absent_or_less(EDIT, self::number(event.version + 1))
}

impl Fences {
    /// Reads all fences of an event.
    pub async fn read(table: &Table, event: Uuid) -> Result<Self, Error> {
        let keys: Vec<_> = (0..FENCES).map(|number| keys::fence(event, number)).collect();
        let items = table.read_batch(keys.iter().map(Key::attributes).collect(), true).await?;
        let numbers = |item: &Item| -> HashMap<_, _> {
            item.iter().filter_map(|(name, value)| Some((name.clone(), value.as_n().ok()?.parse().ok()?))).collect()
        };
        let fence = |key: &Key| items.iter().find(|item| item.get(PARTITION) == Some(&text(&key.partition)));
        Ok(Self { event, fences: keys.iter().map(|key| fence(key).map(numbers).unwrap_or_default()).collect() })
    }

    /// Returns whether a seat of a show was ever taken.
    pub fn know(&self, show: Uuid) -> bool {
        self.fences.iter().any(|fence| fence.contains_key(&used(show)))
    }

    /// Tells transactions that take seats that an edit has removed these shows.
    pub fn remove_shows(&self, shows: &[Uuid], edited: &Event, transaction: &mut Transaction) {
        let unchanged: Vec<_> = shows.iter().map(|show| used(*show)).collect();
        self.add(transaction, &unchanged, |write| write.set(EDIT, number(edited.version)));
    }

    /// Closes the event, whose items expire at a time since 1970.
    pub fn close(&self, expires: Duration, transaction: &mut Transaction) {
        let close = |write: Write| write.set(CLOSED, number(1)).set(EXPIRES, epoch_seconds(expires));
        self.add(transaction, &[COUNT.to_owned()], close);
    }

    /// Adds the changes of all fences, only if these of their numbers are unchanged.
    fn add(&self, transaction: &mut Transaction, unchanged: &[String], change: impl Fn(Write) -> Write) {
        for (number, fence) in (0..).zip(&self.fences) {
            let write = change(Write::update(keys::fence(self.event, number)));
            let write = unchanged.iter().fold(write, |write, name| match fence.get(name) {
                Some(count) => write.only_if(name, "=", self::number(count)),
                None => write.if_absent(name),
            });
            transaction.add(write, TransactionError::Lost);
        }
    }
}

/// Opens the fences of a deleted event again.
pub(crate) fn open(event: Uuid, transaction: &mut Transaction) {
    for fence in 0..FENCES {
        transaction.add_unconditional(Write::update(keys::fence(event, fence)).remove(CLOSED).remove(EXPIRES));
    }
}

/// Returns the attribute with the number of transactions that took seats of a show.
fn used(show: Uuid) -> String {
    format!("used {:x}", id::part_number(show))
}
