//! `GET /api/v1/events/{eventId}`

use serde_json::Value;
use tests::{Api, sample};

use crate::conditional;

/// Returns a created event without its seats, as lists contain it.
pub fn summary(created: &Value) -> Value {
    let mut summary = created.clone();
    let fields = summary.as_object_mut().unwrap();
    assert!(fields.remove("totalMap").is_some() && fields.remove("areas").is_some());
    summary
}

#[tokio::test]
async fn event_is_returned_without_seats() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0").data();
    let response = api.event(created["id"].as_str().unwrap()).await.expect(200, "0");
    assert_eq!(response.data(), summary(&created));
}

#[tokio::test]
async fn id_is_case_insensitive() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    let upper = created["id"].as_str().unwrap().to_uppercase();
    assert_eq!(api.event(&upper).await.expect(200, "0").data(), summary(&created));
}

#[tokio::test]
async fn shared_caches_store_for_1_second() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    let response = api.event(created["id"].as_str().unwrap()).await.expect(200, "0");
    let cache_control: Vec<_> = response.headers.get_all("Cache-Control").iter().collect();
    assert_eq!(cache_control, ["public, max-age=0, s-maxage=1"]);
}

#[tokio::test]
async fn etag_is_valid_until_deletion() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    let id = created["id"].as_str().unwrap();
    let path = format!("/api/v1/events/{id}");
    let etag = conditional::expect_not_modified(&api, &path).await;
    assert_eq!(api.delete(id).await.status, 204);
    conditional::get(&api, &path, &etag).await.expect(404, "E_002");
    conditional::get(&api, &path, "*").await.expect(404, "E_002");
}

#[tokio::test]
async fn unknown_event_is_not_found() {
    let api = Api::new();
    for id in [
        "0196a1b2-0000-7000-8000-00000000abcd",
        "1",
        "x",
        "%7B0196a1b2-0000-7000-8000-00000000abcd%7D",
        "0196a1b2000070008000000000000abcd",
        "한국",
        "%ff",
    ] {
        api.event(id).await.expect(404, "E_002");
    }
}

#[tokio::test]
async fn escaped_slash_is_part_of_id() {
    Api::new().event("..%2F..%2Fetc%2Fpasswd").await.expect(404, "E_002");
}
