//! Keys of the table, described in docs/data.md.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use base64_simd::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use domain::{
    client_address::ClientAddress, email::Email, idempotency::IdempotencyKey, mail::MailKind, member::Nickname,
    show::ShowId,
};

/// Partition key attribute.
pub const PARTITION: &str = "pk";
/// Sort key attribute.
pub const SORT: &str = "sk";
/// Time-to-live attribute, in epoch seconds.
pub const EXPIRES: &str = "expiresAt";
/// Index of live events, newest first, and its partition key attribute.
///
/// The index is sparse: it contains only items with this attribute.
pub const LISTING: &str = "listing";
/// Sort key attribute of the index.
pub const LISTING_SORT: &str = "id";
/// Only value of the index's partition key.
pub const LIVE: &str = "LIVE";
/// Index of all events of each manager, also drafts and deleted ones, newest first, and its partition key attribute.
///
/// Its sort key is that of the index of live events.
pub const MANAGER: &str = "manager";
/// Number of changes of an item, for optimistic locking. That of an event is 0 at first, and also counts its deletions.
pub const VERSION: &str = "version";
/// Index of live events that copies only the attributes that a search compares.
///
/// Its partition key is that of the index of live events. It has no sort key, which would cost read units.
pub const SEARCH: &str = "search";
/// Attributes that the index of searches copies.
pub const SEARCHED: [&str; 8] =
    ["title", "artist", "place", "genre", "ticketingOpenTime", "ticketingCloseMinutes", "showTimes", "showStatuses"];
/// Prefix of the sort keys of seat map chunks.
pub const CHUNK_PREFIX: &str = "MAP#";
/// Prefix of the partition keys of expiry records, also in template.yaml.
pub const POSTER_PREFIX: &str = "POSTER#";

/// Primary key of an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub(super) partition: String,
    pub(super) sort: String,
}

impl Key {
    /// Returns the key of an item.
    pub(crate) fn of(item: &HashMap<String, AttributeValue>) -> Option<Self> {
        let text = |name| Some(item.get(name)?.as_s().ok()?.clone());
        Some(Self { partition: text(PARTITION)?, sort: text(SORT)? })
    }

    /// Returns the key as item attributes.
    #[must_use]
    pub fn attributes(&self) -> HashMap<String, AttributeValue> {
        HashMap::from([
            (PARTITION.to_owned(), AttributeValue::S(self.partition.clone())),
            (SORT.to_owned(), AttributeValue::S(self.sort.clone())),
        ])
    }
}

/// Key of a member.
#[must_use]
pub fn member(id: Uuid) -> Key {
    key(format!("MEMBER#{id}"), "MEMBER")
}

/// Key of a session.
#[must_use]
pub fn session(id: Uuid) -> Key {
    key(format!("SESSION#{id}"), "SESSION")
}

/// Key of the public key that verifies the access tokens of a rotation.
#[must_use]
pub fn signing_key(rotation: u64) -> Key {
    key(format!("SIGNING_KEY#{rotation}"), "SIGNING_KEY")
}

/// Key of the public key that verifies the codes of tickets.
#[must_use]
pub fn ticket_key() -> Key {
    key("TICKET_KEY#1".to_owned(), "TICKET_KEY")
}

/// Sort key of login items, also in template.yaml.
pub const LOGIN_SORT: &str = "EMAIL";

/// Key of the login item of an e-mail address, which is also its lock item.
#[must_use]
pub fn login(email: &Email) -> Key {
    key(email_partition(email), LOGIN_SORT)
}

/// Key of the failed password checks of an e-mail address.
#[must_use]
pub fn login_failures(email: &Email) -> Key {
    key(email_partition(email), "FAILURES")
}

/// Key of the mails of a kind that were sent to an e-mail address.
#[must_use]
pub fn mails_to(email: &Email, kind: MailKind) -> Key {
    let sort = match kind {
        MailKind::PasswordReset => "RESETS",
        MailKind::EmailVerification => "VERIFICATIONS",
    };
    key(email_partition(email), sort)
}

/// Key of the mails that a client address caused.
#[must_use]
pub fn mails_from(client: &ClientAddress) -> Key {
    key(format!("CLIENT#{client}"), "MAILS")
}

fn email_partition(email: &Email) -> String {
    format!("EMAIL#{}", email.canonical())
}

/// Key of the lock item of a nickname.
#[must_use]
pub fn nickname(nickname: &Nickname) -> Key {
    key(format!("NICKNAME#{}", nickname.canonical()), "NICKNAME")
}

/// Sort key of the records of events, also in template.yaml.
pub const EVENT_SORT: &str = "EVENT";
/// Prefix of the partition keys of events, also in template.yaml.
pub const EVENT_PREFIX: &str = "EVENT#";

/// Key of an event.
#[must_use]
pub fn event(id: Uuid) -> Key {
    key(format!("{EVENT_PREFIX}{id}"), EVENT_SORT)
}

/// Returns the id of the event with this partition key.
#[must_use]
pub fn event_id(partition: &str) -> Option<Uuid> {
    partition.strip_prefix(EVENT_PREFIX)?.parse().ok()
}

/// Key of the `index`-th chunk of an event's seat map.
#[must_use]
pub fn chunk(event: Uuid, index: usize) -> Key {
    key(format!("{EVENT_PREFIX}{event}"), format!("{CHUNK_PREFIX}{index:03}"))
}

/// Key of the gates of a show.
#[must_use]
pub fn gates(show: ShowId) -> Key {
    key(gates_partition(show.event), format!("GATES#{}", show.show))
}

/// Partition key of the gates of all shows of an event.
#[must_use]
pub fn gates_partition(event: Uuid) -> String {
    format!("GATES#{event}")
}

/// Key of the expiry record of a poster.
#[must_use]
pub fn poster(thumbnail: &str) -> Key {
    key(format!("{POSTER_PREFIX}{thumbnail}"), "POSTER")
}

/// Returns the poster's file name if this is the partition key of an expiry record.
#[must_use]
pub fn thumbnail(partition: &str) -> Option<&str> {
    partition.strip_prefix(POSTER_PREFIX)
}

/// Key of the item for a manager's idempotency key, for registrations.
#[must_use]
pub fn idempotency(manager: Uuid, key: &IdempotencyKey) -> Key {
    self::key(format!("IDEMPOTENCY#{manager}#{}", key.as_str()), "IDEMPOTENCY")
}

/// Key of the item for a manager's idempotency key, for copies of an event.
#[must_use]
pub fn copy_idempotency(manager: Uuid, original: Uuid, key: &IdempotencyKey) -> Key {
    // A key has no spaces, so that of a registration has another partition key.
    self::key(format!("IDEMPOTENCY#{manager}#copy {original} {}", key.as_str()), "IDEMPOTENCY")
}

/// Key of the item for an idempotency key of a member, for holds of a show.
#[must_use]
pub fn hold_idempotency(member: Uuid, show: Uuid, key: &IdempotencyKey) -> Key {
    // A manager's key has another sort key, and may have the same partition key.
    self::key(format!("IDEMPOTENCY#{member}#{show}#{}", key.as_str()), "HOLD_KEY")
}

/// Key of the item for an idempotency key of a box office, for sales of a show.
#[must_use]
pub fn sale_idempotency(seller: Uuid, show: Uuid, key: &IdempotencyKey) -> Key {
    self::key(format!("IDEMPOTENCY#{seller}#{show}#{}", key.as_str()), "SALE_KEY")
}

/// Prefix of the partition keys of holds.
const HOLD_PREFIX: &str = "HOLD#";
/// Sort key of holds, also in template.yaml.
pub const HOLD_SORT: &str = "HOLD";

/// Key of a hold.
#[must_use]
pub fn hold(id: Uuid) -> Key {
    key(format!("{HOLD_PREFIX}{id}"), HOLD_SORT)
}

/// Returns the id of the hold with this partition key.
#[must_use]
pub fn hold_id(partition: &str) -> Option<Uuid> {
    partition.strip_prefix(HOLD_PREFIX)?.parse().ok()
}

/// Key of the seats of a show that a member has.
///
/// It contains a hash instead of the member's id, because it is kept longer than a withdrawn member.
#[must_use]
pub fn holder(show: Uuid, member: Uuid) -> Key {
    key(holder_partition(member), format!("{HOLDER_PREFIX}{show}"))
}

/// Partition key of the seats of all shows that a member has.
#[must_use]
pub fn holder_partition(member: Uuid) -> String {
    format!("{HOLDER_PREFIX}{}", member_hash(member))
}

fn member_hash(member: Uuid) -> String {
    URL_SAFE_NO_PAD.encode_to_string(Sha256::digest(member))
}

/// Prefix of the keys of the seats of a show that a member has.
const HOLDER_PREFIX: &str = "HOLDER#";

/// Key of the item for a manager's idempotency key, for messages to the buyers of a show.
#[must_use]
pub fn message_idempotency(manager: Uuid, show: Uuid, key: &IdempotencyKey) -> Key {
    self::key(format!("IDEMPOTENCY#{manager}#{show}#{}", key.as_str()), "MESSAGE_KEY")
}

/// Prefix of the partition keys of the notices to buyers of events.
pub const NOTICES_PREFIX: &str = "NOTICES#";

/// Partition key of the notices to the buyers of an event.
#[must_use]
pub fn notices_partition(event: Uuid) -> String {
    format!("{NOTICES_PREFIX}{event}")
}

/// Prefix of the sort keys of notices.
pub const NOTICE_PREFIX: &str = "NOTICE#";

/// Key of a notice to buyers.
#[must_use]
pub fn notice(event: Uuid, notice: Uuid) -> Key {
    key(notices_partition(event), notice_sort(notice))
}

/// Sort key of a notice to buyers.
#[must_use]
pub fn notice_sort(notice: Uuid) -> String {
    format!("{NOTICE_PREFIX}{notice}")
}

/// Returns the ids of the event and of the notice with this key, if it is one of a notice.
#[must_use]
pub fn notice_ids(partition: &str, sort: &str) -> Option<[Uuid; 2]> {
    let event = partition.strip_prefix(NOTICES_PREFIX)?.parse().ok()?;
    Some([event, sort.strip_prefix(NOTICE_PREFIX)?.parse().ok()?])
}

/// Key of the times of the last messages to the buyers of a show.
#[must_use]
pub fn messages(show: ShowId) -> Key {
    key(notices_partition(show.event), format!("MESSAGES#{}", show.show))
}

/// Key of the progress of sending a notice to the buyers of a show.
#[must_use]
pub fn progress(notice: Uuid, show: ShowId) -> Key {
    key(notices_partition(show.event), format!("PROGRESS#{notice}#{}", show.show))
}

/// Key of the claim that a member had their turn for a notice about a show.
///
/// It contains a hash instead of the member's id, because it may be kept longer than a withdrawn member.
#[must_use]
pub fn told(notice: Uuid, show: Uuid, member: Uuid) -> Key {
    key(format!("TOLD#{notice}#{show}"), format!("MEMBER#{}", member_hash(member)))
}

/// Key of one of the fences of an event.
#[must_use]
pub fn fence(event: Uuid, number: u32) -> Key {
    key(format!("FENCE#{event}#{number:02}"), "FENCE")
}

/// Number of seats whose states are in one item.
///
/// An item of 64 takes at most 1.5 KB, so a write of it in a transaction takes four units. `docs/data.md` has the
/// simulation of conflicts from which it was chosen.
pub const SEATS_OF_ITEM: u32 = 64;

/// Number of seats whose items have the same partition key.
///
/// A partition accepts 1,000 write units a second, so the seats of a large hall must be in several.
pub const SEATS_OF_PARTITION: u32 = 2_048;

/// Prefix of the keys of the states of seats, also in template.yaml.
pub const SEATS_PREFIX: &str = "SEATS#";

/// Key of the states of the seats of a show in the item with this number.
#[must_use]
pub fn seat_states(show: Uuid, item: u32) -> Key {
    let partition = item * SEATS_OF_ITEM / SEATS_OF_PARTITION;
    key(format!("{SEATS_PREFIX}{show}#{partition:02}"), format!("{SEATS_PREFIX}{item:04}"))
}

/// Key of the labels of the blocked seats of a show.
#[must_use]
pub fn block_labels(show: Uuid) -> Key {
    key(format!("{SEATS_PREFIX}{show}"), "LABELS")
}

/// Returns the id of the show whose seats have their states in items with this partition key.
#[must_use]
pub fn show_of_states(partition: &str) -> Option<Uuid> {
    partition.strip_prefix(SEATS_PREFIX)?.split_once('#')?.0.parse().ok()
}

/// Returns the number of the first seat whose state is in the item with this sort key.
#[must_use]
pub fn first_seat(sort: &str) -> Option<u32> {
    let number: u32 = sort.strip_prefix(SEATS_PREFIX)?.parse().ok()?;
    Some(number * SEATS_OF_ITEM)
}

/// Partition key of the lock items of a title and place.
#[must_use]
pub fn show_locks(unique_name: &[String; 2]) -> String {
    // Neither part contains a line break, so different names give different texts.
    let digest = URL_SAFE_NO_PAD.encode_to_string(Sha256::digest(unique_name.join("\n")));
    format!("SHOW#{digest}")
}

/// Key of a lock item of a title and place, by its number.
#[must_use]
pub fn show_lock(partition: String, number: u32) -> Key {
    key(partition, format!("SHOW#{number:02}"))
}

fn key(partition: String, sort: impl Into<String>) -> Key {
    Key { partition, sort: sort.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_key_has_id() {
        let id = Uuid::now_v7();
        assert_eq!(event_id(&event(id).partition), Some(id));
        assert_eq!(event_id(&member(id).partition), None);
        assert_eq!(event_id("EVENT#"), None);
    }
}
