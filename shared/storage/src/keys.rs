//! The keys of the table; docs/table.md draws them.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use base64_simd::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use domain::{client_address::ClientAddress, idempotency::IdempotencyKey};

/// The partition key attribute.
pub const PARTITION: &str = "pk";
/// The sort key attribute.
pub const SORT: &str = "sk";
/// The time-to-live attribute, in epoch seconds.
pub const EXPIRES: &str = "expiresAt";
/// The index of live events, newest first, and its partition key attribute.
///
/// The index is sparse: only an item that has the attribute is in it.
pub const LISTING: &str = "listing";
/// The sort key attribute of the index.
pub const LISTING_SORT: &str = "id";
/// The one value of the index's partition key.
pub const LIVE: &str = "LIVE";
/// What callers see of an event, as JSON; the index has nothing else of it.
pub const SUMMARY: &str = "summary";
/// What the sort keys of an event's seat map chunks begin with.
pub const CHUNK_PREFIX: &str = "MAP#";
/// What the partition keys of posters' records begin with; template.yaml has it in a filter.
pub const POSTER_PREFIX: &str = "POSTER#";

/// An item's primary key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub(super) partition: String,
    pub(super) sort: String,
}

impl Key {
    /// Whether an item has the key.
    pub(super) fn matches(&self, item: &HashMap<String, AttributeValue>) -> bool {
        let holds = |name: &str, value: &str| {
            item.get(name).is_some_and(|held| held.as_s().is_ok_and(|held| held == value))
        };
        holds(PARTITION, &self.partition) && holds(SORT, &self.sort)
    }

    /// The key as the attributes of an item.
    #[must_use]
    pub fn attributes(&self) -> HashMap<String, AttributeValue> {
        HashMap::from([
            (PARTITION.to_owned(), AttributeValue::S(self.partition.clone())),
            (SORT.to_owned(), AttributeValue::S(self.sort.clone())),
        ])
    }
}

/// The record of a member.
#[must_use]
pub fn member(id: Uuid) -> Key {
    key(format!("MEMBER#{id}"), "MEMBER")
}

/// What a login needs, and the lock on an e-mail address.
#[must_use]
pub fn email(folded: &str) -> Key {
    key(format!("EMAIL#{folded}"), "EMAIL")
}

/// The counter of failed logins with an e-mail address from anywhere.
#[must_use]
pub fn login_failures(folded: &str) -> Key {
    key(format!("EMAIL#{folded}"), "FAILURES")
}

/// The counter of failed logins with an e-mail address from one client.
#[must_use]
pub fn client_login_failures(folded: &str, client: ClientAddress) -> Key {
    key(format!("EMAIL#{folded}"), format!("FAILURES#{client}"))
}

/// The lock on a nickname.
#[must_use]
pub fn nickname(folded: &str) -> Key {
    key(format!("NICKNAME#{folded}"), "NICKNAME")
}

/// The record of an event.
#[must_use]
pub fn event(id: Uuid) -> Key {
    key(format!("EVENT#{id}"), "EVENT")
}

/// The `index`-th chunk of an event's seat map.
#[must_use]
pub fn chunk(event: Uuid, index: usize) -> Key {
    key(format!("EVENT#{event}"), format!("{CHUNK_PREFIX}{index:03}"))
}

/// The record by which a poster expires.
#[must_use]
pub fn poster(thumbnail: &str) -> Key {
    key(format!("{POSTER_PREFIX}{thumbnail}"), "POSTER")
}

/// The file name of the poster whose record has this partition key; none where it is of another item.
#[must_use]
pub fn thumbnail(partition: &str) -> Option<&str> {
    partition.strip_prefix(POSTER_PREFIX)
}

/// What is known of a manager's requests with an idempotency key.
#[must_use]
pub fn idempotency(manager: Uuid, key: &IdempotencyKey) -> Key {
    self::key(format!("IDEMPOTENCY#{manager}#{}", key.as_str()), "IDEMPOTENCY")
}

/// The lock on a title and place at an instant.
#[must_use]
pub fn show(claim: &[String; 3]) -> Key {
    // No part holds a line break, so no two claims join to the same text.
    let digest = URL_SAFE_NO_PAD.encode_to_string(Sha256::digest(claim.join("\n")));
    show_from_partition(format!("SHOW#{digest}"))
}

/// The lock on a show that has this partition key.
#[must_use]
pub fn show_from_partition(partition: String) -> Key {
    key(partition, "SHOW")
}

fn key(partition: String, sort: impl Into<String>) -> Key {
    Key { partition, sort: sort.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_matches_both_attributes() {
        let (id, other) = (Uuid::now_v7(), Uuid::now_v7());
        let item = event(id).attributes();
        assert!(event(id).matches(&item));
        assert!(!chunk(id, 0).matches(&item));
        assert!(!event(other).matches(&item));
        assert!(!event(id).matches(&HashMap::new()));
    }
}
