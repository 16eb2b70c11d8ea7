//! Labels of the blocked seats of a show, all in one item.
//!
//! Every block with a label replaces the item, so two of them never add a label at the same time.

use std::collections::BTreeMap;

use domain::{error::Error, seats::blocking::Labels, text::Label};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    items::Items,
    keys,
    table::{from_item, to_item},
    write::Write,
};

/// Item with the labels of a show, which docs/data.md describes.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct BlockLabels {
    /// Number of blocks with a label.
    version: u64,
    labels: BTreeMap<Uuid, String>,
}

impl BlockLabels {
    /// Returns the labels of a show among these items; none, if no block ever had one.
    pub fn take(items: &mut Items, show: Uuid) -> Result<Self, Error> {
        items.take(&keys::block_labels(show)).map_or_else(|| Ok(Self::default()), from_item)
    }

    /// Returns the labels by the ids of their blocks.
    pub fn labels(&self) -> Labels {
        self.labels.iter().map(|(block, label)| (*block, Label::from_stored(label.clone()))).collect()
    }

    /// Builds the write that replaces the labels, if they are as they were read.
    pub fn replace(&self, show: Uuid, labels: &Labels) -> Result<Write, Error> {
        let labels = labels.iter().map(|(block, label)| (*block, label.as_str().to_owned())).collect();
        let write = Write::update(keys::block_labels(show)).if_version(self.version);
        let item = to_item(&Self { version: self.version + 1, labels })?;
        Ok(item.into_iter().fold(write, |write, (name, value)| write.set(&name, value)))
    }
}
