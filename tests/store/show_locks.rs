//! Lock items of shows.

use std::collections::BTreeSet;

use api::{
    json as http_json,
    registration::{CreateRequest, Draft},
};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::{event::Event, instant::Instant, poster::Format};
use futures_util::future::join_all;
use local::TABLE;
use serde_json::Value;
use storage::{
    keys,
    show_locks::{LOCK_ITEMS, MIN_CAPACITY, ShowLocks, lock_item},
    table::Item,
};
use tests::{Api, sample, stack};
use uuid::Uuid;

use crate::items::{items_of, size};

/// Maximum size of an item of DynamoDB, in bytes.
const MAX_ITEM: usize = 400 * 1024;

/// Returns the first instant of each of this many consecutive months from January 2027.
fn months(count: usize) -> Vec<String> {
    (0..count).map(|month| format!("{}-{:02}-01T00:00:00Z", 2027 + month / 12, month % 12 + 1)).collect()
}

fn at(event: &Value, shows: impl Into<Value>) -> Value {
    let mut event = event.clone();
    event["eventDatetimes"] = shows.into();
    event
}

fn id(created: &Value) -> &str {
    created["id"].as_str().unwrap()
}

async fn lock_items(event: &Value) -> Vec<Item> {
    let mut items = items_of(id(event).parse().unwrap()).await;
    items.retain(|item| item["sk"].as_s().unwrap().starts_with("SHOW#"));
    items
}

#[test]
fn largest_move_fits_a_transaction() {
    let event_item = 1;
    let months = months(120).into_iter().map(|month| Instant::from_text(&month).unwrap());
    let items: BTreeSet<_> = months.map(lock_item).collect();
    assert_eq!(items.len(), LOCK_ITEMS as usize);
    // DynamoDB allows 100 writes in a transaction.
    assert!(event_item + 2 * items.len() <= 100);
}

#[tokio::test]
async fn shows_of_a_month_share_an_item() {
    let api = Api::new();
    let event =
        at(&sample::event(), ["2027-03-01T00:00:00Z", "2027-03-31T23:59:59.999999999Z", "2027-04-01T00:00:00Z"]);
    let created = api.create(&event).await.expect(201, "0").data();
    let mut items: Vec<_> = lock_items(&created).await.iter().map(Item::len).collect();
    items.sort_unstable();
    assert_eq!(items, [2 + 1, 2 + 2], "two attributes of the key, and the shows");
}

#[tokio::test]
async fn shows_in_60_months_are_locked() {
    let api = Api::new();
    let event = at(&sample::event(), months(60));
    let created = api.create(&event).await.expect(201, "0").data();
    assert_eq!(lock_items(&created).await.len(), 24);
    for month in months(60) {
        api.create(&at(&event, [month])).await.check(409, "E_001");
    }
    // Shares an item with two of them.
    let other = api.create(&at(&event, months(61).split_off(60))).await.expect(201, "0").data();
    assert_eq!(api.delete(id(&created)).await.status, 204);
    assert_eq!(lock_items(&created).await, Vec::<Item>::new());
    assert_eq!(lock_items(&other).await.len(), 1);
    api.create(&event).await.check(201, "0");
}

#[tokio::test]
async fn simultaneous_shows_of_a_month_are_registered() {
    let api = Api::new();
    let event = sample::event();
    let days = (1..=16).map(|day| at(&event, [format!("2027-05-{day:02}T10:00:00Z")])).collect::<Vec<_>>();
    for response in join_all(days.iter().map(|event| api.create(event))).await {
        response.check(201, "0");
    }
    for event in &days {
        api.create(event).await.check(409, "E_001");
    }
}

/// Returns the lock item of an event's shows, locked by another event.
fn lock_item_of(event: &Value) -> Item {
    let request = event.to_string();
    let draft: Draft = http_json::object::<CreateRequest>(request.as_bytes()).unwrap().try_into().unwrap();
    let locks = ShowLocks::new(&Event::register(Uuid::nil(), draft.details, &draft.shows, Format::Png));
    let mut item = keys::show_lock(locks.partition, lock_item(locks.shows[0])).attributes();
    let other = AttributeValue::S(Uuid::nil().to_string());
    item.extend(locks.shows.iter().map(|show| (show.to_string(), other.clone())));
    item
}

async fn put(item: Item) {
    stack().dynamodb().put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
}

/// Returns an instant in June 2027 with nine decimals, so that its attribute is as long as possible.
fn instant(number: usize) -> String {
    format!("2027-06-01T00:00:00.{:09}Z", 2 * number + 1)
}

/// Size of the longest attribute of a show.
const SIZE_OF_SHOW: usize = "2027-06-01T00:00:00.000000001Z".len() + uuid::fmt::Hyphenated::LENGTH;

#[tokio::test]
async fn full_lock_item_rejects_shows() {
    let api = Api::new();
    let event = sample::event();
    let mut lock = lock_item_of(&at(&event, [instant(0)]));
    let free = 2 * SIZE_OF_SHOW;
    let filler = MAX_ITEM - free - size(&lock) - "filler".len();
    lock.insert("filler".to_owned(), AttributeValue::S("x".repeat(filler)));
    put(lock).await;

    let two = at(&event, [instant(1), instant(2)]);
    let created = api.create(&two).await.expect(201, "0").data();
    // Months that are two years apart share an item.
    for other in ["2025-06-02T00:00:00Z", "2029-06-02T00:00:00Z"] {
        let rejected = api.create(&at(&event, [other])).await;
        rejected.check(409, "E_001");
        assert!(rejected.json()["message"].as_str().unwrap().contains("회차가 너무 많습니다"), "{}", rejected.text());
    }
    api.create(&at(&event, ["2027-07-01T00:00:00Z"])).await.check(201, "0");
    assert_eq!(api.delete(id(&created)).await.status, 204);
    api.create(&two).await.check(201, "0");
}

#[tokio::test]
async fn lock_item_holds_its_capacity() {
    let event = sample::event();
    let mut lock = lock_item_of(&at(&event, [instant(0)]));
    let other = lock[&instant(0)].clone();
    lock.extend((0..MIN_CAPACITY - 1).map(|number| (instant(number), other.clone())));
    put(lock).await;
    Api::new().create(&at(&event, [instant(MIN_CAPACITY)])).await.check(201, "0");
    // The documented number is close to the limit.
    const { assert!((MIN_CAPACITY + 10) * SIZE_OF_SHOW > MAX_ITEM) };
}
