//! Items of restored events.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::error::Error;
use local::TABLE;
use serde_json::Value;
use storage::{
    event::Events,
    keys::{self, Key},
};
use tests::{Api, fault::Rule, sample, stack, table_with_rule};
use uuid::Uuid;

use crate::items::items_of;

/// Registers an event, and returns the id and the response data.
async fn registered() -> (Uuid, Value) {
    let created = Api::new().create(&sample::event()).await.expect(201, "0").data();
    (created["id"].as_str().unwrap().parse().unwrap(), created)
}

/// Registers and deletes an event, and returns the same as `registered`.
async fn deleted() -> (Uuid, Value) {
    let registered = registered().await;
    assert_eq!(Api::new().delete(&registered.0.to_string()).await.status, 204);
    registered
}

async fn remove(key: &Key) {
    let delete = stack().dynamodb().delete_item().table_name(TABLE);
    delete.set_key(Some(key.attributes())).send().await.unwrap();
}

/// Restores an event that cannot be restored, and checks that nothing changes.
async fn expect_gone(id: Uuid) {
    let before = items_of(id).await;
    Api::new().restore(&id.to_string()).await.expect(404, "E_002");
    assert_eq!(items_of(id).await, before);
}

#[tokio::test]
async fn restored_items_are_as_before() {
    let api = Api::new();
    let (id, _) = registered().await;
    let before = items_of(id).await;
    assert_eq!(api.delete(&id.to_string()).await.status, 204);
    api.restore(&id.to_string()).await.expect(200, "0");
    let after = items_of(id).await;
    assert_eq!(after.len(), before.len());
    assert!(after.iter().all(|item| before.contains(item)), "{after:?}");

    api.restore(&id.to_string()).await.expect(200, "0");
    assert_eq!(items_of(id).await, after, "a second restoration");
}

#[tokio::test]
async fn partly_expired_event_is_gone() {
    let poster = |created: &Value| keys::poster(created["thumbnail"].as_str().unwrap());
    let seats = |created: &Value| keys::chunk(created["id"].as_str().unwrap().parse().unwrap(), 0);
    for part in [poster, seats] {
        let (id, created) = deleted().await;
        remove(&part(&created)).await;
        expect_gone(id).await;
    }
}

#[tokio::test]
async fn expired_event_is_gone() {
    let (id, _) = deleted().await;
    let update = stack().dynamodb().update_item().table_name(TABLE);
    let update = update.set_key(Some(keys::event(id).attributes())).update_expression("SET expiresAt = :past");
    update.expression_attribute_values(":past", AttributeValue::N("1".into())).send().await.unwrap();
    expect_gone(id).await;
    // Also to a manager who does not own it.
    let result = Events::new(tests::table()).restore(id, Some(Uuid::nil())).await;
    assert!(matches!(result, Err(Error::NoSuchEvent)), "{result:?}");
    remove(&keys::event(id)).await;
    expect_gone(id).await;
}

#[tokio::test]
async fn overtaken_restoration_succeeds() {
    let (id, created) = deleted().await;
    let other = move || async move { drop(Events::new(tests::table()).restore(id, None).await.unwrap()) };
    let overtaken = Events::new(table_with_rule(Rule::interleaved(other)).await);
    let restored = overtaken.restore(id, None).await.unwrap();
    assert_eq!(restored.id.to_string(), created["id"]);
    Api::new().event(&id.to_string()).await.expect(200, "0");
}
