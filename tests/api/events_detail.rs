//! `GET /api/v1/events/{eventId}/detail`

use local::layouts;
use serde_json::{Value, json};
use tests::{Api, Response, sample};

use crate::conditional;

async fn detail(api: &Api, created: &Value) -> Response {
    api.get(&path(created)).await
}

fn path(created: &Value) -> String {
    format!("/api/v1/events/{}/detail", created["id"].as_str().unwrap())
}

#[tokio::test]
async fn detail_equals_creation_response() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0");
    let response = detail(&api, &created.data()).await.expect(200, "0");
    assert_eq!(response.header("Content-Type"), "application/json");
    let data = |response: &Response| response.text().split_once(r#","data":"#).unwrap().1.to_owned();
    assert_eq!(data(&response), data(&created), "same bytes");
}

#[tokio::test]
async fn ten_thousand_seats_keep_their_ids() {
    let api = Api::new();
    let arena = layouts::arena();
    assert!(arena.seats() >= 10_000);
    let created = api.create(&sample::with_hall(sample::event(), &arena)).await.expect(201, "0").data();
    assert_eq!(detail(&api, &created).await.expect(200, "0").data(), created);
}

#[tokio::test]
async fn longest_numbers_are_returned() {
    let api = Api::new();
    let mut event = sample::event();
    // No valid coordinate has a longer text.
    let coordinate = -f64::MIN_POSITIVE;
    let seat =
        |index: u32| json!({"cx": coordinate, "cy": coordinate, "row": 2_147_483_647, "number": 2_147_483_647 - index});
    event["areas"][0]["seats"] = (0..25_000).map(seat).collect();
    event["areas"][1]["seats"] = json!([]);
    let created = api.create(&event).await.expect(201, "0");
    let response = detail(&api, &created.data()).await.expect(200, "0");
    assert!(created.text().contains("-2.2250738585072014e-308"));
    assert!(response.data() == created.data());
}

#[tokio::test]
async fn event_without_seats_is_returned() {
    let api = Api::new();
    let mut event = sample::event();
    for area in event["areas"].as_array_mut().unwrap() {
        area["seats"] = json!([]);
    }
    let created = api.create(&event).await.expect(201, "0").data();
    assert_eq!(detail(&api, &created).await.expect(200, "0").data(), created);
}

#[tokio::test]
async fn deleted_or_unknown_is_not_found() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    detail(&api, &created).await.expect(404, "E_002");
    for id in ["0196a1b2-0000-7000-8000-00000000abcd", "1", "한국", "%ff"] {
        detail(&api, &json!({"id": id})).await.expect(404, "E_002");
    }
}

#[tokio::test]
async fn etag_is_valid_until_deletion() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    let etag = conditional::expect_not_modified(&api, &path(&created)).await;
    assert_ne!(etag, api.event(created["id"].as_str().unwrap()).await.header("ETag"));

    assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    conditional::get(&api, &path(&created), &etag).await.expect(404, "E_002");
}
