//! `POST /api/v1/events/{eventId}/restore`

use crate::events::get::summary;
use tests::prelude::*;

#[tokio::test]
async fn restored_event_is_as_before() {
    let api = Api::new();
    let event = sample::event();
    let created = api.create(&event).await.expect(201, "0");
    let id = created.id();
    let etag = api.event(&id).await.header("ETag").to_owned();
    // A live event stays as it is.
    assert_eq!(api.restore(&id).await.expect(200, "0").data(), summary(&created.data()));
    assert_eq!(api.event(&id).await.header("ETag"), etag);

    api.delete(&id).await.check(204, "0");
    let restored = api.restore(&id).await;
    assert_snapshot!(restored.head(), @"200");
    assert_eq!(restored.data(), summary(&created.data()));
    assert_eq!(api.event(&id).await.data(), restored.data());
    assert_eq!(api.event(&format!("{id}/detail")).await.data(), created.data());
    assert_eq!(api.find(&event).await, [restored.data()]);
    assert_eq!(api.poster(&format!("{id}.png")).await.body, sample::POSTER);
    api.create(&event).await.check(409, "E_001");
}

#[tokio::test]
async fn event_is_restored_repeatedly_with_edits() {
    let api = Api::new();
    let id = api.created().await;
    for change in [json!({"place": "잠실"}), json!({"eventDatetimes": ["2027-03-01T00:00:00Z"], "artist": "잔나비"})]
    {
        let edited = api.edit(&id, &change).await.expect(200, "0").data();
        api.delete(&id).await.check(204, "0");
        api.event(&id).await.check(404, "E_002");
        assert_eq!(api.restore(&id).await.expect(200, "0").data(), edited);
        assert_eq!(api.event(&id).await.data(), edited);
    }
}

#[tokio::test]
async fn taken_show_stops_restoration() {
    let api = Api::new();
    let mut event = sample::event();
    let id = api.create(&event).await.expect(201, "0").id();
    api.delete(&id).await.check(204, "0");
    // One of its two shows is enough.
    event["eventDatetimes"].as_array_mut().unwrap().pop();
    let other = api.create(&event).await.expect(201, "0").id();
    assert_snapshot!(api.restore(&id).await, @r#"
    409
    {"message": "제목과 장소가 같고 회차가 겹치는 공연이 이미 등록되어 있습니다.", "code": "E_001"}
    "#);
    api.event(&id).await.check(404, "E_002");

    api.delete(&other).await.check(204, "0");
    api.restore(&id).await.check(200, "0");
    api.restore(&other).await.check(409, "E_001");
}

mod in_process {
    use aws_sdk_dynamodb::types::AttributeValue;
    use local::TABLE;

    use super::*;

    #[tokio::test]
    async fn restoration_is_two_calls() {
        let service = Service::start().await;
        let id = service.other.create(&sample::concert()).await.id();
        let mut before = service.contents().await.items;
        assert_snapshot!(service.effect(service.api.restore(&id)).await, @r"
        200
        GetItem EVENT: 1 read, 0 write units
        ");
        service.other.delete(&id).await.check(204, "0");
        assert_snapshot!(service.effect(service.api.restore(&id)).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 15 write units
        ~ EVENT#[id1] EVENT {"expiresAt": null, "listing": "LIVE"}
        ~ EVENT#[id1] MAP#000 {"expiresAt": null}
        - POSTER#[id1].png POSTER
        + SHOW#[hash] SHOW#03 {"2025-04-26T05:00:00Z": "[id1]", "2025-04-27T05:00:00Z": "[id1]", "shows": 2}
        "#);
        let mut after = service.contents().await.items;
        // A deletion raises the fences and the version, which stay so.
        after.retain(|[_, sort], _| sort != "FENCE");
        let event = before.iter_mut().find(|([_, sort], _)| sort == "EVENT");
        event.unwrap().1.insert("version".to_owned(), AttributeValue::N("1".to_owned()));
        assert_eq!(after, before);
        assert_snapshot!(service.effect(service.api.restore(sample::UNKNOWN_EVENT)).await.usage, @"GetItem EVENT: 1 read, 0 write units");
        assert_snapshot!(service.effect(service.api.restore("x")).await.usage, @"no calls: 0 read, 0 write units");
        service.check_permissions("events-restore");
    }

    #[tokio::test]
    async fn expired_event_is_gone() {
        let verified = VerifiedService::start().await;
        let (owner, other) = (verified.by(MANAGER), verified.by(OTHER_MANAGER));
        let (service, dynamodb) = (&verified.service, verified.service.stack.dynamodb());
        for (partition, sort) in [("POSTER#ID.png", "POSTER"), ("EVENT#ID", "MAP#000"), ("EVENT#ID", "EVENT")] {
            let id = owner.deleted().await;
            let partition = partition.replace("ID", &id);
            if sort == "EVENT" {
                // Expired, but not yet removed by the database.
                set(&dynamodb, &partition, sort, "expiresAt", AttributeValue::N("1".to_owned())).await;
            } else {
                let key = |text: &str| AttributeValue::S(text.to_owned());
                let delete = dynamodb.delete_item().table_name(TABLE).key("pk", key(&partition)).key("sk", key(sort));
                delete.send().await.unwrap();
            }
            let effect = service.effect(owner.restore(&id)).await;
            assert_eq!((effect.response.status, effect.changes), (404, vec![]), "{sort}");
            // The event itself also to a manager who does not own it.
            let expected = if sort == "EVENT" { 404 } else { 403 };
            assert_eq!(other.restore(&id).await.status, expected);
        }
    }

    #[tokio::test]
    async fn late_restoration_follows_edits() {
        let service = Service::start().await;
        let id = service.other.deleted().await;
        // Between its read and its transaction, the event is restored, edited and deleted again.
        let meanwhile = async {
            service.other.restore(&id).await.check(200, "0");
            service.other.edit(&id, &json!({"eventDatetimes": ["2027-03-01T00:00:00Z"]})).await.check(200, "0");
            service.other.delete(&id).await.check(204, "0");
        };
        let data = service.interrupted(service.api.restore(&id), meanwhile).await.expect(200, "0").data();
        assert_eq!(data["eventDatetimes"][0]["datetime"], "2027-03-01T00:00:00Z");
        service.contents().await.check();
        // Another restoration comes first.
        service.other.delete(&id).await.check(204, "0");
        let overtake = async { service.other.restore(&id).await.check(200, "0") };
        service.interrupted(service.api.restore(&id), overtake).await.check(200, "0");
    }

    #[tokio::test]
    async fn faults_leave_event_deleted_or_live() {
        let restore = async |api: &Api, id: &String| api.restore(id).await;
        assert_snapshot!(faults(async |service| service.other.deleted().await, restore).await, @r"
                            once  lost  fails  unknown     ends   ends after
        GetItem EVENT       200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
