//! Restoration of deleted events.

use aws_sdk_dynamodb::types::AttributeValue;
use events_restore::{Request, Restore};
use local::TABLE;
use serde_json::Value;
use storage::{
    event::Events,
    keys::{self, Key},
    restoration::Restoration,
};
use tests::{Api, fault::Rule, sample, stack, table_with_rule};
use uuid::Uuid;

use crate::items::items_of;

async fn restore(id: &str) -> Restoration {
    let restore = Restore::new(tests::table());
    let request: Request = serde_json::from_str(&format!(r#"{{"eventId": "{id}"}}"#)).unwrap();
    restore.handle(request).await.unwrap().result
}

/// Registers an event, and returns the request, the id and the response data.
async fn registered() -> (Value, String, Value) {
    let event = sample::event();
    let created = Api::new().create(&event).await.expect(201, "0").data();
    (event, created["id"].as_str().unwrap().to_owned(), created)
}

/// Registers and deletes an event, and returns the same as `registered`.
async fn deleted() -> (Value, String, Value) {
    let registered = registered().await;
    assert_eq!(Api::new().delete(&registered.1).await.status, 204);
    registered
}

async fn remove(key: &Key) {
    let delete = stack().dynamodb().delete_item().table_name(TABLE);
    delete.set_key(Some(key.attributes())).send().await.unwrap();
}

#[tokio::test]
async fn restored_event_is_unchanged() {
    let api = Api::new();
    let (event, id, created) = registered().await;
    let before = items_of(id.parse().unwrap()).await;
    assert_eq!(api.delete(&id).await.status, 204);
    assert_eq!(restore(&id).await, Restoration::Restored);

    assert_eq!(api.get(&format!("/api/v1/events/{id}/detail")).await.data(), created);
    assert!(api.get("/api/v1/events").await.ids().contains(&id));
    assert_eq!(api.poster(created["thumbnail"].as_str().unwrap()).await.body, sample::POSTER);
    api.create(&event).await.expect(409, "E_001");
    let after = items_of(id.parse().unwrap()).await;
    assert_eq!(after.len(), before.len());
    assert!(after.iter().all(|item| before.contains(item)), "{after:?}");

    assert_eq!(restore(&id).await, Restoration::NotDeleted);
    assert_eq!(api.delete(&id).await.status, 204);
    assert_eq!(restore(&id).await, Restoration::Restored);
}

#[tokio::test]
async fn unknown_event_is_gone() {
    assert_eq!(restore(&Uuid::now_v7().to_string()).await, Restoration::Gone);
}

#[tokio::test]
async fn taken_show_stops_restoration() {
    let api = Api::new();
    let (mut event, id, _) = deleted().await;
    // One of its two shows is enough.
    event["eventDatetimes"].as_array_mut().unwrap().pop();
    let other = api.create(&event).await.expect(201, "0").data()["id"].as_str().unwrap().to_owned();
    let before = items_of(id.parse().unwrap()).await;
    assert_eq!(restore(&id).await, Restoration::Claimed);
    assert_eq!(items_of(id.parse().unwrap()).await, before);
    api.event(&id).await.expect(404, "E_002");

    assert_eq!(api.delete(&other).await.status, 204);
    assert_eq!(restore(&id).await, Restoration::Restored);
    assert_eq!(restore(&other).await, Restoration::Claimed);
}

#[tokio::test]
async fn partly_expired_stays_deleted() {
    let poster = |created: &Value| keys::poster(created["thumbnail"].as_str().unwrap());
    let seats = |created: &Value| keys::chunk(created["id"].as_str().unwrap().parse().unwrap(), 0);
    for part in [poster, seats] {
        let (_, id, created) = deleted().await;
        remove(&part(&created)).await;
        let before = items_of(id.parse().unwrap()).await;
        assert_eq!(restore(&id).await, Restoration::PartlyExpired);
        assert_eq!(items_of(id.parse().unwrap()).await, before);
    }
}

#[tokio::test]
async fn expired_event_is_gone() {
    let (_, id, _) = deleted().await;
    let key = keys::event(id.parse().unwrap());
    let update = stack().dynamodb().update_item().table_name(TABLE);
    let update = update.set_key(Some(key.attributes())).update_expression("SET expiresAt = :past");
    update.expression_attribute_values(":past", AttributeValue::N("1".into())).send().await.unwrap();
    assert_eq!(restore(&id).await, Restoration::Gone);
    remove(&key).await;
    assert_eq!(restore(&id).await, Restoration::Gone);
}

#[tokio::test]
async fn one_restoration_succeeds() {
    let (_, id, _) = deleted().await;
    let results: Vec<_> = futures_util::future::join_all((0..8).map(|_| restore(&id))).await;
    let restored = results.iter().filter(|result| **result == Restoration::Restored).count();
    assert_eq!(restored, 1, "{results:?}");
    assert!(results.iter().all(|result| [Restoration::Restored, Restoration::NotDeleted].contains(result)));
}

#[tokio::test]
async fn late_restoration_is_no_op() {
    let (_, id, _) = deleted().await;
    let event: Uuid = id.parse().unwrap();
    let other = move || async move {
        assert_eq!(Events::new(tests::table()).restore(event).await.unwrap(), Restoration::Restored);
    };
    let overtaken = Events::new(table_with_rule(Rule::interleaved(other)).await);
    assert_eq!(overtaken.restore(event).await.unwrap(), Restoration::NotDeleted);
}
