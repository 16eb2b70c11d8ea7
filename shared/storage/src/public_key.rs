//! Public keys of access tokens, for functions that only verify them.
//!
//! A function stores its public key before it issues the first token, so verifiers find it.

use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;

use crate::{
    keys,
    table::{Table, failure, from_item, to_item},
};
use domain::{
    error::Error,
    session::{PublicKey, Rotation},
};

/// Store of the public keys.
#[derive(Debug)]
pub struct PublicKeys {
    table: Table,
    /// Set when this process has stored its key.
    published: OnceCell<()>,
    /// The keys that this process has read, in the order of [`Rotation::valid`].
    known: [OnceCell<PublicKey>; 3],
}

/// Item of a key, which docs/data.md describes.
#[derive(Serialize, Deserialize)]
struct KeyRecord {
    x: String,
    y: String,
}

impl PublicKeys {
    /// Opens the keys in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table, published: OnceCell::new(), known: Default::default() }
    }

    /// Stores the key of a rotation, unless this process has stored it.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown; the next call tries again.
    pub async fn publish(&self, rotation: Rotation, key: &PublicKey) -> Result<(), Error> {
        let put = async || {
            let mut item = to_item(&KeyRecord { x: key.x.clone(), y: key.y.clone() })?;
            item.extend(keys::signing_key(rotation).attributes());
            let put = self.table.client.put_item().table_name(&self.table.name).set_item(Some(item));
            put.send().await.map(drop).map_err(failure)
        };
        self.published.get_or_try_init(put).await.copied()
    }

    /// Returns the key with an id, if it is valid at a rotation.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn find(&self, rotation: Rotation, id: &str) -> Result<Option<&PublicKey>, Error> {
        for (known, rotation) in self.known.iter().zip(rotation.valid()) {
            let key = match known.get() {
                Some(key) => key,
                None => match self.read(rotation).await? {
                    Some(key) => known.get_or_init(async || key).await,
                    None => continue,
                },
            };
            if key.id() == id {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }

    async fn read(&self, rotation: Rotation) -> Result<Option<PublicKey>, Error> {
        let Some(item) = self.table.get(&keys::signing_key(rotation)).await? else { return Ok(None) };
        let KeyRecord { x, y } = from_item(item)?;
        Ok(Some(PublicKey { x, y }))
    }
}
