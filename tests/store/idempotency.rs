//! Idempotency keys in the table, where functions crash.

use api::event::Draft;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use storage::poster_expiry::PosterExpiry;

use api::{
    event::{CreateRequest, EventSummary},
    json,
};
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

fn keys_of_managers() -> IdempotencyKeys {
    IdempotencyKeys::new(tests::table())
}

fn manager() -> Uuid {
    sample::MANAGER.parse().unwrap()
}

fn key() -> IdempotencyKey {
    sample::unique().parse().unwrap()
}

async fn claim(key: &IdempotencyKey) -> Result<ClaimOutcome, Error> {
    keys_of_managers().claim(manager(), key, Fingerprint::new(&[b"request"])).await
}

async fn first(key: &IdempotencyKey) -> Claim {
    match claim(key).await {
        Ok(ClaimOutcome::Acquired(claim)) => claim,
        other => panic!("{other:?}"),
    }
}

/// Stores an event under a claim, as `events-create` does.
async fn store(event: &Value, claim: &Claim) -> (Uuid, Result<(), Error>) {
    let request = event.to_string();
    let request: CreateRequest = json::object(request.as_bytes()).unwrap();
    let Draft { details, seat_map } = request.try_into().unwrap();
    let event = Event::register(manager(), details, Format::Png);
    let summary = serde_json::to_string(&EventSummary::from(&event)).unwrap();
    PosterExpiry::new(tests::table()).schedule(&event.thumbnail).await.unwrap();
    (event.id, events().add(&event, summary, &seat_map, Some(claim)).await)
}

async fn expires_in(key: &IdempotencyKey) -> Duration {
    let item = stack().dynamodb().get_item().table_name(TABLE);
    let item = item.set_key(Some(keys::idempotency(manager(), key).attributes())).send().await.unwrap();
    let expires = item.item.unwrap()["expiresAt"].as_n().unwrap().parse().unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Duration::from_secs(expires).checked_sub(now).expect("a claim that holds")
}

/// Lets the time pass after which a claim lapses.
async fn lapse(key: &IdempotencyKey) {
    let update = stack().dynamodb().update_item().table_name(TABLE);
    let update = update.set_key(Some(keys::idempotency(manager(), key).attributes()));
    let update = update.update_expression("SET expiresAt = :past");
    update.expression_attribute_values(":past", AttributeValue::N("1".into())).send().await.unwrap();
}

#[tokio::test]
async fn abandoned_claim_expires_in_a_minute() {
    let key = key();
    let crashed = first(&key).await;
    assert!(matches!(claim(&key).await, Err(Error::InProgress)));
    assert!(expires_in(&key).await <= Duration::from_mins(1));

    lapse(&key).await;
    let event = sample::event();
    let next = first(&key).await;
    let (id, stored) = store(&event, &next).await;
    stored.unwrap();
    assert!(matches!(claim(&key).await, Ok(ClaimOutcome::Completed(done)) if done == id));

    // The one that was taken for dead is late: it registers nothing.
    let (late, stored) = store(&sample::event(), &crashed).await;
    assert!(matches!(stored, Err(Error::InProgress)), "{stored:?}");
    let left: Vec<_> = items_of(late).await.iter().map(|item| item["sk"].as_s().unwrap().clone()).collect();
    assert_eq!(left, ["POSTER"], "what lets its poster expire, and nothing else");
    assert!(matches!(claim(&key).await, Ok(ClaimOutcome::Completed(done)) if done == id));
}

#[tokio::test]
async fn conflicting_claim_is_in_progress() {
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
    let (id, stored) = store(&sample::event(), &first(&key).await).await;
    stored.unwrap();
    assert!(matches!(claim(&key).await, Ok(ClaimOutcome::Completed(done)) if done == id));
    let remembered = expires_in(&key).await;
    assert!((Duration::from_hours(23)..=Duration::from_hours(24)).contains(&remembered), "{remembered:?}");
}

#[tokio::test]
async fn completed_claim_is_not_released() {
    let key = key();
    let given_up = first(&key).await;
    keys_of_managers().release(&given_up).await.unwrap();
    let next = first(&key).await;
    // Given up already: this must not take it from who has it now.
    keys_of_managers().release(&given_up).await.unwrap();
    assert!(matches!(claim(&key).await, Err(Error::InProgress)));

    let (id, stored) = store(&sample::event(), &next).await;
    stored.unwrap();
    keys_of_managers().release(&next).await.unwrap();
    assert!(matches!(claim(&key).await, Ok(ClaimOutcome::Completed(done)) if done == id));
}

#[tokio::test]
async fn other_request_cannot_use_key() {
    let key = key();
    let other = || async { keys_of_managers().claim(manager(), &key, Fingerprint::new(&[b"other"])).await };
    let claim = first(&key).await;
    assert!(matches!(other().await, Err(Error::KeyReused)));
    store(&sample::event(), &claim).await.1.unwrap();
    assert!(matches!(other().await, Err(Error::KeyReused)));
}
