//! Items that are read by their keys, with as few calls as possible.

use std::collections::HashMap;

use domain::error::Error;

use crate::{
    keys::Key,
    table::{Item, MAX_READS, Table},
};

/// Items that were read, by their keys.
#[derive(Debug, Default)]
pub(crate) struct Items(HashMap<Key, Item>);

impl Items {
    /// Reads items, with one call for each hundred.
    pub async fn read(table: &Table, keys: impl IntoIterator<Item = Key>) -> Result<Self, Error> {
        let mut items = Self::default();
        let keys: Vec<_> = keys.into_iter().map(|key| key.attributes()).collect();
        for keys in keys.chunks(MAX_READS) {
            for item in table.read_batch(keys.to_vec(), true).await? {
                items.0.extend(Key::of(&item).map(|key| (key, item)));
            }
        }
        Ok(items)
    }

    /// Returns true if an item was read.
    pub fn contains(&self, key: &Key) -> bool {
        self.0.contains_key(key)
    }

    /// Removes and returns an item.
    pub fn take(&mut self, key: &Key) -> Option<Item> {
        self.0.remove(key)
    }
}
