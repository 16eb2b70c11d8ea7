//! Edits of events in the table, and simultaneous changes.

use api::event::EventSummary;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::manager::Authentication;
use events_edit::Edit;
use local::TABLE;
use serde_json::{Value, json};
use storage::{event::Events, keys};
use tests::{
    Api, Response,
    fault::Rule,
    function::{self, edit_request},
    sample, stack, table_with_rule,
};
use uuid::Uuid;

use crate::items::items_of;

/// Registers an event, and returns the request and the id.
async fn registered() -> (Value, String) {
    let event = sample::event();
    let created = Api::new().create(&event).await.expect(201, "0").data();
    (event, created["id"].as_str().unwrap().to_owned())
}

/// Sends an edit to a database with a rule for its transaction.
async fn edit_with(rule: Rule, id: &str, change: &Value) -> Response {
    let edit = Edit::new(table_with_rule(rule).await, Authentication::Open);
    Box::pin(function::send(edit, edit_request(id, change))).await
}

#[tokio::test]
async fn edit_replaces_locks() {
    let (_, id) = registered().await;
    let change = json!({"eventDatetimes": ["2027-03-01T00:00:00Z", "2027-04-01T00:00:00Z"], "title": sample::unique()});
    Api::new().edit(&id, &change).await.expect(200, "0");
    let event: Uuid = id.parse().unwrap();
    let mut locks = Vec::new();
    for item in items_of(event).await {
        if item["sk"].as_s().unwrap().starts_with("SHOW#") {
            locks.extend(item.keys().filter(|name| name.starts_with("20")).cloned());
        }
    }
    locks.sort();
    assert_eq!(locks, ["2027-03-01T00:00:00Z", "2027-04-01T00:00:00Z"]);
}

#[tokio::test]
async fn attributes_of_other_versions_are_kept() {
    let (_, id) = registered().await;
    let key = keys::event(id.parse().unwrap()).attributes();
    let update = stack().dynamodb().update_item().table_name(TABLE).set_key(Some(key.clone()));
    let later = AttributeValue::S("of a later version".to_owned());
    let update = update.update_expression("SET later = :later").expression_attribute_values(":later", later.clone());
    update.send().await.unwrap();

    let api = Api::new();
    api.edit(&id, &json!({"title": sample::unique(), "genre": "연극"})).await.check(200, "0");
    api.edit(&id, &json!({"genre": null})).await.check(200, "0");
    api.replace_thumbnail(&id, sample::OTHER_POSTER).await.check(200, "0");
    assert_eq!(api.delete(&id).await.status, 204);
    api.restore(&id).await.check(200, "0");
    let item = stack().dynamodb().get_item().table_name(TABLE).set_key(Some(key)).send().await.unwrap().item.unwrap();
    assert_eq!(item["later"], later);
    assert!(!item.contains_key("genre"));
}

#[tokio::test]
async fn overtaken_edit_is_retried() {
    let (_, id) = registered().await;
    let other = id.clone();
    let overtake = move || {
        let other = other.clone();
        async move { Api::new().edit(&other, &json!({"place": "잠실"})).await.check(200, "0") }
    };
    let edited =
        edit_with(Rule::interleaved(overtake), &id, &json!({"artist": "잔나비"})).await.expect(200, "0").data();
    assert_eq!((&edited["place"], &edited["artist"]), (&json!("잠실"), &json!("잔나비")));
    assert_eq!(Api::new().event(&id).await.data(), edited);
}

#[tokio::test]
async fn edit_of_deleted_event_is_rejected() {
    let (event, id) = registered().await;
    let other = id.clone();
    let delete = move || {
        let other = other.clone();
        async move { assert_eq!(Api::new().delete(&other).await.status, 204) }
    };
    let change = json!({"title": sample::unique()});
    edit_with(Rule::interleaved(delete), &id, &change).await.expect(404, "E_002");
    let mut new = event;
    new["title"] = change["title"].clone();
    Api::new().create(&new).await.check(201, "0");
}

#[tokio::test]
async fn deletion_releases_edited_shows() {
    let (mut event, id) = registered().await;
    let other = id.clone();
    let change = json!({"eventDatetimes": ["2027-03-01T00:00:00Z"]});
    event["eventDatetimes"] = change["eventDatetimes"].clone();
    let edit = move || {
        let (other, change) = (other.clone(), change.clone());
        async move { Api::new().edit(&other, &change).await.check(200, "0") }
    };
    let overtaken = Events::new(table_with_rule(Rule::interleaved(edit)).await);
    overtaken.delete(id.parse().unwrap(), None).await.unwrap();
    Api::new().create(&event).await.check(201, "0");
}

#[tokio::test]
async fn restoration_restores_edited_event() {
    let api = Api::new();
    let (mut event, id) = registered().await;
    let change = json!({"eventDatetimes": ["2027-03-01T00:00:00Z"], "artist": "잔나비"});
    let edited = api.edit(&id, &change).await.expect(200, "0").data();
    assert_eq!(api.delete(&id).await.status, 204);
    assert_eq!(api.restore(&id).await.expect(200, "0").data(), edited);
    assert_eq!(api.event(&id).await.data(), edited);
    event["eventDatetimes"] = change["eventDatetimes"].clone();
    api.create(&event).await.expect(409, "E_001");
}

#[tokio::test]
async fn late_restoration_follows_edits() {
    let (_, id) = registered().await;
    let uuid: Uuid = id.parse().unwrap();
    let api = Api::new();
    assert_eq!(api.delete(&id).await.status, 204);
    // Between its read and its transaction, the event is restored, edited and deleted again.
    let meanwhile = move || async move {
        let api = Api::new();
        api.restore(&uuid.to_string()).await.check(200, "0");
        api.edit(&uuid.to_string(), &json!({"eventDatetimes": ["2027-03-01T00:00:00Z"]})).await.check(200, "0");
        assert_eq!(api.delete(&uuid.to_string()).await.status, 204);
    };
    let overtaken = Events::new(table_with_rule(Rule::interleaved(meanwhile)).await);
    let restored = overtaken.restore(uuid, None).await.unwrap();
    let restored = serde_json::to_value(EventSummary::from(&restored)).unwrap();
    let shows = api.event(&id).await.expect(200, "0").data()["eventDatetimes"].take();
    assert_eq!(restored["eventDatetimes"], shows);
    assert_eq!(shows[0]["datetime"], "2027-03-01T00:00:00Z");
    assert_eq!(api.delete(&id).await.status, 204);
    assert!(items_of(uuid).await.iter().all(|item| !item["sk"].as_s().unwrap().starts_with("SHOW#")), "a stale lock");
}
