//! `GET /api/v1/managers/me/events`

use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tests::prelude::*;

use domain::instant::Instant;
use uuid::Uuid;

use crate::events::get::summary;

const PATH: &str = "/api/v1/managers/me/events";

/// Manager whom no other test uses.
struct Manager {
    api: Api,
    id: String,
}

impl Manager {
    fn new() -> Self {
        let id = Uuid::new_v4().to_string();
        Self { api: Api::new().by(&id), id }
    }

    /// Registers this many events, and returns their ids, newest first.
    async fn register(&self, count: usize) -> Vec<String> {
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.insert(0, self.api.created().await);
        }
        ids
    }

    async fn get(&self, query: &str) -> Response {
        self.api.get(&format!("{PATH}{query}")).await
    }

    /// Returns the ids on all pages of two events.
    async fn walk(&self, status: &str) -> Vec<String> {
        let (mut ids, mut page) = (Vec::new(), Some(format!("{PATH}?status={status}&limit=2")));
        while let Some(path) = page {
            let response = self.api.get(&path).await.expect(200, "0");
            ids.extend(response.ids());
            page = response.next_page();
        }
        ids
    }
}

/// Returns the milliseconds since 1970.
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()
}

fn time(millis: u128) -> String {
    Instant::from_number(&format!("{}.{:03}", millis / 1000, millis % 1000)).unwrap().to_string()
}

#[tokio::test]
async fn event_has_status_and_times() {
    let manager = Manager::new();
    let before = now();
    let created = manager.api.create(&sample::event()).await.expect(201, "0");
    // The time is in the first 48 bits of an id (RFC 9562, section 5.7). The clock of the service may differ.
    let registered = u128::from_str_radix(&created.id().replace('-', "")[..12], 16).unwrap();
    assert!((before - 60_000..now() + 60_000).contains(&registered));
    let mut expected = summary(&created.data());
    (expected["status"], expected["registeredAt"]) = (json!("LIVE"), time(registered).into());
    let listed = manager.get("").await;
    assert_eq!(listed.data(), json!([expected]));
    assert_snapshot!(listed.head(), @"200");
    manager.api.get_unless(PATH, "*").await.check(200, "0");

    let edited = manager.api.edit(&created.id(), &json!({"artist": "잔나비"})).await.expect(200, "0").data();
    manager.api.delete(&created.id()).await.check(204, "0");
    let mut deleted = manager.get("?status=deleted").await.data()[0].take();
    let until = deleted["restorableUntil"].take();
    let retention = Duration::from_hours(30 * 24).as_millis();
    let range = [before - 60_000, now() + 60_000].map(|millis| time((millis + retention) / 1000 * 1000));
    assert!((&*range[0]..=&*range[1]).contains(&until.as_str().unwrap()), "{until}");
    expected["artist"] = edited["artist"].clone();
    (expected["status"], expected["restorableUntil"]) = (json!("DELETED"), Value::Null);
    assert_eq!(deleted, expected);

    manager.api.restore(&created.id()).await.check(200, "0");
    assert_eq!(manager.get("?status=deleted").await.ids(), Vec::<String>::new());
    assert_eq!(manager.get("?status=all").await.data()[0].get("restorableUntil"), None);
}

#[tokio::test]
async fn pages_contain_each_event_once() {
    let manager = Manager::new();
    let ids = manager.register(7).await;
    assert_eq!(manager.walk("live").await, ids);
    let (deleted, live): (Vec<_>, Vec<_>) = ids.iter().cloned().enumerate().partition(|(index, _)| index % 3 != 1);
    let [deleted, live] = [deleted, live].map(|events| events.into_iter().map(|(_, id)| id).collect::<Vec<_>>());
    for id in &deleted {
        manager.api.delete(id).await.check(204, "0");
    }
    for (status, expected) in [("live", &live), ("deleted", &deleted), ("all", &ids)] {
        assert_eq!(manager.walk(status).await, *expected, "{status}");
    }
    assert_eq!(manager.get("").await.ids(), live);
    // The cursor outlives its event, and the id may be in upper case.
    let next = manager.get("?limit=1").await.next_page().unwrap();
    manager.api.delete(&live[0]).await.check(204, "0");
    assert_eq!(manager.api.by(&manager.id.to_uppercase()).get(&next).await.ids(), live[1..]);
}

#[tokio::test]
async fn foreign_cursor_is_rejected() {
    let (manager, other) = (Manager::new(), Manager::new());
    manager.register(2).await;
    other.register(2).await;
    let cursor = |page: &Response| page.next_page().unwrap().split_once("cursor=").unwrap().1.to_owned();
    let own = cursor(&manager.get("?limit=1").await);
    manager.get(&format!("?cursor={own}")).await.check(200, "0");
    let public = "/api/v1/events?limit=1";
    for page in [manager.get("?status=all&limit=1").await, other.get("?limit=1").await, manager.api.get(public).await] {
        let rejected = manager.get(&format!("?cursor={}", cursor(&page))).await;
        assert_eq!(rejected.errors(), [["cursor", &*cursor(&page)]]);
    }
    let rejected = manager.api.get(&format!("/api/v1/events?cursor={own}")).await;
    assert_eq!(rejected.errors(), [["cursor", &*own]]);
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let manager = Manager::new();
    let queries =
        ["?status=&limit=101&cursor=x", "?status=LIVE", "?status=live,deleted", "?limit=0&cursor=x&status=all"];
    assert_snapshot!(summaries(queries.map(|query| (query, manager.get(query)))).await, @"
    ?status=&limit=101&cursor=x: 400 C_003 | status ‘’ live, draft, deleted, all 중 하나여야 합니다. | limit ‘101’ 1 이상 100 이하여야 합니다.
    ?status=LIVE: 400 C_003 | status ‘LIVE’ live, draft, deleted, all 중 하나여야 합니다.
    ?status=live,deleted: 400 C_003 | status ‘live,deleted’ live, draft, deleted, all 중 하나여야 합니다.
    ?limit=0&cursor=x&status=all: 400 C_003 | limit ‘0’ 1 이상 100 이하여야 합니다. | cursor ‘x’ 이 서비스가 같은 조건의 목록에서 발급한 커서가 아닙니다.
    ");
    for id in ["", "kim"] {
        let rejected = manager.api.by(id).get("/api/v1/managers/me/events?limit=0").await;
        assert_eq!(rejected.summary(), "401 AM_001 x-api-managerId 헤더에 관리자 ID를 입력해 주세요.");
    }
    Api::new().get(PATH).await.check(401, "AM_001");
}

mod in_process {
    use aws_sdk_dynamodb::types::AttributeValue;

    use super::*;

    #[tokio::test]
    async fn page_is_one_query() {
        let service = Service::start().await;
        let manager = Manager { api: service.other.by(MANAGER), id: MANAGER.to_owned() };
        let list = async |query: &str| {
            let effect = service.effect(service.api.by(&manager.id).get(&format!("{PATH}{query}"))).await;
            let next = effect.response.next_page().map(|path| path.strip_prefix(PATH).unwrap().to_owned());
            (format!("{} events; {}", effect.response.ids().len(), effect.usage), next)
        };
        assert_snapshot!(list("").await.0, @"0 events; Query manager: 0.5 read, 0 write units");
        let mut ids = Vec::new();
        for _ in 0..30 {
            ids.push(manager.api.create(&sample::concert()).await.expect(201, "0").id());
        }
        for id in ids.iter().step_by(2) {
            manager.api.delete(id).await.check(204, "0");
        }
        // Half a unit for each started 4 KB: a page of one status reads all 30 events of 1,800 bytes, and the next page
        // reads the 11 or 10 after the first one.
        let (live, next) = list("?status=live&limit=10").await;
        assert_snapshot!(live, @"10 events; Query manager: 7 read, 0 write units");
        assert_snapshot!(list(&next.unwrap()).await.0, @"5 events; Query manager: 2.5 read, 0 write units");
        let (deleted, next) = list("?status=deleted&limit=10").await;
        assert_snapshot!(deleted, @"10 events; Query manager: 7 read, 0 write units");
        assert_snapshot!(list(&next.unwrap()).await.0, @"5 events; Query manager: 2.5 read, 0 write units");
        assert_snapshot!(list("?status=all&limit=10").await.0, @"10 events; Query manager: 2.5 read, 0 write units");
        for rejected in [service.api.get(PATH), service.api.get("/api/v1/managers/me/events?status=x")] {
            assert_eq!(service.effect(rejected).await.usage.calls, Vec::<String>::new());
        }
        service.check_permissions("managers-events");
    }

    #[tokio::test]
    async fn page_has_100_events_by_default() {
        let service = Service::start().await;
        let id = service.other.created().await;
        service.copy_event(&id, 100).await;
        for query in ["", "?limit=100", "?status=all"] {
            let page = service.api.get_as_manager(&format!("{PATH}{query}")).await;
            let last = service.api.get_as_manager(&page.next_page().unwrap()).await;
            assert_eq!((page.ids().len(), last.ids().len(), last.next_page()), (100, 1, None));
        }
        service.other.delete(&id).await.check(204, "0");
        assert_eq!(service.api.get_as_manager(PATH).await.next_page(), None);
    }

    #[tokio::test]
    async fn expired_event_is_not_listed() {
        let service = Service::start().await;
        let id = Uuid::new_v4().to_string();
        let manager = Manager { api: service.other.by(&id), id };
        let ids = manager.register(3).await;
        for id in &ids {
            manager.api.delete(id).await.check(204, "0");
        }
        let past = AttributeValue::N("1".to_owned());
        set(&service.stack.dynamodb(), &format!("EVENT#{}", ids[0]), "EVENT", "expiresAt", past).await;
        for status in ["deleted", "all"] {
            assert_eq!(manager.walk(status).await, ids[1..]);
        }
    }

    #[tokio::test]
    async fn verified_manager_is_named_by_token() {
        let verified = VerifiedService::start().await;
        let (manager, other) = (Uuid::new_v4().to_string(), Uuid::new_v4().to_string());
        let id = verified.by(&manager).created().await;
        assert_eq!(verified.by(&manager).get(PATH).await.ids(), [id]);
        assert_eq!(verified.by(&other).get(PATH).await.ids(), Vec::<String>::new());
        let named = [("x-api-managerId", &*manager)];
        verified.by(&other).send_with(Method::GET, PATH, &named).await.check(403, "AM_002");
        verified.api.by(&manager).get(PATH).await.check(401, "AM_001");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let get = async |api: &Api, manager: &String| api.by(manager).get(PATH).await;
        let registered = async |service: &Service| {
            let manager = Uuid::new_v4().to_string();
            service.other.by(&manager).create(&sample::event()).await.check(201, "0");
            manager
        };
        assert_snapshot!(faults(registered, get).await, @r"
                       once  lost  fails  unknown  ends   ends after
        Query manager  200   200   S_003  S_003    S_003  S_003
        ");
    }
}
