//! What is stored, read past the functions.

use api::event::Draft;
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, SystemTime},
};

use api::{event::CreateRequest, json};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_s3::operation::{head_object::HeadObjectError, list_objects_v2::ListObjectsV2Output};
use domain::event::{Details, id_from_thumbnail};
use local::{BUCKET, Stack, TABLE};
use serde_json::Value;
use storage::{
    event::Events,
    keys::{self, Key},
    poster::PREFIX,
    poster_expiry::ORPHAN_LIFETIME,
    table::Item,
};
use tests::{Api, Backends, new_stack, sample};
use uuid::Uuid;

/// What has become of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Absent,
    Live,
    Deleted,
}

/// Stack of a test, read past the functions.
pub struct Stored {
    stack: Stack,
    dynamodb: aws_sdk_dynamodb::Client,
    /// A client of its S3.
    pub s3: aws_sdk_s3::Client,
    /// A caller of its API.
    pub api: Api,
    /// Its storage, unbroken.
    pub backends: Backends,
}

impl Stored {
    /// Starts a stack in which nothing is stored.
    pub async fn start() -> Self {
        let stack = new_stack().await;
        Self {
            dynamodb: stack.dynamodb(),
            s3: stack.s3(),
            api: Api::at(&stack.url()),
            backends: Backends::of(&stack),
            stack,
        }
    }

    /// Returns the stack.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// The item under a key.
    pub async fn item(&self, key: &Key) -> Option<Item> {
        let get = self.dynamodb.get_item().table_name(TABLE).consistent_read(true);
        get.set_key(Some(key.attributes())).send().await.unwrap().item
    }

    /// The live event that has this title, place and dates, having checked that it has all of them and is whole.
    pub async fn registered(&self, details: &Details) -> Option<Uuid> {
        let mut owners = HashSet::new();
        for claim in details.unique_keys() {
            owners.insert(self.item(&keys::show(&claim)).await.map(|lock| id(&lock, "event")));
        }
        assert_eq!(owners.len(), 1, "all the dates are one event's, or nobody's: {owners:?}");
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
        assert_eq!(text(record, "sk"), "EVENT", "a map has its event");
        assert_eq!(record["chunks"].as_n().unwrap(), &chunks.len().to_string(), "an event has its map");
        let (_, seats) = Events::new(self.backends.table.clone()).get_including_deleted(event).await.unwrap();
        assert!(!seats.areas().is_empty());

        let is_live = record.contains_key("listing");
        assert!(
            items.iter().all(|item| item.contains_key("expiresAt") != is_live),
            "all expires, or nothing"
        );
        let poster = self.item(&keys::poster(&thumbnail(record))).await;
        let expiry = poster.map(|poster| poster["expiresAt"].clone());
        assert_eq!(expiry.as_ref(), record.get("expiresAt"), "its poster expires when it does");
        for lock in record["locks"].as_l().unwrap() {
            let owner = self
                .item(&keys::show_from_partition(lock.as_s().unwrap().clone()))
                .await
                .map(|lock| id(&lock, "event"));
            assert_eq!(
                owner == Some(event),
                is_live,
                "a live event has its dates, and a deleted one has none"
            );
        }
        if is_live { State::Live } else { State::Deleted }
    }

    /// The file names of all posters in the bucket.
    async fn posters(&self) -> Vec<String> {
        let pages = self.s3.list_objects_v2().bucket(BUCKET).into_paginator().send();
        let pages = pages.collect::<Result<Vec<_>, _>>().await.unwrap();
        let keys = pages.iter().flat_map(ListObjectsV2Output::contents).map(|object| object.key().unwrap());
        keys.map(|key| key.strip_prefix(PREFIX).unwrap().to_owned()).collect()
    }

    /// The posters that belong to no event, live or deleted.
    async fn orphans(&self) -> Vec<String> {
        let mut orphans = Vec::new();
        for thumbnail in self.posters().await {
            if self.state(id_from_thumbnail(&thumbnail).unwrap()).await == State::Absent {
                orphans.push(thumbnail);
            }
        }
        orphans
    }

    /// Lets the time pass in which posters wait for their events, and removes what has expired then.
    ///
    /// Some requests that put a poster leave an orphan, and no others do.
    pub async fn sweep(&self, leaves_orphans: bool) {
        assert_eq!(
            !self.orphans().await.is_empty(),
            leaves_orphans,
            "some of what was broken leaves a poster"
        );
        let late = SystemTime::now() + ORPHAN_LIFETIME + Duration::from_secs(1);
        let swept = self.stack.sweep(late).await.unwrap();
        assert!(swept != 0 || !leaves_orphans);
        assert_eq!(self.orphans().await, Vec::<String>::new(), "a poster belongs to an event");
    }

    /// Reports whether a poster is in the bucket.
    pub async fn has_poster(&self, thumbnail: &str) -> bool {
        has_poster(&self.s3, thumbnail).await
    }

    /// Lets the time pass after which a claim lapses, where it holds and nothing came of it.
    pub async fn lapse(&self, key: &str) {
        let Some(found) = self.item(&claim(key)).await else { return };
        if found.contains_key("event") {
            return;
        }
        let update = self.dynamodb.update_item().table_name(TABLE);
        let update = update.set_key(Some(claim(key).attributes())).update_expression("SET expiresAt = :past");
        update.expression_attribute_values(":past", AttributeValue::N("1".into())).send().await.unwrap();
    }

    /// Checks, over the whole table, that nothing is there without what belongs to it, and that an item of
    /// a kind is there.
    pub async fn assert_nothing_is_partial(&self, with: Option<&str>) {
        let scan = self.dynamodb.scan().table_name(TABLE).consistent_read(true);
        let items = scan.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.unwrap();
        let mut kinds = HashMap::<_, Vec<_>>::new();
        for item in &items {
            let kind = text(item, "sk").split('#').next().unwrap().to_owned();
            kinds.entry(kind).or_default().push(item);
        }
        let of = |kind: &str| kinds.get(kind).cloned().unwrap_or_default();

        let mut live = HashSet::new();
        for record in of("EVENT") {
            let event = id(record, "id");
            assert!(self.has_poster(&thumbnail(record)).await, "{event} has its poster");
            if self.state(event).await == State::Live {
                live.insert(event);
            }
        }
        for chunk in of("MAP") {
            let event = text(chunk, "pk").strip_prefix("EVENT#").unwrap().parse().unwrap();
            assert_ne!(self.state(event).await, State::Absent, "{event}");
        }
        for lock in of("SHOW") {
            assert!(live.contains(&id(lock, "event")), "{lock:?}");
        }
        for claim in of("IDEMPOTENCY").into_iter().filter(|claim| claim.contains_key("event")) {
            assert_ne!(self.state(id(claim, "event")).await, State::Absent, "{claim:?}");
        }
        let members =
            |kind, attribute| of(kind).into_iter().map(|item| id(item, attribute)).collect::<HashSet<_>>();
        assert_eq!(members("EMAIL", "id"), members("MEMBER", "id"));
        assert_eq!(members("NICKNAME", "member"), members("MEMBER", "id"));
        assert!(with.is_none_or(|kind| kinds.contains_key(kind)), "no {with:?} in {:?}", kinds.keys());
    }
}

/// Reports whether a poster is in the bucket of a client.
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

/// The text of an attribute.
fn text<'a>(item: &'a Item, attribute: &str) -> &'a str {
    item[attribute].as_s().unwrap()
}

/// The id in an attribute.
pub fn id(item: &Item, attribute: &str) -> Uuid {
    text(item, attribute).parse().unwrap()
}

/// Returns the details of an event, as its request is parsed.
pub fn details(event: &Value) -> Details {
    let body = event.to_string();
    let request: CreateRequest = json::object(body.as_bytes()).unwrap();
    let Draft { details, .. } = request.try_into().unwrap();
    details
}

/// The file name of the poster of an event's record.
fn thumbnail(record: &Item) -> String {
    let summary: Value = serde_json::from_str(text(record, "summary")).unwrap();
    summary["thumbnail"].as_str().unwrap().to_owned()
}

/// Returns the key of the record of a request with this idempotency key.
pub fn claim(key: &str) -> Key {
    keys::idempotency(sample::MANAGER.parse().unwrap(), &key.parse().unwrap())
}
