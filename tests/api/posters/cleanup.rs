//! `posters-cleanup`, which the stream of the table invokes.

use std::{
    collections::BTreeSet,
    time::{Duration, SystemTime},
};
use tests::prelude::*;

use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_s3::primitives::ByteStream;
use domain::{
    clock::Clock,
    event_change::{DELETED_EVENT_RETENTION, REPLACED_POSTER_RETENTION},
};
use functions::posters::{
    cleanup::Cleanup,
    stream::{BatchItemFailure, BatchResponse},
};
use local::{BUCKET, TABLE};
use storage::{
    events::{
        poster_expiry::{ORPHAN_LIFETIME, PosterExpiry},
        poster_store::PREFIX,
    },
    keys,
    table::Table,
};
use tests::{
    fault::{Extent, Fault, Rule},
    sample::{OTHER_POSTER, POSTER},
};
use uuid::Uuid;

/// Time longer than any step of these tests.
const MARGIN: Duration = Duration::from_mins(10);

/// Stores a poster without an event, and returns its name.
async fn orphan(service: &Service) -> String {
    let thumbnail = format!("{}.png", Uuid::now_v7());
    let table = Table::new(service.stack.dynamodb(), TABLE.to_owned());
    PosterExpiry::new(table).schedule(&thumbnail).await.unwrap();
    let put = service.stack.s3().put_object().bucket(BUCKET).key(format!("{PREFIX}{thumbnail}"));
    put.body(ByteStream::from_static(POSTER)).send().await.unwrap();
    thumbnail
}

/// Lets items and posters expire that have this lifetime, and nothing later; returns the remaining posters.
async fn sweep(service: &Service, lifetime: Duration) -> Vec<String> {
    let before = service.contents().await.posters;
    assert_eq!(service.stack.sweep(SystemTime::now() + lifetime - MARGIN).await.unwrap(), 0);
    assert_eq!(service.contents().await.posters, before);
    service.stack.sweep(SystemTime::now() + lifetime + MARGIN).await.unwrap();
    service.contents().await.posters.into_iter().collect()
}

/// Builds a record of the stream for an expired poster.
fn expired(thumbnail: &str) -> Value {
    json!({
        "eventID": thumbnail, "eventName": "REMOVE", "awsRegion": "ap-northeast-2",
        "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
        "dynamodb": {
            "Keys": {"pk": {"S": format!("POSTER#{thumbnail}")}, "sk": {"S": "POSTER"}},
            "SequenceNumber": thumbnail, "SizeBytes": 100,
        },
    })
}

/// Builds a record of the stream for an expired event.
fn expired_event(id: &str) -> Value {
    let mut record = expired(id);
    record["dynamodb"]["Keys"] = json!({"pk": {"S": format!("EVENT#{id}")}, "sk": {"S": "EVENT"}});
    record
}

/// Registers an event of a show that soon begins, and uses its seats in every way; returns its id.
///
/// Afterwards the show is finished, so that the event can be deleted.
async fn used_event(service: &Service, clock: &Clock) -> String {
    let api = &service.other;
    let mut event = Sale::on_sale();
    let now = clock.now().as_secs();
    event["eventDatetimes"] = json!([now + 3_600, now + 7_200, now + 10_800]);
    let sale = Sale::of(&api.create(&event).await);
    let (tokens, sold) = sale.held(api, &[0, 1]).await;
    sale.confirm(api, &sold, "order-1", 100_000.0).await.check(200, "0");
    sale.hold(api, &tokens, &[2]).await.check(201, "0");
    let (_, cancelled) = sale.held(api, &[3]).await;
    sale.confirm(api, &cancelled, "order-2", 50_000.0).await.check(200, "0");
    sale.cancel(api, &cancelled, "order-2").await.check(200, "0");
    let (tokens, released) = sale.held(api, &[4]).await;
    sale.release(api, &tokens, &released).await.check(204, "0");
    sale.held(api, &[5]).await;
    let codes = sale.codes(api, &[130, 131]).await;
    let gate = sale.gate(api, "남문").await;
    assert_eq!(sale.scanned(api, &gate, &codes[0]).await, "ADMITTED");
    sale.block(api, &[128, 129]).await.check(200, "0");
    // Its last show is removed, after one of its seats was blocked and freed.
    let last = api.event(&sale.event).await.data()["eventDatetimes"][2]["id"].as_str().unwrap().to_owned();
    let removed = Sale { show: last, ..sale.clone() };
    removed.gate(api, "남문").await;
    removed.block(api, &[0]).await.check(200, "0");
    removed.unblock(api, &[0]).await.check(200, "0");
    let kept = json!({"eventDatetimes": &event["eventDatetimes"].as_array().unwrap()[..2]});
    api.edit(&sale.event, &kept).await.check(200, "0");
    api.edit(&sale.event, &json!({"title": sample::unique(), "place": "다른 곳"})).await.check(200, "0");
    api.edit_show(&sale.event, &sale.show, &json!({"datetime": now + 4_000})).await.check(200, "0");
    api.replace_thumbnail(&sale.event, OTHER_POSTER).await.check(200, "0");
    clock.advance(2 * 24 * 60 * 60);
    sale.event
}

/// Calls the function with records of the stream, and returns the posters that it could not clean up.
async fn failures(service: &Service, records: &[Value]) -> Vec<String> {
    let environment = service.stack.environment().unwrap();
    let environment = environment.with_clients(service.proxy.dynamodb().clone(), service.proxy.s3().clone());
    let cleanup = Cleanup::new(&environment).await.unwrap();
    let event = serde_json::from_value(json!({"Records": records})).unwrap();
    let failures = cleanup.handle(event).await.batch_item_failures;
    failures.into_iter().map(|failure| failure.item_identifier).collect()
}

#[test]
fn response_has_the_names_of_lambda() {
    let response = BatchResponse { batch_item_failures: vec![BatchItemFailure { item_identifier: "1".to_owned() }] };
    assert_eq!(serde_json::to_value(response).unwrap(), json!({"batchItemFailures": [{"itemIdentifier": "1"}]}));
}

#[tokio::test]
async fn expired_event_loses_poster() {
    let service = Service::start().await;
    service.other.created().await;
    let [deleted, restored] = [service.other.deleted().await, service.other.deleted().await];
    service.other.restore(&restored).await.check(200, "0");
    let posters = sweep(&service, DELETED_EVENT_RETENTION).await;
    assert_eq!((posters.len(), posters.contains(&format!("{deleted}.png"))), (2, false));
    assert_eq!(service.contents().await.of_kind("EVENT").count(), 2);
    service.contents().await.check();
}

#[tokio::test]
async fn deleted_event_leaves_nothing() {
    let (service, clock) = Service::with_clock().await;
    let event = used_event(&service, &clock).await;
    service.other.delete(&event).await.check(204, "0");
    service.contents().await.check_seats(now());
    // What has no owner after an hour or a day, the idempotency keys and the counters of logins.
    let month = SystemTime::now() + DELETED_EVENT_RETENTION;
    service.stack.sweep(month - MARGIN).await.unwrap();
    let of_event = async || {
        let contents = service.contents().await;
        let kinds = contents.items.keys().map(|[partition, _]| partition.split('#').next().unwrap().to_owned());
        let of_members = ["EMAIL", "MEMBER", "NICKNAME", "SESSION"];
        let kinds: BTreeSet<_> = kinds.filter(|kind| !of_members.contains(&&**kind)).collect();
        (kinds.into_iter().collect::<Vec<_>>().join(" "), contents.posters.len())
    };
    assert_eq!(of_event().await, ("EVENT FENCE GATES HOLD HOLDER POSTER SEATS".to_owned(), 1));
    // Two days more: the clock of the service has advanced by them, and holds and holders expire as late.
    let later = month + Duration::from_hours(48) + MARGIN;
    service.stack.sweep(later).await.unwrap();
    assert_eq!(of_event().await, (String::new(), 0));
}

#[tokio::test]
async fn removal_of_remains_continues_after_faults() {
    let (service, clock) = Service::with_clock().await;
    let of_seats = async || {
        let contents = service.contents().await;
        ["FENCE", "GATES", "SEATS"].map(|kind| contents.of_kind(kind).count())
    };
    let deletions = ["GATES", "HOLD", "SEATS", "FENCE"].map(|kind| format!("DeleteItem {kind}"));
    for call in ["GetItem EVENT", "BatchGetItem", "Query"].into_iter().chain(deletions.iter().map(String::as_str)) {
        let event = used_event(&service, &clock).await;
        // As long as the event exists, nothing is removed.
        let record = expired_event(&event);
        let before = of_seats().await;
        assert_eq!(failures(&service, std::slice::from_ref(&record)).await, Vec::<String>::new());
        assert_eq!(of_seats().await, before);
        service.other.delete(&event).await.check(204, "0");
        let key = keys::event(event.parse().unwrap()).attributes();
        service.stack.dynamodb().delete_item().table_name(TABLE).set_key(Some(key)).send().await.unwrap();
        let rule = Rule::new(call, Extent::Call, Fault::ConnectionError);
        let failed = service.with_rule(rule, failures(&service, std::slice::from_ref(&record))).await;
        assert_eq!(failed, [event], "{call}");
        assert_eq!(failures(&service, &[record]).await, Vec::<String>::new());
        assert_eq!(of_seats().await, [0, 0, 0], "{call}");
    }
    failures(&service, &[expired(&orphan(&service).await)]).await;
    service.check_permissions("posters-cleanup");
}

#[tokio::test]
async fn orphan_expires_in_an_hour() {
    let service = Service::start().await;
    orphan(&service).await;
    assert_eq!(sweep(&service, ORPHAN_LIFETIME).await, Vec::<String>::new());
}

#[tokio::test]
async fn replaced_poster_expires_in_a_day() {
    let service = Service::start().await;
    let id = service.other.created().await;
    let replaced = service.other.replace_thumbnail(&id, OTHER_POSTER).await.expect(200, "0").data();
    assert_eq!(sweep(&service, REPLACED_POSTER_RETENTION).await, [replaced["thumbnail"].as_str().unwrap()]);
}

#[tokio::test]
async fn expired_poster_fails_creation() {
    let service = Service::start().await;
    let late = SystemTime::now() + ORPHAN_LIFETIME + MARGIN;
    let sweep = async { assert_eq!(service.stack.sweep(late).await.unwrap(), 1) };
    let event = sample::event();
    assert_snapshot!(service.interrupted(service.api.create(&event), sweep).await, @r#"
    503
    retry-after: 2
    {"message": "지금은 포스터 저장소를 사용할 수 없습니다. 잠시 후 다시 시도해 주세요.", "code": "S_002"}
    "#);
    let contents = service.contents().await;
    assert!(contents.items.is_empty() && contents.posters.is_empty());
}

#[tokio::test]
async fn late_expiry_record_is_harmless() {
    let service = Service::start().await;
    let id = service.other.created().await;
    let (thumbnail, expiry) = (format!("{id}.png"), PosterExpiry::new(service.proxy.table()));
    // A delayed attempt to store it, after the event was registered.
    expiry.schedule(&thumbnail).await.unwrap();
    assert_eq!(sweep(&service, ORPHAN_LIFETIME).await, [&*thumbnail]);
    // After the event was deleted.
    service.other.delete(&id).await.check(204, "0");
    expiry.schedule(&thumbnail).await.unwrap();
    assert_eq!(service.stack.sweep(SystemTime::now() + 2 * ORPHAN_LIFETIME).await.unwrap(), 0);
    // A record of the stream that is late.
    assert_eq!(failures(&service, &[expired(&thumbnail)]).await, Vec::<String>::new());
    service.other.restore(&id).await.check(200, "0");
    service.contents().await.check();
}

#[tokio::test]
async fn restored_poster_survives_sweep() {
    let service = Service::start().await;
    let id = service.other.deleted().await;
    let later = (SystemTime::now() + MARGIN).duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let partition = format!("POSTER#{id}.png");
    set(&service.stack.dynamodb(), &partition, "POSTER", "expiresAt", AttributeValue::N(later.to_string())).await;
    let (swept, restored) =
        tokio::join!(service.stack.sweep(SystemTime::now() + 2 * MARGIN), service.other.restore(&id));
    // In both orders: the event itself has not expired.
    assert!(matches!((swept.unwrap(), restored.status), (0, 200) | (1, 404)));
    assert_eq!(service.contents().await.posters.len(), 1);
}

#[tokio::test]
async fn only_expiry_removes_posters() {
    let service = Service::start().await;
    let thumbnail = orphan(&service).await;
    let changed = |change: fn(&mut Value)| {
        let mut record = expired(&thumbnail);
        change(&mut record);
        record
    };
    for record in [
        // A transaction of the service, which keeps the poster.
        changed(|record| record["userIdentity"] = Value::Null),
        changed(|record| record["userIdentity"]["principalId"] = "AIDAEXAMPLE".into()),
        changed(|record| record["userIdentity"]["type"] = "User".into()),
        changed(|record| record["eventName"] = "INSERT".into()),
        changed(|record| record["eventName"] = "MODIFY".into()),
        changed(|record| record["dynamodb"]["Keys"]["pk"]["S"] = "EVENT#1".into()),
        changed(|record| record["dynamodb"]["Keys"]["pk"]["S"] = format!("EVENT#{}", Uuid::nil()).into()),
        changed(|record| record["dynamodb"]["Keys"] = json!({})),
    ] {
        assert_eq!(failures(&service, std::slice::from_ref(&record)).await, Vec::<String>::new());
        assert_eq!(service.contents().await.posters.len(), 1, "{record}");
    }
    // The stream delivers it twice in one batch, and again in the next one.
    service.proxy.set_rules([]);
    for _ in 0..2 {
        assert_eq!(failures(&service, &[expired(&thumbnail), expired(&thumbnail)]).await, Vec::<String>::new());
        assert_eq!(service.contents().await.posters.len(), 0);
    }
}

#[tokio::test]
async fn failed_poster_is_reported_and_kept() {
    let service = Service::start().await;
    let usage = async |records: &[Value]| {
        let _ = service.proxy.take_usage();
        assert_eq!(failures(&service, records).await, Vec::<String>::new());
        service.proxy.take_usage()
    };
    assert_snapshot!(usage(&[expired(&orphan(&service).await)]).await, @"GetItem EVENT, DELETE poster: 1 read, 0 write units");
    for call in ["GetItem EVENT", "DELETE poster"] {
        for (nth, fault) in [(0, Fault::ConnectionError), (1, Fault::ConnectionError), (1, Fault::LostResponse)] {
            let posters = [orphan(&service).await, orphan(&service).await];
            let records = [expired(&posters[0]), expired(&posters[1])];
            let is_removed = call == "DELETE poster" && matches!(fault, Fault::LostResponse);
            let rule = Rule { nth, ..Rule::new(call, Extent::Call, fault) };
            // Only the failed one is delivered again: either, because they are removed at the same time.
            let failed = service.with_rule(rule, failures(&service, &records)).await;
            assert!(failed.len() == 1 && posters.contains(&failed[0]), "{failed:?}");
            let remaining: Vec<_> = service.contents().await.posters.into_iter().collect();
            assert_eq!(remaining, if is_removed { vec![] } else { failed });
            assert_eq!(failures(&service, &records).await, Vec::<String>::new());
            assert!(service.contents().await.posters.is_empty());
        }
    }
}
