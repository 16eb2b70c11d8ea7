//! Public keys of access tokens, for functions that only verify them.
//!
//! A function stores its public key before it issues the first token, so verifiers find it.

use std::str::FromStr;

use base64_simd::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;

use crate::{
    keys::{self, Key},
    table::{Item, Table, failure, from_item, to_item},
};
use domain::error::Error;

/// Number of the key that signs access tokens. To rotate the key, an operator raises it by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotation(pub u64);

/// Public key that verifies access tokens: a point of P-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// First coordinate, in base64url.
    pub x: String,
    /// Second coordinate, in base64url.
    pub y: String,
}

impl PublicKey {
    /// Returns the id of the key: its thumbprint (RFC 7638).
    #[must_use]
    pub fn id(&self) -> String {
        let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{}","y":"{}"}}"#, self.x, self.y);
        URL_SAFE_NO_PAD.encode_to_string(Sha256::digest(members))
    }
}

impl Rotation {
    /// Returns the rotations whose keys are valid: this one, the one before, whose tokens may not have expired, and the
    /// one after, since caches keep the public keys for an hour and functions are not updated at the same moment.
    pub fn valid(self) -> impl Iterator<Item = Self> {
        [Some(self.0), self.0.checked_sub(1), self.0.checked_add(1)].into_iter().flatten().map(Self)
    }
}

impl FromStr for Rotation {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        text.parse().map(Self).map_err(|_| "a number")
    }
}

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
        let put = async || put_key(&self.table, &keys::signing_key(rotation.0), key).await;
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
                None => match read_key(&self.table, &keys::signing_key(rotation.0)).await? {
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
}

/// Stores a public key.
pub(crate) async fn put_key(table: &Table, key: &Key, public: &PublicKey) -> Result<(), Error> {
    let mut item = to_item(&KeyRecord { x: public.x.clone(), y: public.y.clone() })?;
    item.extend(key.attributes());
    table.client.put_item().table_name(&table.name).set_item(Some(item)).send().await.map(drop).map_err(failure)
}

/// Reads a public key.
pub(crate) async fn read_key(table: &Table, key: &Key) -> Result<Option<PublicKey>, Error> {
    table.get(key).await?.map(key_of).transpose()
}

/// Reads a public key from its item.
pub(crate) fn key_of(item: Item) -> Result<PublicKey, Error> {
    let KeyRecord { x, y } = from_item(item)?;
    Ok(PublicKey { x, y })
}
