//! Stored data, read without the functions.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, SystemTime},
};

use api::{
    json,
    registration::{CreateRequest, Draft},
};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_s3::operation::{head_object::HeadObjectError, list_objects_v2::ListObjectsV2Output};
use domain::{
    event::{Event, id_from_thumbnail},
    instant::Instant,
    member::Nickname,
    poster::Format,
};
use local::{BUCKET, Stack, TABLE};
use serde_json::Value;
use storage::{
    event::Events,
    keys::{self, Key},
    poster::PREFIX,
    poster_expiry::{ORPHAN_LIFETIME, REPLACED_POSTER_RETENTION},
    show_locks::{ShowLocks, lock_item},
    table::Item,
};
use tests::{Api, Backends, new_stack, sample};
use uuid::Uuid;

/// State of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Absent,
    Live,
    Deleted,
}

/// Stack of a test, with direct access to its storage.
pub struct Stored {
    stack: Stack,
    dynamodb: aws_sdk_dynamodb::Client,
    /// Client of S3.
    pub s3: aws_sdk_s3::Client,
    /// Client of the service.
    pub api: Api,
    /// Storage without faults.
    pub backends: Backends,
}

impl Stored {
    /// Starts an empty stack.
    pub async fn start() -> Self {
        let stack = new_stack().await;
        Self {
            dynamodb: stack.dynamodb(),
            s3: stack.s3(),
            api: Api::with_url(&stack.url()),
            backends: Backends::from_stack(&stack),
            stack,
        }
    }

    /// Returns the stack.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// Returns the item with this key.
    pub async fn item(&self, key: &Key) -> Option<Item> {
        let get = self.dynamodb.get_item().table_name(TABLE).consistent_read(true);
        get.set_key(Some(key.attributes())).send().await.unwrap().item
    }

    /// Returns the live event with this title, place and shows, after checking that it is complete.
    pub async fn registered(&self, event: &Event) -> Option<Uuid> {
        let mut owners = HashSet::new();
        let locks = ShowLocks::new(event);
        for show in &locks.shows {
            owners.insert(self.show_owner(&locks.partition, *show).await);
        }
        assert_eq!(owners.len(), 1, "several events own the shows: {owners:?}");
        let owner = owners.into_iter().next().unwrap();
        if let Some(event) = owner {
            assert_eq!(self.state(event).await, State::Live);
        }
        owner
    }

    /// Returns the state of an event, after checking that all its items have the same state.
    pub async fn state(&self, event: Uuid) -> State {
        let query = self.dynamodb.query().table_name(TABLE).consistent_read(true);
        let query = query.key_condition_expression("pk = :event");
        let partition = keys::event(event).attributes()["pk"].clone();
        let items = query.expression_attribute_values(":event", partition).send().await.unwrap();
        let items = items.items.unwrap();
        let Some((record, chunks)) = items.split_first() else { return State::Absent };
        assert_eq!(text(record, "sk"), "EVENT", "a seat map without its event");
        assert_eq!(record["chunks"].as_n().unwrap(), &chunks.len().to_string(), "an event without its seat map");
        let (stored, seats) = Events::new(self.backends.table.clone()).get_including_deleted(event).await.unwrap();
        assert!(!seats.areas().is_empty());

        let is_live = record.contains_key("listing");
        assert!(items.iter().all(|item| item.contains_key("expiresAt") != is_live), "only some items expire");
        let poster = self.item(&keys::poster(&stored.thumbnail)).await;
        let expiry = poster.map(|poster| poster["expiresAt"].clone());
        assert_eq!(expiry.as_ref(), record.get("expiresAt"), "its poster expires at another time");
        let locks = ShowLocks::new(&stored);
        for show in locks.shows {
            let owner = self.show_owner(&locks.partition, show).await;
            assert_eq!(owner == Some(event), is_live, "only a live event owns its shows");
        }
        if is_live { State::Live } else { State::Deleted }
    }

    /// Returns the event that owns a show of a title and place.
    async fn show_owner(&self, partition: &str, show: Instant) -> Option<Uuid> {
        let lock = self.item(&keys::show_lock(partition.to_owned(), lock_item(show))).await?;
        lock.contains_key(&show.to_string()).then(|| id(&lock, &show.to_string()))
    }

    /// Returns the file names of all posters in the bucket.
    async fn posters(&self) -> Vec<String> {
        let pages = self.s3.list_objects_v2().bucket(BUCKET).into_paginator().send();
        let pages = pages.collect::<Result<Vec<_>, _>>().await.unwrap();
        let keys = pages.iter().flat_map(ListObjectsV2Output::contents).map(|object| object.key().unwrap());
        keys.map(|key| key.strip_prefix(PREFIX).unwrap().to_owned()).collect()
    }

    /// Returns the posters that no live or deleted event has.
    async fn orphans(&self) -> Vec<String> {
        let mut orphans = Vec::new();
        for poster in self.posters().await {
            let event = self.item(&keys::event(id_from_thumbnail(&poster).unwrap())).await;
            if event.is_none_or(|record| text(&record, "thumbnail") != poster) {
                orphans.push(poster);
            }
        }
        orphans
    }

    /// Checks that orphans exist only if expected, and that all are removed after their lifetime.
    ///
    /// Only requests that store a poster may leave an orphan: that poster, or the one that it replaced.
    pub async fn sweep(&self, leaves_orphans: bool) {
        assert_eq!(!self.orphans().await.is_empty(), leaves_orphans, "orphans after the faults");
        let late = SystemTime::now() + ORPHAN_LIFETIME.max(REPLACED_POSTER_RETENTION) + Duration::from_secs(1);
        let swept = self.stack.sweep(late).await.unwrap();
        assert!(swept != 0 || !leaves_orphans);
        assert_eq!(self.orphans().await, Vec::<String>::new(), "orphans after the cleanup");
    }

    /// Returns true if the bucket has this poster.
    pub async fn has_poster(&self, thumbnail: &str) -> bool {
        has_poster(&self.s3, thumbnail).await
    }

    /// Makes a claim expire if it has no event.
    pub async fn expire_claim(&self, key: &str) {
        let Some(item) = self.item(&claim(key)).await else { return };
        if item.contains_key("event") {
            return;
        }
        let update = self.dynamodb.update_item().table_name(TABLE);
        let update = update.set_key(Some(claim(key).attributes())).update_expression("SET expiresAt = :past");
        update.expression_attribute_values(":past", AttributeValue::N("1".into())).send().await.unwrap();
    }

    /// Checks that no record in the table is incomplete, and that it has an item of this kind.
    pub async fn assert_consistent(&self, expected: Option<&str>) {
        let scan = self.dynamodb.scan().table_name(TABLE).consistent_read(true);
        let items = scan.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.unwrap();
        let mut kinds = HashMap::<_, Vec<_>>::new();
        for item in &items {
            let kind = text(item, "sk").split('#').next().unwrap().to_owned();
            kinds.entry(kind).or_default().push(item);
        }
        let items_of = |kind: &str| kinds.get(kind).cloned().unwrap_or_default();

        let mut live = HashMap::new();
        for record in items_of("EVENT") {
            let event = id(record, "id");
            assert!(self.has_poster(text(record, "thumbnail")).await, "no poster of {event}");
            if self.state(event).await == State::Live {
                let stored = Events::new(self.backends.table.clone()).get(event).await.unwrap();
                live.insert(event, ShowLocks::new(&stored));
            }
        }
        for chunk in items_of("MAP") {
            let event = text(chunk, "pk").strip_prefix("EVENT#").unwrap().parse().unwrap();
            assert_ne!(self.state(event).await, State::Absent, "{event}");
        }
        for lock in items_of("SHOW") {
            for show in lock.keys().filter(|name| !["pk", "sk"].contains(&name.as_str())) {
                let ShowLocks { partition, shows } = &live[&id(lock, show)];
                let is_current = shows.iter().any(|current| current.to_string() == *show);
                assert!(is_current && text(lock, "pk") == partition, "stale lock of {show} in {lock:?}");
            }
        }
        for claim in items_of("IDEMPOTENCY").into_iter().filter(|claim| claim.contains_key("event")) {
            assert_ne!(self.state(id(claim, "event")).await, State::Absent, "{claim:?}");
        }
        assert_members_complete(&items_of("EMAIL"), &items_of("MEMBER"), &items_of("NICKNAME"));
        assert!(expected.is_none_or(|kind| kinds.contains_key(kind)), "no {expected:?} in {:?}", kinds.keys());
    }
}

/// Checks that each member has a login item, a member item and the lock item of their nickname, and nobody else has.
pub fn assert_members_complete(logins: &[&Item], members: &[&Item], nicknames: &[&Item]) {
    let by_login: HashSet<_> = logins.iter().map(|login| (id(login, "id"), text(login, "email"))).collect();
    let by_id = members.iter().map(|member| {
        let id = text(member, "pk").strip_prefix("MEMBER#").unwrap().parse().unwrap();
        (id, text(member, "email"))
    });
    assert_eq!(by_login, by_id.collect());
    assert_eq!(by_login.len(), logins.len(), "a member with two addresses");
    let of_members = logins.iter().map(|login| {
        let nickname = Nickname::from_stored(text(login, "nickname").to_owned());
        (id(login, "id"), format!("NICKNAME#{}", nickname.canonical()))
    });
    let locks = nicknames.iter().map(|lock| (id(lock, "member"), text(lock, "pk").to_owned()));
    assert_eq!(of_members.collect::<HashSet<_>>(), locks.collect());
}

/// Returns true if the bucket of this client has a poster.
pub async fn has_poster(s3: &aws_sdk_s3::Client, thumbnail: &str) -> bool {
    let head = s3.head_object().bucket(BUCKET).key(format!("{PREFIX}{thumbnail}"));
    match head.send().await {
        Ok(_) => true,
        Err(error) => {
            assert!(error.as_service_error().is_some_and(HeadObjectError::is_not_found), "{error:?}");
            false
        }
    }
}

/// Returns a text attribute.
fn text<'a>(item: &'a Item, attribute: &str) -> &'a str {
    item[attribute].as_s().unwrap()
}

/// Returns the id in an attribute.
pub fn id(item: &Item, attribute: &str) -> Uuid {
    text(item, attribute).parse().unwrap()
}

/// Builds the event of a request, with another id than that of its registration.
pub fn event(request: &Value) -> Event {
    let body = request.to_string();
    let request: CreateRequest = json::object(body.as_bytes()).unwrap();
    let Draft { details, shows, .. } = request.try_into().unwrap();
    Event::register(Uuid::nil(), details, &shows, Format::Png)
}

/// Returns the key of the claim of an idempotency key.
pub fn claim(key: &str) -> Key {
    keys::idempotency(sample::MANAGER.parse().unwrap(), &key.parse().unwrap())
}
