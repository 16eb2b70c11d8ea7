//! Idempotency keys in the table, and crashes of functions.

use api::registration::Draft;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use storage::poster_expiry::PosterExpiry;

use api::{json, registration::CreateRequest};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    error::Error,
    event::Event,
    idempotency::{Fingerprint, IdempotencyKey},
    poster::Format,
};
use local::TABLE;
use serde_json::Value;
use storage::{
    event::Events,
    idempotency::{Claim, ClaimOutcome, IdempotencyKeys},
    keys,
};
use tests::{
    fault::{Extent, Fault, Rule},
    sample, stack, table_with_rule,
};
use uuid::Uuid;

use crate::items::items_of;

fn events() -> Events {
    Events::new(tests::table())
}

fn idempotency_keys() -> IdempotencyKeys {
    IdempotencyKeys::new(tests::table())
}

fn manager() -> Uuid {
    sample::MANAGER.parse().unwrap()
}

fn key() -> IdempotencyKey {
    sample::unique().parse().unwrap()
}

async fn claim(key: &IdempotencyKey) -> Result<ClaimOutcome, Error> {
    idempotency_keys().claim(manager(), key, Fingerprint::new(&[b"request"])).await
}

async fn acquire(key: &IdempotencyKey) -> Claim {
    match claim(key).await {
        Ok(ClaimOutcome::Acquired(claim)) => claim,
        other => panic!("{other:?}"),
    }
}

/// Stores an event with a claim, as `events-create` does.
async fn store(event: &Value, claim: &Claim) -> (Uuid, Result<(), Error>) {
    let request = event.to_string();
    let request: CreateRequest = json::object(request.as_bytes()).unwrap();
    let Draft { details, shows, seat_map } = request.try_into().unwrap();
    let event = Event::register(manager(), details, &shows, Format::Png);
    PosterExpiry::new(tests::table()).schedule(&event.thumbnail).await.unwrap();
    (event.id, events().add(&event, &seat_map, Some(claim)).await)
}

async fn expires_in(key: &IdempotencyKey) -> Duration {
    let item = stack().dynamodb().get_item().table_name(TABLE);
    let item = item.set_key(Some(keys::idempotency(manager(), key).attributes())).send().await.unwrap();
    let expires = item.item.unwrap()["expiresAt"].as_n().unwrap().parse().unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Duration::from_secs(expires).checked_sub(now).expect("a claim that has not expired")
}

async fn expire(key: &IdempotencyKey) {
    let update = stack().dynamodb().update_item().table_name(TABLE);
    let update = update.set_key(Some(keys::idempotency(manager(), key).attributes()));
    let update = update.update_expression("SET expiresAt = :past");
    update.expression_attribute_values(":past", AttributeValue::N("1".into())).send().await.unwrap();
}

#[tokio::test]
async fn abandoned_claim_expires() {
    let key = key();
    let crashed = acquire(&key).await;
    assert!(matches!(claim(&key).await, Err(Error::InProgress)));
    assert!(expires_in(&key).await <= Duration::from_mins(1));

    expire(&key).await;
    let event = sample::event();
    let next = acquire(&key).await;
    let (id, stored) = store(&event, &next).await;
    stored.unwrap();
    assert!(matches!(claim(&key).await, Ok(ClaimOutcome::Completed(event)) if event == id));

    // The first request is late, not crashed: it registers nothing.
    let (late, stored) = store(&sample::event(), &crashed).await;
    assert!(matches!(stored, Err(Error::InProgress)), "{stored:?}");
    let items: Vec<_> = items_of(late).await.iter().map(|item| item["sk"].as_s().unwrap().clone()).collect();
    assert_eq!(items, ["POSTER"], "only the expiry record of its poster");
    assert!(matches!(claim(&key).await, Ok(ClaimOutcome::Completed(event)) if event == id));
}

#[tokio::test]
async fn claim_conflict_is_in_progress() {
    let rule = Rule::new("PutItem(IDEMPOTENCY)", Extent::ONCE, Fault::Conflict);
    let keys = IdempotencyKeys::new(table_with_rule(rule).await);
    let key = key();
    let claim = || keys.claim(manager(), &key, Fingerprint::new(&[b"request"]));
    assert!(matches!(claim().await, Err(Error::InProgress)));
    assert!(matches!(claim().await, Ok(ClaimOutcome::Acquired(_))));
}

#[tokio::test]
async fn stored_event_survives_crash() {
    let key = key();
    let (id, stored) = store(&sample::event(), &acquire(&key).await).await;
    stored.unwrap();
    assert!(matches!(claim(&key).await, Ok(ClaimOutcome::Completed(event)) if event == id));
    let remaining = expires_in(&key).await;
    assert!((Duration::from_hours(23)..=Duration::from_hours(24)).contains(&remaining), "{remaining:?}");
}

#[tokio::test]
async fn completed_claim_is_kept() {
    let key = key();
    let released = acquire(&key).await;
    idempotency_keys().release(&released).await.unwrap();
    let next = acquire(&key).await;
    // A second release must not free the key for others.
    idempotency_keys().release(&released).await.unwrap();
    assert!(matches!(claim(&key).await, Err(Error::InProgress)));

    let (id, stored) = store(&sample::event(), &next).await;
    stored.unwrap();
    idempotency_keys().release(&next).await.unwrap();
    assert!(matches!(claim(&key).await, Ok(ClaimOutcome::Completed(event)) if event == id));
}

#[tokio::test]
async fn other_request_cannot_use_key() {
    let key = key();
    let other = || async { idempotency_keys().claim(manager(), &key, Fingerprint::new(&[b"other"])).await };
    let claim = acquire(&key).await;
    assert!(matches!(other().await, Err(Error::KeyReused)));
    store(&sample::event(), &claim).await.1.unwrap();
    assert!(matches!(other().await, Err(Error::KeyReused)));
}
