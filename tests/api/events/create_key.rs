//! Idempotency key of `POST /api/v1/events`.

use tests::prelude::*;
use tests::{
    form::Form,
    sample::{POSTER, REQUEST, THUMBNAIL},
};

use super::create::event_with;

/// Returns the parts of a response that do not differ between requests.
fn content(response: &Response) -> (u16, &str, String) {
    (response.status, response.header("Location"), response.text())
}

#[tokio::test]
async fn key_repeats_first_response() {
    let api = Api::new();
    let (key, event) = (sample::unique(), sample::event());
    let form = sample::form(&event);
    let first = api.create_with_key(&key, &form).await.expect(201, "0");
    // File names and the order of the parts do not matter.
    let reordered = Form::new().part(&THUMBNAIL.replace("poster", "other"), POSTER).part(REQUEST, event.to_string());
    assert_eq!(content(&api.create_with_key(&key, &reordered).await), content(&first));
    api.create_with_key(&sample::unique(), &form).await.check(409, "E_001");
    api.create(&event).await.check(409, "E_001");

    // The poster is the same without its metadata.
    let other_poster = sample::form_with(&event, sample::signed_poster());
    assert_snapshot!(api.create_with_key(&key, &other_poster).await, @r#"
    422
    {"message": "이미 다른 요청에 사용된 Idempotency-Key입니다.", "code": "C_011"}
    "#);
    api.create_with_key(&key, &sample::form(&sample::event())).await.check(422, "C_011");

    api.delete(&first.id()).await.check(204, "0");
    assert_eq!(content(&api.create_with_key(&key, &form).await), content(&first));
    api.event(&first.id()).await.check(404, "E_002");
}

#[tokio::test]
async fn managers_do_not_share_keys() {
    let api = Api::new();
    let (key, form) = (sample::unique(), sample::form(&sample::event()));
    let first = api.create_with_key(&key, &sample::form(&sample::event())).await.expect(201, "0").id();
    let request = api.request(Method::POST, "/api/v1/events").header("x-api-managerId", OTHER_MANAGER);
    let request = request.header("Idempotency-Key", &key).header("Content-Type", form.content_type());
    assert_ne!(Api::send(request.body(form.body())).await.expect(201, "0").id(), first);
}

#[tokio::test]
async fn failed_request_frees_key() {
    let api = Api::new();
    let (key, event) = (sample::unique(), sample::event());
    api.create_with_key(&key, &sample::form(&event_with("/title", ""))).await.check(400, "C_001");
    let existing = api.create(&event).await.expect(201, "0").id();
    for _ in 0..2 {
        api.create_with_key(&key, &sample::form(&event)).await.check(409, "E_001");
    }
    api.delete(&existing).await.check(204, "0");
    api.create_with_key(&key, &sample::form(&event)).await.check(201, "0");
}

mod in_process {
    use aws_sdk_dynamodb::types::AttributeValue;

    use tests::fault::{Extent, Fault, Rule};

    use super::*;

    #[tokio::test]
    async fn key_costs_one_call() {
        let service = Service::start().await;
        let form = sample::form(&sample::concert());
        let create = |key: &'static str| service.effect(service.api.create_with_key(key, &form));
        let mut created = create("one").await;
        created.changes.retain(|change| change.contains("IDEMPOTENCY"));
        assert_snapshot!(created, @r#"
        201
        PutItem IDEMPOTENCY, PutItem POSTER, PUT poster, TransactWriteItems: 0 read, 19 write units
        + IDEMPOTENCY#[id1]#one IDEMPOTENCY {"claim": "[id2]", "event": "[id3]", "expiresAt": "[in 1 days]", "fingerprint": "[hash]"}
        "#);
        assert_snapshot!(create("one").await, @r#"
        201
        PutItem IDEMPOTENCY, PutItem POSTER, Query: 1 read, 1 write units
        + POSTER#[id1].png POSTER {"expiresAt": "[in 60 minutes]"}
        "#);
        assert_snapshot!(create("two").await.usage, @"PutItem IDEMPOTENCY, PutItem POSTER, PUT poster, TransactWriteItems, DELETE poster, DeleteItem IDEMPOTENCY: 0 read, 3 write units");
        service.check_permissions("events-create");
    }

    #[tokio::test]
    async fn abandoned_claim_expires() {
        let service = Service::start().await;
        let form = sample::form(&sample::event());
        // The function ends after it claimed the key, and a minute later another one is faster than it.
        let create = || service.other.create_with_key("key", &form);
        let partition = format!("IDEMPOTENCY#{MANAGER}#key");
        let overtake = async {
            create().await.check(409, "C_010");
            let past = AttributeValue::N("1".to_owned());
            set(&service.stack.dynamodb(), &partition, "IDEMPOTENCY", "expiresAt", past).await;
            create().await.check(201, "0");
        };
        let late = service.interrupted(service.api.create_with_key("key", &form), overtake).await;
        assert_snapshot!(late, @r#"
        409
        retry-after: 2
        {"message": "같은 Idempotency-Key를 사용한 요청을 처리하고 있습니다. 잠시 후 다시 시도해 주세요.", "code": "C_010"}
        "#);
        let contents = service.contents().await;
        contents.check();
        assert_eq!((contents.of_kind("EVENT").count(), contents.posters.len()), (1, 1));
        // A transaction that completes the key is in progress, too.
        let conflict = Rule::new("PutItem IDEMPOTENCY", Extent::Tries(1), Fault::Conflict(0));
        service.with_rule(conflict, service.api.create_with_key("key", &form)).await.check(409, "C_010");
        assert_eq!(service.api.create_with_key("key", &form).await.status, 201);
    }
}
