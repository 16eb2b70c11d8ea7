//! Items of the idempotency keys of holds, of sales of a box office, and of messages to buyers.

use std::time::Duration;

use domain::{error::Error, idempotency::Fingerprint};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    items::Items,
    keys::{EXPIRES, Key},
    table::{Item, from_item, number, to_item},
    write::Write,
};

/// Time for which a key returns the result of its first request.
const LIFETIME: Duration = Duration::from_hours(24);

/// Item of an idempotency key, which docs/data.md describes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestKeyRecord {
    fingerprint: String,
    /// Id of the hold, sale or message that the request made.
    made: Uuid,
    expires_at: u64,
}

/// Idempotency key of a request.
#[derive(Clone, Debug)]
pub(crate) struct RequestKey<'a> {
    /// Key of the item.
    pub key: Key,
    /// Hash of the request's content.
    pub fingerprint: &'a Fingerprint,
}

/// Returns the id of the hold, sale or message that an earlier request with the same key and content made, if these
/// items have one.
///
/// # Errors
///
/// Returns `KeyReused` if the key belongs to a request with other content.
pub(crate) fn earlier_result(
    items: &mut Items,
    key: Option<&RequestKey>,
    now: Duration,
) -> Result<Option<Uuid>, Error> {
    let Some(RequestKey { key, fingerprint }) = key else { return Ok(None) };
    let record = items.take(key).map(|item| RequestKeyRecord::read(item, now)).transpose()?.flatten();
    record.map(|record| record.result(fingerprint)).transpose()
}

impl RequestKeyRecord {
    pub fn new(fingerprint: &Fingerprint, made: Uuid, now: Duration) -> Self {
        let expires_at = (now + LIFETIME).as_secs();
        Self { fingerprint: fingerprint.as_str().to_owned(), made, expires_at }
    }

    /// Reads an item; `None` if it has expired.
    fn read(item: Item, now: Duration) -> Result<Option<Self>, Error> {
        let record: Self = from_item(item)?;
        Ok((now.as_secs() < record.expires_at).then_some(record))
    }

    /// Returns the result, if the request has the same content.
    fn result(&self, fingerprint: &Fingerprint) -> Result<Uuid, Error> {
        if self.fingerprint == fingerprint.as_str() { Ok(self.made) } else { Err(Error::KeyReused) }
    }

    /// Builds the write that stores the key, only if it is new or has expired.
    pub fn put(&self, key: Key, now: Duration) -> Result<Write, Error> {
        let put = Write::put(key, to_item(self)?);
        Ok(put.if_absent_or_less(EXPIRES, number(now.as_secs() + 1)))
    }
}
