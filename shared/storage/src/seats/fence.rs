//! Fences of an event: items by which a change of the event and a simultaneous transaction that takes seats notice
//! each other.
//!
//! A transaction that takes a seat counts in one of the fences, only if the event that it read is as new as the fence
//! says. A change after which seats of a show must not be taken as before raises all fences. If no seat may be taken,
//! it reads the fences first, then the states of the seats, and raises the fences only if no count has changed. There
//! are many, because transactions with the same item conflict.
//!
//! Fences stay as long as the event, and name all shows of which a seat was ever taken.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{error::Error, event::Event, id, show::Show};
use uuid::Uuid;

use crate::{
    items::Items,
    keys::{self, Key},
    table::{Table, number},
    transaction::{Transaction, TransactionError},
    write::Write,
};

/// Number of fences of an event.
///
/// DynamoDB allows 100 writes in a transaction. An edit that moves all shows has 25 others; a deletion has 14, and at
/// most 11 chunks of a seat map, since a transaction has at most 4 MB.
const FENCES: u32 = 72;

/// Attribute with the version of the event at the last change that raised the fences.
const RAISED_TO: &str = "edit";

/// Beginning of the attributes that count the transactions of a show.
const USED: &str = "used ";

/// Number of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence(u32);

impl Fence {
    /// Returns any fence.
    pub fn any() -> Self {
        Self(fastrand::u32(..FENCES))
    }
}

/// Fence of this process, unless it met another transaction there. Processes that keep theirs soon have different ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuietFence(Arc<Mutex<Option<Fence>>>);

impl QuietFence {
    /// Takes the fence, or any if there is none or a simultaneous request has it.
    pub fn take(&self) -> Fence {
        self.0.lock().ok().and_then(|mut fence| fence.take()).unwrap_or_else(Fence::any)
    }

    /// Puts a fence back that met no other transaction.
    pub fn put_back(&self, fence: Fence) {
        if let Ok(mut quiet) = self.0.lock() {
            *quiet = Some(fence);
        }
    }
}

/// Fences of an event, as they were read: their numbers by name.
#[derive(Debug)]
pub(crate) struct Fences(Vec<HashMap<String, u64>>);

/// Builds the write by which a transaction that takes seats of a show counts itself in a fence.
///
/// It is carried out only if no change has raised the fences since the event was read.
pub(crate) fn count(event: &Event, show: Uuid, fence: Fence) -> Write {
    Write::update(keys::fence(event.id, fence.0))
        .increase(&used(show), 1)
        .if_absent_or_less(RAISED_TO, number(event.version + 1))
}

/// Raises all fences of an event to its version.
pub(crate) fn raise(event: &Event, transaction: &mut Transaction) {
    (0..FENCES).for_each(|fence| transaction.add_unconditional(raised(event, fence)));
}

impl Fences {
    /// Returns the keys of all fences of an event.
    pub fn keys(event: Uuid) -> Vec<Key> {
        (0..FENCES).map(|number| keys::fence(event, number)).collect()
    }

    /// Reads all fences of an event.
    pub async fn read(table: &Table, event: Uuid) -> Result<Self, Error> {
        let mut items = Items::read(table, Self::keys(event)).await?;
        let number = |(name, value): (String, AttributeValue)| Some((name, value.as_n().ok()?.parse().ok()?));
        let fence = |key| items.take(&key).unwrap_or_default().into_iter().filter_map(number).collect();
        Ok(Self(Self::keys(event).into_iter().map(fence).collect()))
    }

    /// Returns true if a seat of a show was ever taken.
    pub fn know(&self, show: Uuid) -> bool {
        self.0.iter().any(|fence| fence.contains_key(&used(show)))
    }

    /// Returns the ids of all shows of an event of which a seat was ever taken, also of those that it no longer has.
    pub fn shows(&self, event: Uuid) -> BTreeSet<Uuid> {
        let names = self.0.iter().flat_map(HashMap::keys);
        let numbers = names.filter_map(|name| u32::from_str_radix(name.strip_prefix(USED)?, 16).ok());
        numbers.map(|number| id::part(event, number)).collect()
    }

    /// Raises all fences of the event, only if no seat of these shows was taken since the read.
    pub fn raise_if_unused(&self, event: &Event, shows: &[Show], transaction: &mut Transaction) {
        let unchanged: Vec<_> = shows.iter().map(|show| used(show.id)).collect();
        for (number, fence) in (0..).zip(&self.0) {
            let write = raised(event, number);
            let write = unchanged.iter().fold(write, |write, name| match fence.get(name) {
                Some(count) => write.only_if(name, "=", self::number(count)),
                None => write.if_absent(name),
            });
            transaction.add(write, TransactionError::Lost);
        }
    }
}

fn raised(event: &Event, fence: u32) -> Write {
    Write::update(keys::fence(event.id, fence)).set(RAISED_TO, number(event.version))
}

/// Returns the attribute with the number of transactions that took seats of a show.
fn used(show: Uuid) -> String {
    format!("{USED}{:x}", id::part_number(show))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_fence_is_used_by_one_request_at_a_time() {
        let fence = QuietFence::default();
        fence.put_back(Fence(FENCES));
        assert_eq!(fence.take(), Fence(FENCES));
        assert_ne!(fence.take(), Fence(FENCES));
    }
}
