//! `POST /api/v1/events/{eventId}/restore`

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{Api, sample};

use crate::events_get::summary;

/// Registers and deletes an event, and returns the request and the response data.
async fn deleted(api: &Api) -> (Value, Value) {
    let event = sample::event();
    let created = api.create(&event).await.expect(201, "0").data();
    assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    (event, created)
}

#[tokio::test]
async fn restored_event_is_as_before() {
    let api = Api::new();
    let (event, created) = deleted(&api).await;
    let id = created["id"].as_str().unwrap();
    let restored = api.restore(id).await.expect(200, "0").data();
    assert_eq!(restored, summary(&created));
    assert_eq!(api.event(id).await.data(), restored);
    assert_eq!(api.get(&format!("/api/v1/events/{id}/detail")).await.data(), created);
    assert!(api.get("/api/v1/events").await.ids().contains(&id.to_owned()));
    assert_eq!(api.poster(created["thumbnail"].as_str().unwrap()).await.body, sample::POSTER);
    api.create(&event).await.expect(409, "E_001");
}

#[tokio::test]
async fn live_event_stays_live() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0").data();
    let id = created["id"].as_str().unwrap();
    let etag = api.event(id).await.header("ETag").to_owned();
    assert_eq!(api.restore(id).await.expect(200, "0").data(), summary(&created));
    assert_eq!(api.event(id).await.expect(200, "0").header("ETag"), etag);
}

#[tokio::test]
async fn event_is_deleted_and_restored_repeatedly() {
    let api = Api::new();
    let (_, created) = deleted(&api).await;
    let id = created["id"].as_str().unwrap();
    for place in ["잠실", "고척"] {
        api.restore(id).await.expect(200, "0");
        let edited = api.edit(id, &json!({"place": place})).await.expect(200, "0").data();
        assert_eq!(api.delete(id).await.status, 204);
        assert_eq!(api.restore(id).await.expect(200, "0").data(), edited);
        assert_eq!(api.delete(id).await.status, 204);
        api.event(id).await.expect(404, "E_002");
    }
}

#[tokio::test]
async fn taken_show_stops_restoration() {
    let api = Api::new();
    let (mut event, created) = deleted(&api).await;
    let id = created["id"].as_str().unwrap();
    // One of its two shows is enough.
    event["eventDatetimes"].as_array_mut().unwrap().pop();
    let other = api.create(&event).await.expect(201, "0").data()["id"].as_str().unwrap().to_owned();
    api.restore(id).await.expect(409, "E_001");
    api.event(id).await.expect(404, "E_002");

    assert_eq!(api.delete(&other).await.status, 204);
    api.restore(id).await.expect(200, "0");
    api.restore(&other).await.expect(409, "E_001");
}

#[tokio::test]
async fn simultaneous_restorations_succeed() {
    let api = Api::new();
    let (event, created) = deleted(&api).await;
    let id = created["id"].as_str().unwrap();
    for response in join_all((0..8).map(|_| api.restore(id))).await {
        assert_eq!(response.expect(200, "0").data(), summary(&created));
    }
    api.create(&event).await.expect(409, "E_001");
}

#[tokio::test]
async fn one_of_simultaneous_rivals_is_restored() {
    let api = Api::new();
    let event = sample::event();
    let mut rivals = Vec::new();
    for _ in 0..4 {
        let id = api.create(&event).await.expect(201, "0").data()["id"].as_str().unwrap().to_owned();
        assert_eq!(api.delete(&id).await.status, 204);
        rivals.push(id);
    }
    let responses = join_all(rivals.iter().map(|id| api.restore(id))).await;
    let count = |status| responses.iter().filter(|response| response.status == status).count();
    assert_eq!((count(200), count(409)), (1, 3));
}

#[tokio::test]
async fn unknown_event_is_not_found() {
    let api = Api::new();
    for id in ["0196a1b2-0000-7000-8000-00000000abcd", "x", "%ff"] {
        api.restore(id).await.expect(404, "E_002");
    }
}
