//! Cleanup of orphaned posters.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_s3::primitives::ByteStream;
use domain::{error::Error, manager::Authentication};
use events_create::Create;
use events_delete::Delete;
use events_thumbnail::ReplaceThumbnail;
use local::{BUCKET, Stack, TABLE};
use posters_cleanup::{
    Cleanup,
    stream::{BatchItemFailure, BatchResponse, StreamEvent},
};
use serde_json::{Value, json};
use storage::{
    event::Events,
    event_change::DELETED_EVENT_RETENTION,
    keys,
    poster::{PREFIX, Posters},
    poster_expiry::{ORPHAN_LIFETIME, PosterExpiry, REPLACED_POSTER_RETENTION},
    table::Table,
};
use tests::{
    Proxy,
    fault::Rule,
    function::{self, call, event_request, post_form, thumbnail_request},
    new_stack, sample, stack,
};
use uuid::Uuid;

/// Time longer than any step of these tests.
const MARGIN: Duration = Duration::from_mins(10);

fn table(stack: &Stack) -> Table {
    Table::new(stack.dynamodb(), TABLE.to_owned())
}

fn posters(stack: &Stack) -> Posters {
    Posters::new(stack.s3(), BUCKET.to_owned())
}

fn create(stack: &Stack) -> Create {
    Create::new(table(stack), posters(stack), Authentication::Open)
}

/// Registers an event, and returns its id and the file name of its poster.
async fn register(stack: &Stack) -> (String, String) {
    let response = call(create(stack), post_form(&sample::form(&sample::event())), 201).await;
    let data = function::json(&response)["data"].take();
    let text = |name: &str| data[name].as_str().unwrap().to_owned();
    (text("id"), text("thumbnail"))
}

async fn delete(stack: &Stack, id: &str) {
    call(Delete::new(table(stack), Authentication::Open), event_request(id), 204).await;
}

async fn restore(stack: &Stack, id: &str) -> Result<domain::event::Event, Error> {
    Events::new(table(stack)).restore(id.parse().unwrap(), None).await
}

async fn stored_posters(stack: &Stack) -> Vec<String> {
    let listed = stack.s3().list_objects_v2().bucket(BUCKET).send().await.unwrap();
    let keys = listed.contents().iter().map(|object| object.key().unwrap());
    keys.map(|key| key.strip_prefix(PREFIX).unwrap().to_owned()).collect()
}

async fn stored_items(stack: &Stack) -> Vec<String> {
    let items = stack.dynamodb().scan().table_name(TABLE).send().await.unwrap().items.unwrap();
    let mut kinds: Vec<_> = items.iter().map(|item| item["sk"].as_s().unwrap().clone()).collect();
    kinds.sort();
    kinds
}

#[tokio::test]
async fn expired_event_loses_poster() {
    let stack = new_stack().await;
    let (id, thumbnail) = register(&stack).await;
    delete(&stack, &id).await;
    let expiry = SystemTime::now() + DELETED_EVENT_RETENTION;

    assert_eq!(stack.sweep(expiry - MARGIN).await.unwrap(), 0);
    assert_eq!(stored_items(&stack).await, ["EVENT", "MAP#000", "POSTER", "SHOW#15"]);
    assert_eq!(stored_posters(&stack).await, [thumbnail]);

    assert_eq!(stack.sweep(expiry + MARGIN).await.unwrap(), 3);
    assert_eq!(stored_items(&stack).await, ["SHOW#15"], "the lock item, without shows");
    assert_eq!(stored_posters(&stack).await, Vec::<String>::new());
}

#[tokio::test]
async fn live_event_keeps_poster() {
    let stack = new_stack().await;
    let (live, poster_of_live) = register(&stack).await;
    let (restored, poster_of_restored) = register(&stack).await;
    delete(&stack, &restored).await;
    restore(&stack, &restored).await.unwrap();

    assert_eq!(stack.sweep(SystemTime::now() + 2 * DELETED_EVENT_RETENTION).await.unwrap(), 0);
    let mut kept = [poster_of_live, poster_of_restored];
    kept.sort();
    assert_eq!(stored_posters(&stack).await, kept);
    for id in [live, restored] {
        Events::new(table(&stack)).get_with_seats(id.parse().unwrap()).await.unwrap();
    }
}

#[tokio::test]
async fn orphan_expires_in_an_hour() {
    let stack = new_stack().await;
    let thumbnail = format!("{}.png", Uuid::now_v7());
    PosterExpiry::new(table(&stack)).schedule(&thumbnail).await.unwrap();
    put_poster(&stack, &thumbnail).await;
    let expiry = SystemTime::now() + ORPHAN_LIFETIME;

    assert_eq!(stack.sweep(expiry - MARGIN).await.unwrap(), 0);
    assert_eq!(stored_posters(&stack).await, [thumbnail]);
    assert_eq!(stack.sweep(expiry + MARGIN).await.unwrap(), 1);
    assert_eq!(stored_posters(&stack).await, Vec::<String>::new());
}

#[tokio::test]
async fn replaced_poster_expires_in_a_day() {
    let stack = new_stack().await;
    let (id, old) = register(&stack).await;
    let replace = ReplaceThumbnail::new(table(&stack), posters(&stack), Authentication::Open);
    let response = call(replace, thumbnail_request(&id), 200).await;
    let new = function::json(&response)["data"]["thumbnail"].as_str().unwrap().to_owned();
    let expiry = SystemTime::now() + REPLACED_POSTER_RETENTION;

    assert_eq!(stack.sweep(expiry - MARGIN).await.unwrap(), 0);
    let mut both = [old, new.clone()];
    both.sort();
    assert_eq!(stored_posters(&stack).await, both);
    assert_eq!(stack.sweep(expiry + MARGIN).await.unwrap(), 1);
    assert_eq!(stored_posters(&stack).await, [new]);

    delete(&stack, &id).await;
    stack.sweep(SystemTime::now() + DELETED_EVENT_RETENTION + MARGIN).await.unwrap();
    assert_eq!(stored_posters(&stack).await, Vec::<String>::new());
}

#[tokio::test]
async fn rejected_replacement_leaves_no_orphan() {
    let stack = Arc::new(new_stack().await);
    let (id, old) = register(&stack).await;
    let (deleting, deleted) = (Arc::clone(&stack), id.clone());
    let delete = move || {
        let (stack, id) = (Arc::clone(&deleting), deleted.clone());
        async move { delete(&stack, &id).await }
    };
    let interrupted_table = Proxy::start(&stack, [Rule::interleaved(delete)]).await.detach().table;
    let replace = ReplaceThumbnail::new(interrupted_table, posters(&stack), Authentication::Open);
    call(replace, thumbnail_request(&id), 404).await;
    assert_eq!(stored_posters(&stack).await, [old]);
}

async fn put_poster(stack: &Stack, thumbnail: &str) {
    let put = stack.s3().put_object().bucket(BUCKET).key(format!("{PREFIX}{thumbnail}"));
    put.body(ByteStream::from_static(sample::POSTER)).send().await.unwrap();
}

#[tokio::test]
async fn expired_poster_fails_creation() {
    let stack = Arc::new(new_stack().await);
    let late = SystemTime::now() + ORPHAN_LIFETIME + MARGIN;
    let sweeper = Arc::clone(&stack);
    let sweep = move || {
        let stack = Arc::clone(&sweeper);
        async move { assert_eq!(stack.sweep(late).await.unwrap(), 1) }
    };
    let interrupted_table = Proxy::start(&stack, [Rule::interleaved(sweep)]).await.detach().table;
    let request = post_form(&sample::form(&sample::event()));
    let response = call(Create::new(interrupted_table, posters(&stack), Authentication::Open), request, 503).await;
    assert_eq!(function::json(&response)["code"], "S_002");
    assert_eq!(stored_items(&stack).await, Vec::<String>::new());
    assert_eq!(stored_posters(&stack).await, Vec::<String>::new());
}

#[tokio::test]
async fn late_expiry_record_is_harmless() {
    let stack = new_stack().await;
    let posters = PosterExpiry::new(table(&stack));
    let (id, thumbnail) = register(&stack).await;
    posters.schedule(&thumbnail).await.unwrap();
    assert_eq!(stack.sweep(SystemTime::now() + 2 * ORPHAN_LIFETIME).await.unwrap(), 1);
    assert_eq!(stored_posters(&stack).await, [&*thumbnail]);

    delete(&stack, &id).await;
    posters.schedule(&thumbnail).await.unwrap();
    assert_eq!(stack.sweep(SystemTime::now() + 2 * ORPHAN_LIFETIME).await.unwrap(), 0);
    restore(&stack, &id).await.unwrap();
}

/// Builds a record of the stream for an expired poster.
fn expired(thumbnail: &str) -> Value {
    json!({
        "eventID": "1",
        "eventName": "REMOVE",
        "awsRegion": "ap-northeast-2",
        "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
        "dynamodb": {
            "Keys": {"pk": {"S": format!("POSTER#{thumbnail}")}, "sk": {"S": "POSTER"}},
            "SequenceNumber": "1",
            "SizeBytes": 100,
        },
    })
}

#[tokio::test]
async fn only_expiry_removes_posters() {
    let stack = stack();
    let thumbnail = format!("{}.png", Uuid::now_v7());
    put_poster(stack, &thumbnail).await;
    let changed = |change: fn(&mut Value)| {
        let mut record = expired(&thumbnail);
        change(&mut record);
        record
    };
    let others = [
        // A transaction of the service, which keeps the poster.
        changed(|record| record["userIdentity"] = Value::Null),
        changed(|record| record["userIdentity"]["principalId"] = "AIDAEXAMPLE".into()),
        changed(|record| record["userIdentity"]["type"] = "User".into()),
        changed(|record| record["eventName"] = "INSERT".into()),
        changed(|record| record["eventName"] = "MODIFY".into()),
        changed(|record| record["dynamodb"]["Keys"]["pk"]["S"] = "EVENT#1".into()),
        changed(|record| record["dynamodb"]["Keys"] = json!({})),
    ];
    let cleanup = Cleanup::new(table(stack), posters(stack));
    let handle = async |records: &[Value]| {
        let event: StreamEvent = serde_json::from_value(json!({"Records": records})).unwrap();
        assert_eq!(cleanup.handle(event).await.batch_item_failures, []);
    };
    let key = format!("{PREFIX}{thumbnail}");
    let head = async || stack.s3().head_object().bucket(BUCKET).key(&key).send().await;
    for record in others {
        handle(std::slice::from_ref(&record)).await;
        assert!(head().await.is_ok(), "{record}");
    }
    // The stream delivers it twice in one batch, and again in the next one.
    for _ in 0..2 {
        handle(&[expired(&thumbnail), expired(&thumbnail)]).await;
        assert!(head().await.is_err());
    }
}

#[test]
fn response_has_the_names_of_lambda() {
    let response = BatchResponse { batch_item_failures: vec![BatchItemFailure { item_identifier: "1".to_owned() }] };
    assert_eq!(serde_json::to_value(response).unwrap(), json!({"batchItemFailures": [{"itemIdentifier": "1"}]}));
}

#[tokio::test]
async fn late_record_keeps_poster() {
    let stack = new_stack().await;
    let (id, thumbnail) = register(&stack).await;
    delete(&stack, &id).await;
    let cleanup = Cleanup::new(table(&stack), posters(&stack));
    let event = serde_json::from_value(json!({"Records": [expired(&thumbnail)]})).unwrap();
    assert_eq!(cleanup.handle(event).await.batch_item_failures, []);
    restore(&stack, &id).await.unwrap();
    assert_eq!(stored_posters(&stack).await, [thumbnail]);
}

#[tokio::test]
async fn restored_poster_survives_sweep() {
    let stack = new_stack().await;
    let (id, thumbnail) = register(&stack).await;
    delete(&stack, &id).await;
    let update = stack.dynamodb().update_item().table_name(TABLE);
    let later = (SystemTime::now() + MARGIN).duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    update
        .set_key(Some(keys::poster(&thumbnail).attributes()))
        .update_expression("SET expiresAt = :later")
        .expression_attribute_values(":later", AttributeValue::N(later.to_string()))
        .send()
        .await
        .unwrap();
    let (swept, restored) = tokio::join!(stack.sweep(SystemTime::now() + 2 * MARGIN), restore(&stack, &id));
    // In both orders: the event itself has not expired.
    assert!(matches!((swept.unwrap(), restored), (0, Ok(_)) | (1, Err(Error::NoSuchEvent))));
    assert_eq!(stored_posters(&stack).await, [thumbnail]);
}
