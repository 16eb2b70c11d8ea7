//! `GET /api/v1/events`

use serde_json::Value;
use tests::{Api, sample};

use crate::events_get::summary;

async fn create(api: &Api, count: usize) -> Vec<Value> {
    let mut created = Vec::new();
    for _ in 0..count {
        created.push(api.create(&sample::event()).await.expect(201, "0").data());
    }
    created
}

#[tokio::test]
async fn events_are_listed_newest_first() {
    let api = Api::new();
    let created = create(&api, 3).await;
    let response = api.get("/api/v1/events").await.expect(200, "0");
    let data = response.data();
    let ours: Vec<_> = created.iter().rev().map(summary).collect();
    let listed: Vec<_> = data.as_array().unwrap().iter().filter(|event| ours.contains(event)).cloned().collect();
    assert_eq!(listed, ours);
}

#[tokio::test]
async fn pages_contain_each_event_once() {
    let api = Api::new();
    let created = create(&api, 7).await;
    let mut seen = Vec::new();
    let mut page = Some("/api/v1/events?limit=2".to_owned());
    while let Some(path) = page {
        assert!(path.starts_with("/api/v1/events?"), "{path}");
        let response = api.get(&path).await.expect(200, "0");
        assert!(response.ids().len() <= 2);
        seen.extend(response.ids());
        page = response.next_page();
    }
    for event in created {
        let id = event["id"].as_str().unwrap();
        assert_eq!(seen.iter().filter(|seen| *seen == id).count(), 1, "{id}");
    }
    assert!(seen.is_sorted_by(|newer, older| newer > older), "{seen:?}");
}

#[tokio::test]
async fn page_has_100_events_by_default() {
    let api = Api::new();
    create(&api, 101).await;
    for path in ["/api/v1/events", "/api/v1/events?limit=100"] {
        let response = api.get(path).await.expect(200, "0");
        assert_eq!(response.ids().len(), 100);
        assert!(response.next_page().is_some());
    }
}

#[tokio::test]
async fn cursor_outlives_its_event() {
    let api = Api::new();
    let created = create(&api, 2).await;
    let first = api.get("/api/v1/events?limit=1").await;
    let listed = first.ids();
    if created.iter().any(|event| event["id"] == listed[0].as_str()) {
        assert_eq!(api.delete(&listed[0]).await.status, 204);
    }
    let second = api.get(&first.next_page().unwrap()).await.expect(200, "0");
    assert!(second.ids()[0] < listed[0]);
}

#[tokio::test]
async fn limit_outside_1_to_100_is_rejected() {
    for limit in ["0", "101", "-1", "1.5", "x", "", "+5", "99999999999999999999"] {
        let response = Api::new().get(&format!("/api/v1/events?limit={}", limit.replace('+', "%2B"))).await;
        assert_eq!(response.expect(400, "C_003").errors(), [["limit", limit]]);
    }
}

#[tokio::test]
async fn tampered_cursor_is_rejected() {
    let api = Api::new();
    create(&api, 2).await;
    let path = api.get("/api/v1/events?limit=1").await.next_page().unwrap();
    let (_, cursor) = path.split_once("cursor=").unwrap();
    let swapped: String = cursor.chars().rev().collect();
    for cursor in [swapped.as_str(), &cursor[1..], "x", ""] {
        let response = api.get(&format!("/api/v1/events?limit=0&cursor={cursor}")).await.expect(400, "C_003");
        assert_eq!(response.errors(), [["limit", "0"], ["cursor", cursor]]);
    }
}

#[tokio::test]
async fn shared_caches_store_for_1_second() {
    let api = Api::new();
    create(&api, 2).await;
    let first = api.get("/api/v1/events?limit=1").await.expect(200, "0");
    let second = api.get(&first.next_page().unwrap()).await.expect(200, "0");
    for page in [first, second] {
        let cache_control: Vec<_> = page.headers.get_all("Cache-Control").iter().collect();
        assert_eq!(cache_control, ["public, max-age=0, s-maxage=1"]);
    }
}
