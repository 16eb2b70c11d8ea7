//! `GET /api/v1/managers/me/events`

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use domain::instant::Instant;
use serde_json::Value;
use tests::{Api, Response, VerifiedService, sample};
use uuid::Uuid;

use crate::events_get::summary;

const PATH: &str = "/api/v1/managers/me/events";

/// Manager whom no other test uses.
struct Manager {
    api: Api,
    id: String,
}

impl Manager {
    fn new() -> Self {
        Self { api: Api::new(), id: Uuid::new_v4().to_string() }
    }

    async fn register(&self) -> Value {
        self.api.create_as(&self.id, &sample::event()).await.expect(201, "0").data()
    }

    /// Registers this many events, and returns their ids, newest first.
    async fn register_all(&self, count: usize) -> Vec<String> {
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.insert(0, id(&self.register().await));
        }
        ids
    }

    async fn delete(&self, id: &str) {
        assert_eq!(self.api.delete(id).await.status, 204);
    }

    /// Requests a path as this manager.
    async fn get(&self, path: &str) -> Response {
        self.api.get_as(&self.id, path).await
    }

    /// Requests the events of a status.
    async fn events(&self, status: &str) -> Response {
        self.get(&format!("{PATH}?status={status}")).await.expect(200, "0")
    }

    /// Returns the ids on all pages, at most two on each.
    async fn walk(&self, status: &str) -> Vec<String> {
        let mut ids = Vec::new();
        let mut page = Some(format!("{PATH}?status={status}&limit=2"));
        while let Some(path) = page {
            assert!(path.starts_with(&format!("{PATH}?")), "{path}");
            let response = self.get(&path).await.expect(200, "0");
            assert!(response.ids().len() <= 2);
            ids.extend(response.ids());
            page = response.next_page();
        }
        ids
    }
}

fn id(event: &Value) -> String {
    event["id"].as_str().unwrap().to_owned()
}

/// Returns the number of milliseconds since 1970.
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()
}

fn time(millis: u128) -> String {
    Instant::from_number(&format!("{}.{:03}", millis / 1000, millis % 1000)).unwrap().to_string()
}

/// Returns the milliseconds since 1970 in the first 48 bits of an id (RFC 9562, section 5.7).
fn millis_of(id: &str) -> u128 {
    u128::from_str_radix(&id.replace('-', "")[..12], 16).unwrap()
}

#[tokio::test]
async fn live_event_has_status_and_registration() {
    let manager = Manager::new();
    let before = now();
    let created = manager.register().await;
    let registered = millis_of(&id(&created));
    // The clocks of the service and of the test may differ.
    assert!((before - 60_000..now() + 60_000).contains(&registered));
    let mut expected = summary(&created);
    expected["status"] = "LIVE".into();
    expected["registeredAt"] = time(registered).into();
    let listed = manager.get(PATH).await.expect(200, "0").data();
    assert_eq!(listed, Value::from(vec![expected]));
}

#[tokio::test]
async fn deleted_event_is_listed_until_it_expires() {
    let manager = Manager::new();
    let created = manager.register().await;
    let before = now();
    manager.delete(&id(&created)).await;
    let after = now();

    let mut listed = manager.events("deleted").await.data()[0].take();
    let until = listed["restorableUntil"].take();
    let retention = Duration::from_hours(30 * 24).as_millis();
    let range = [before - 60_000, after + 60_000].map(|millis| time((millis + retention) / 1000 * 1000));
    assert!((range[0].as_str()..=range[1].as_str()).contains(&until.as_str().unwrap()), "{until}");
    let mut expected = summary(&created);
    expected["status"] = "DELETED".into();
    expected["registeredAt"] = time(millis_of(&id(&created))).into();
    expected["restorableUntil"] = Value::Null;
    assert_eq!(listed, expected);

    manager.api.restore(&id(&created)).await.expect(200, "0");
    assert_eq!(manager.events("deleted").await.ids(), Vec::<String>::new());
    let restored = manager.events("live").await.data()[0].take();
    assert_eq!((&restored["status"], restored.get("restorableUntil")), (&Value::from("LIVE"), None));
}

#[tokio::test]
async fn status_selects_events() {
    let manager = Manager::new();
    let ids = manager.register_all(4).await;
    for deleted in [&ids[0], &ids[2]] {
        manager.delete(deleted).await;
    }
    let [a, b, c, d] = ids.try_into().unwrap();
    assert_eq!(manager.events("live").await.ids(), [&*b, &*d]);
    assert_eq!(manager.get(PATH).await.ids(), [&*b, &*d], "by default, live events");
    assert_eq!(manager.events("deleted").await.ids(), [&*a, &*c]);
    let all = manager.events("all").await;
    assert_eq!(all.ids(), [a, b, c, d]);
    let data = all.data();
    let statuses = data.as_array().unwrap().iter().map(|event| event["status"].as_str().unwrap());
    assert_eq!(statuses.collect::<Vec<_>>(), ["DELETED", "LIVE", "DELETED", "LIVE"]);
}

#[tokio::test]
async fn pages_contain_each_event_once() {
    let manager = Manager::new();
    let ids = manager.register_all(7).await;
    assert_eq!(manager.walk("live").await, ids);
    let (deleted, live): (Vec<_>, Vec<_>) = ids.iter().cloned().enumerate().partition(|(index, _)| index % 3 != 1);
    let [deleted, live] = [deleted, live].map(|events| events.into_iter().map(|(_, id)| id).collect::<Vec<_>>());
    for id in &deleted {
        manager.delete(id).await;
    }
    for (status, expected) in [("live", live), ("deleted", deleted), ("all", ids)] {
        assert_eq!(manager.walk(status).await, expected, "{status}");
    }
}

#[tokio::test]
async fn cursor_outlives_its_event() {
    let manager = Manager::new();
    let ids = manager.register_all(3).await;
    let next = manager.get(&format!("{PATH}?limit=1")).await.next_page().unwrap();
    manager.delete(&ids[0]).await;
    assert_eq!(manager.get(&next).await.expect(200, "0").ids(), [&*ids[1]]);
}

#[tokio::test]
async fn page_has_100_events_by_default() {
    let manager = Manager::new();
    let ids = manager.register_all(101).await;
    for path in [PATH.to_owned(), format!("{PATH}?limit=100"), format!("{PATH}?status=all&limit=100")] {
        let page = manager.get(&path).await.expect(200, "0");
        assert_eq!(page.ids(), ids[..100]);
        let last = manager.get(&page.next_page().unwrap()).await;
        assert_eq!((last.ids(), last.next_page()), (vec![ids[100].clone()], None));
    }
    manager.delete(&ids[0]).await;
    let page = manager.get(PATH).await.expect(200, "0");
    assert_eq!((page.ids().len(), page.next_page()), (100, None));
}

#[tokio::test]
async fn foreign_cursor_is_rejected() {
    let (manager, other) = (Manager::new(), Manager::new());
    manager.register_all(2).await;
    other.register_all(2).await;
    let cursor = async |manager: &Manager, path: &str| {
        let next = manager.get(path).await.next_page().unwrap();
        next.split_once("cursor=").unwrap().1.to_owned()
    };
    let [live, all] = [format!("{PATH}?limit=1"), format!("{PATH}?status=all&limit=1")];
    let others =
        [cursor(&manager, &all).await, cursor(&other, &live).await, cursor(&manager, "/api/v1/events?limit=1").await];
    let own = cursor(&manager, &live).await;
    manager.get(&format!("{PATH}?cursor={own}")).await.expect(200, "0");
    for cursor in others {
        let response = manager.get(&format!("{PATH}?cursor={cursor}")).await;
        assert_eq!(response.expect(400, "C_003").errors(), [["cursor", &*cursor]]);
    }
    let response = manager.get(&format!("/api/v1/events?cursor={own}")).await;
    assert_eq!(response.expect(400, "C_003").errors(), [["cursor", &*own]]);
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let manager = Manager::new();
    for status in ["", "LIVE", "restored", "live,deleted"] {
        let response = manager.get(&format!("{PATH}?status={status}&limit=101&cursor=x")).await;
        assert_eq!(response.expect(400, "C_003").errors(), [["status", status], ["limit", "101"]]);
    }
    for limit in ["0", "101", "x", ""] {
        let response = manager.get(&format!("{PATH}?limit={limit}&cursor=x&status=all")).await;
        assert_eq!(response.expect(400, "C_003").errors(), [["limit", limit], ["cursor", "x"]]);
    }
}

#[tokio::test]
async fn manager_id_is_required() {
    let api = Api::new();
    for path in [PATH.to_owned(), format!("{PATH}?limit=0")] {
        api.get(&path).await.expect(401, "AM_001");
        for id in ["", "kim"] {
            api.get_as(id, &path).await.expect(401, "AM_001");
        }
    }
}

#[tokio::test]
async fn manager_id_may_be_upper_case() {
    let manager = Manager::new();
    let ids = manager.register_all(1).await;
    assert_eq!(manager.api.get_as(&manager.id.to_uppercase(), PATH).await.expect(200, "0").ids(), ids);
}

#[tokio::test]
async fn edit_is_listed() {
    let manager = Manager::new();
    let id = id(&manager.register().await);
    let edited = manager.api.edit(&id, &serde_json::json!({"artist": "잔나비"})).await.expect(200, "0").data();
    for status in ["LIVE", "DELETED"] {
        if status == "DELETED" {
            manager.delete(&id).await;
        }
        let listed = manager.events("all").await.data();
        assert_eq!((&listed[0]["artist"], &listed[0]["status"]), (&edited["artist"], &Value::from(status)));
    }
}

#[tokio::test]
async fn list_is_not_cached() {
    let manager = Manager::new();
    manager.register_all(1).await;
    let listed = manager.get(PATH).await.expect(200, "0");
    assert_eq!(listed.header("Cache-Control"), "no-store");
    assert!(!listed.headers.contains_key("ETag"));
    let request = manager.api.request(reqwest::Method::GET, PATH).header("x-api-managerId", &manager.id);
    Api::send(request.header("If-None-Match", "*")).await.expect(200, "0");
}

#[tokio::test]
async fn verified_manager_is_named_by_token() {
    let verified = VerifiedService::start().await;
    let (manager, other) = (Uuid::new_v4().to_string(), Uuid::new_v4().to_string());
    let id = verified.create_event_as(&manager).await;
    assert_eq!(verified.delete_as(&manager, &id).await.status, 204);
    let path = format!("{PATH}?status=all");
    let request = |token: &str| verified.api.request(reqwest::Method::GET, &path).bearer_auth(token);
    let [token, others_token] = [&manager, &other].map(|manager| verified.token(manager));
    assert_eq!(Api::send(request(&token)).await.expect(200, "0").ids(), [id]);
    assert_eq!(Api::send(request(&others_token)).await.expect(200, "0").ids(), Vec::<String>::new());
    Api::send(request(&others_token).header("x-api-managerId", &manager)).await.expect(403, "AM_002");
    verified.api.get_as(&manager, &path).await.expect(401, "AM_001");
}
