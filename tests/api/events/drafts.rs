//! Events that only their manager can read.

use insta::assert_snapshot;
use serde_json::{Value, json};
use tests::{Api, Sale, sample, statuses};

fn draft() -> Value {
    let mut event = Sale::on_sale();
    event["published"] = json!(false);
    event
}

#[tokio::test]
async fn nobody_else_reads_a_draft() {
    let api = Api::new();
    let event = draft();
    let created = api.create(&event).await;
    let sale = Sale::of(&created);
    let (_, tokens) = api.joined_with_session().await;
    let event_paths = ["", "/detail", "/seat-map.svg"].map(|path| format!("/api/v1/events/{}{path}", sale.event));
    let show_paths = ["availability", "seat-reservation/detail"].map(|path| sale.path(path));
    for path in event_paths.iter().chain(&show_paths) {
        api.get(path).await.check(404, "E_002");
    }
    sale.hold(&api, &tokens, &[0]).await.check(404, "E_002");
    sale.get(&api, &tokens, sample::UNKNOWN_EVENT).await.check(404, "E_002");
    assert!(api.find(&event).await.is_empty());
    assert_eq!(api.poster(&format!("{}.png", sale.event)).await.status, 200);
    // Its name and times are reserved.
    api.create(&event).await.check(409, "E_001");

    api.edit(&sale.event, &json!({"published": true})).await.check(200, "0");
    for path in event_paths.iter().chain(&show_paths) {
        assert_eq!(api.get(path).await.status, 200, "{path}");
    }
    assert_eq!(api.find(&event).await[0]["id"], sale.event);
    sale.hold(&api, &tokens, &[0]).await.check(201, "0");
}

#[tokio::test]
async fn manager_works_with_a_draft() {
    let api = Api::new();
    let sale = Sale::of(&api.create(&draft()).await);
    let edited = api.edit(&sale.event, &json!({"artist": "잔나비"})).await.expect(200, "0").data();
    api.replace_thumbnail(&sale.event, sample::OTHER_POSTER).await.check(200, "0");
    sale.block(&api, &[0]).await.check(200, "0");
    sale.unblock(&api, &[0]).await.check(200, "0");
    api.edit_show(&sale.event, &sale.show, &json!({"datetime": "2100-05-01T10:00:00Z"})).await.check(200, "0");
    api.delete(&sale.event).await.check(204, "0");
    let restored = api.restore(&sale.event).await.expect(200, "0").data();
    assert_eq!(restored["artist"], edited["artist"]);
    let managed = api.managed_event(&sale.event).await.expect(200, "0").data();
    assert_eq!(managed["status"], "DRAFT", "it comes back as a draft");
    api.event(&sale.event).await.check(404, "E_002");
}

#[tokio::test]
async fn manager_lists_drafts() {
    let api = Api::new();
    let manager = uuid::Uuid::new_v4().to_string();
    let create = async |published: bool| {
        let mut event = sample::event();
        event["published"] = json!(published);
        api.create_as(&manager, &event).await.expect(201, "0").id()
    };
    let (live, draft) = (create(true).await, create(false).await);
    let deleted = create(false).await;
    api.delete(&deleted).await.check(204, "0");
    let listed = async |status: &str| {
        let events = api.get_as(&manager, &format!("/api/v1/managers/me/events?status={status}")).await.data();
        let event = |event: &Value| [&event["id"], &event["status"]].map(|text| text.as_str().unwrap().to_owned());
        events.as_array().unwrap().iter().map(event).collect::<Vec<_>>()
    };
    let [live, draft, deleted] = [[live, "LIVE".into()], [draft, "DRAFT".into()], [deleted, "DELETED".into()]];
    for (status, event) in [("live", &live), ("draft", &draft), ("deleted", &deleted)] {
        assert_eq!(listed(status).await, std::slice::from_ref(event));
    }
    assert_eq!(listed("all").await, [deleted, draft, live]);
}

#[tokio::test]
async fn event_with_taken_seats_is_not_hidden() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    let hide = json!({"published": false});
    assert_snapshot!(api.edit(&sale.event, &hide).await, @r#"
    409
    {"message": "선점되거나 판매되었거나 판매를 막아 둔 좌석이 있어 공연을 삭제하거나 비공개로 돌리거나 회차를 뺄 수 없습니다.", "code": "E_004"}
    "#);
    sale.release(&api, &tokens, &hold).await.check(204, "0");
    sale.block(&api, &[1]).await.check(200, "0");
    api.edit(&sale.event, &hide).await.check(409, "E_004");
    sale.unblock(&api, &[1]).await.check(200, "0");
    api.edit(&sale.event, &hide).await.check(200, "0");
    sale.hold(&api, &tokens, &[0]).await.check(404, "E_002");
    api.edit(&sale.event, &hide).await.check(200, "0");
}

#[tokio::test]
async fn show_of_yesterday_does_not_keep_event_public() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, sold) = sale.held(&api, &[0]).await;
    let (_, held) = sale.held(&api, &[1]).await;
    sale.confirm(&api, &sold, "order-1", 50_000.0).await.check(200, "0");
    api.edit_show(&sale.event, &sale.show, &json!({"datetime": "2020-01-01T10:00:00Z"})).await.check(200, "0");
    api.edit(&sale.event, &json!({"published": false})).await.check(200, "0");
    for hold in [&*held, "00000000-0000-4000-8000-000000000000"] {
        sale.confirm(&api, hold, "order-2", 50_000.0).await.check(404, "E_002");
    }
    sale.cancel(&api, &sold, "order-1").await.check(200, "0");
}

#[tokio::test]
async fn published_is_true_or_false() {
    let api = Api::new();
    let id = api.created().await;
    for value in [json!(null), json!(1), json!("false"), json!([])] {
        let body = json!({ "published": value });
        let edited = api.edit(&id, &body).await.expect(400, "C_001");
        assert_eq!(edited.json()["errors"][0]["field"], "published");
        let mut event = sample::event();
        event["published"] = value;
        api.create(&event).await.check(400, "C_001");
    }
    assert_eq!(statuses([api.edit(&id, &json!({"published": true}))]).await, [200]);
}

mod in_process {
    use tests::{Service, fault::Rule};

    use super::*;

    #[tokio::test]
    async fn hold_in_between_keeps_event_public_or_fails() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (_, tokens) = service.other.joined_with_session().await;
        let hide = json!({"published": false});

        let (other, copy, buyer) = (service.other.clone(), sale.clone(), tokens.clone());
        let hold = async move { copy.hold(&other, &buyer, &[0]).await.check(201, "0") };
        service.interrupted(service.api.edit(&sale.event, &hide), hold).await.check(409, "E_004");

        let sale = Sale::open(&service.other).await;
        let (other, id) = (service.other.clone(), sale.event.clone());
        let hiding = async move { other.edit(&id, &json!({"published": false})).await.check(200, "0") };
        service.interrupted(sale.hold(&service.api, &tokens, &[0]), hiding).await.check(404, "E_002");
    }

    #[tokio::test]
    async fn block_of_a_draft_fails_no_simultaneous_hiding() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let hide = json!({"published": false});
        let (other, copy, hide_before) = (service.other.clone(), sale.clone(), hide.clone());
        let hidden_and_blocked = async move {
            other.edit(&copy.event, &hide_before).await.check(200, "0");
            copy.block(&other, &[0]).await.check(200, "0");
        };
        // The event was read before, the seats are read after it.
        let rule = Rule::interrupted("BatchGetItem", hidden_and_blocked);
        service.with_rule(rule, service.api.edit(&sale.event, &hide)).await.check(200, "0");
    }

    #[tokio::test]
    async fn publishing_writes_only_the_event() {
        let service = Service::start().await;
        let sale = Sale::of(&service.other.create(&draft()).await);
        let edit = async |change: Value| service.effect(service.api.edit(&sale.event, &change)).await;
        assert_snapshot!(edit(json!({"published": true})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 5 write units
        ~ EVENT#[id1] EVENT {"draft": null, "listing": "LIVE", "version": 1}
        "#);
        assert_snapshot!(edit(json!({"published": false})).await, @r#"
        200
        GetItem EVENT, BatchGetItem, TransactWriteItems: 73 read, 149 write units
        ~ EVENT#[id1] EVENT {"draft": true, "listing": null, "version": 2}
        + FENCE#[id1] FENCE {"edit": 2, "expiresAt": "[in years]"}
        "#);
        service.contents().await.check();
    }
}
