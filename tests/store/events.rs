//! Events in the table and posters in the bucket.

use std::{collections::HashSet, time::Duration};

use api::{
    json as http_json,
    registration::{CreateRequest, Draft},
};
use aws_sdk_s3::operation::list_objects_v2::ListObjectsV2Output;
use local::{BUCKET, layouts};
use serde_json::{Value, json};
use storage::{event::Events, table::Item};
use tests::{Api, form::Form, sample, stack};
use uuid::Uuid;

use crate::items::items_of;

fn events() -> Events {
    Events::new(tests::table())
}

fn id(created: &Value) -> Uuid {
    created["id"].as_str().unwrap().parse().unwrap()
}

async fn posters_of_size(bytes: usize) -> Vec<String> {
    let listed = stack().s3().list_objects_v2().bucket(BUCKET).into_paginator().send();
    let pages = listed.collect::<Result<Vec<_>, _>>().await.unwrap();
    pages
        .iter()
        .flat_map(ListObjectsV2Output::contents)
        .filter(|object| object.size() == i64::try_from(bytes).ok())
        .map(|object| object.key().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn arena_round_trips() {
    let api = Api::new();
    let arena = layouts::arena();
    let event = sample::with_hall(sample::event(), &arena);
    let created = api.create(&event).await.expect(201, "0").data();
    let ids: HashSet<_> = created["areas"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|area| area["seats"].as_array().unwrap())
        .map(|seat| seat["id"].as_str().unwrap())
        .collect();
    assert!(arena.seats() >= 10_000);
    assert_eq!(ids.len(), arena.seats());

    let sent: Draft = http_json::object::<CreateRequest>(event.to_string().as_bytes()).unwrap().try_into().unwrap();
    let (_, seats) = events().get_with_seats(id(&created)).await.unwrap();
    assert_eq!(seats, sent.seat_map);

    assert!(api.get("/api/v1/events").await.text().contains(created["id"].as_str().unwrap()));
    assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    assert!(!api.get("/api/v1/events").await.text().contains(created["id"].as_str().unwrap()));
}

#[tokio::test]
async fn event_has_expected_items() {
    let created = Api::new().create(&sample::event()).await.data();
    let mut kinds: Vec<_> =
        items_of(id(&created)).await.iter().map(|item| item["sk"].as_s().unwrap().clone()).collect();
    kinds.sort();
    assert_eq!(kinds, ["EVENT", "MAP#000", "SHOW#15"]);
}

#[tokio::test]
async fn deleted_event_is_kept_30_days() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    let chunk = |items: &[Item]| items.iter().find_map(|item| item.get("data").cloned()).unwrap();
    let seats = chunk(&items_of(id(&created)).await);
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let before = now();
    assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    let after = now();
    let items = items_of(id(&created)).await;
    assert_eq!(items.len(), 3, "the record, one chunk, and the expiry record of the poster");
    for item in &items {
        assert!(!item.contains_key("listing"));
        let expires: u64 = item["expiresAt"].as_n().unwrap().parse().unwrap();
        let kept = Duration::from_hours(30 * 24);
        assert!(((before + kept).as_secs()..=(after + kept).as_secs()).contains(&expires), "{expires}");
    }
    assert_eq!(chunk(&items), seats);
}

#[tokio::test]
async fn rejected_event_leaves_no_record() {
    let api = Api::new();
    let event = sample::event();
    let first = api.create(&event).await.expect(201, "0").data();
    let mut second = event.clone();
    // The second show is taken, the first is not: neither may be stored.
    second["eventDatetimes"] = json!([1_800_000_000, 1_745_730_000]);
    api.create(&second).await.expect(409, "E_001");

    let mut free = event.clone();
    free["eventDatetimes"] = json!([1_800_000_000]);
    let third = api.create(&free).await.expect(201, "0").data();

    let records = items_of(id(&first)).await.len() + items_of(id(&third)).await.len();
    assert_eq!(records, 2 * 3, "the record, one chunk and one lock item of each");
}

#[tokio::test]
async fn rejected_event_leaves_no_poster() {
    let api = Api::new();
    let event = sample::event();
    let first = api.create(&event).await.expect(201, "0").data();
    assert_eq!(
        posters_of_size(sample::POSTER.len())
            .await
            .iter()
            .filter(|key| key.contains(first["id"].as_str().unwrap()))
            .count(),
        1
    );

    // Bytes after the image, so that its size identifies this poster.
    let mut poster = sample::POSTER.to_vec();
    poster.resize(123_457, 0);
    let form = Form::new().part(sample::REQUEST, event.to_string()).part(sample::THUMBNAIL, poster.clone());
    api.create_with_form(&form).await.expect(409, "E_001");
    assert_eq!(posters_of_size(poster.len()).await, Vec::<String>::new());
}
