//! `GET /api/v1/managers/me/events/{eventId}`

use tests::prelude::*;

const PATH: &str = "/api/v1/managers/me/events";

#[tokio::test]
async fn event_has_its_seats_and_status() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0");
    let id = created.id();
    let found = api.managed_event(&id).await.expect(200, "0");
    let mut detail = found.data();
    assert_eq!(found.header("ETag"), api.event(&id).await.header("ETag"));
    assert_eq!(found.header("Cache-Control"), "no-store");
    let registered = detail.as_object_mut().unwrap().remove("registeredAt").unwrap();
    assert!(registered.as_str().unwrap().ends_with('Z'));
    assert_eq!(detail.as_object_mut().unwrap().remove("status").unwrap(), "LIVE");
    assert_eq!(detail, created.data());

    api.delete(&id).await.check(204, "0");
    let deleted = api.managed_event(&id).await.expect(200, "0").data();
    assert_eq!((&deleted["status"], &deleted["areas"]), (&json!("DELETED"), &created.data()["areas"]));
    assert!(deleted["restorableUntil"].is_string());
}

#[tokio::test]
async fn draft_can_be_published() {
    let api = Api::new();
    let id = api.create(&sample::event_with(json!({"published": false}))).await.expect(201, "0").id();
    let draft = api.managed_event(&id).await.expect(200, "0");
    assert_eq!(draft.data()["status"], "DRAFT");
    let tag = draft.header("ETag").to_owned();
    let published = api.edit_if_match(&id, &tag, &json!({"published": true})).await.expect(200, "0");
    let live = api.managed_event(&id).await.expect(200, "0");
    assert_eq!((&live.data()["status"], live.header("ETag")), (&json!("LIVE"), published.header("ETag")));
    assert_ne!(tag, published.header("ETag"));
}

#[tokio::test]
async fn others_see_nothing() {
    let api = Api::new();
    let id = api.created().await;
    api.by(sample::OTHER_MANAGER).get(&format!("{PATH}/{id}")).await.check(403, "AM_002");
    api.get(&format!("{PATH}/{id}")).await.check(401, "AM_001");
    for unknown in ["x", sample::UNKNOWN_EVENT] {
        api.managed_event(unknown).await.check(404, "E_002");
    }
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn event_costs_one_query() {
        let service = Service::start().await;
        let id = service.other.created().await;
        let effect = service.effect(service.api.managed_event(&id)).await;
        assert_snapshot!(effect.usage, @"Query: 1 read, 0 write units");
        service.check_permissions("managers-event");
    }
}
