//! `POST /api/v1/events` with an `Idempotency-Key`.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{Api, Response, form::Form, sample};

fn key() -> String {
    format!("key-{}", sample::unique())
}

fn form(event: &Value) -> Form {
    sample::form(event)
}

/// Returns the parts of a response that do not differ between requests.
fn content(response: &Response) -> (u16, String, String) {
    (response.status, response.header("Location").to_owned(), response.text())
}

#[tokio::test]
async fn repetition_gets_same_response() {
    let api = Api::new();
    let (key, event) = (key(), sample::event());
    let first = api.create_with_key(&key, &form(&event)).await.expect(201, "0");
    let again = api.create_with_key(&key, &form(&event)).await.expect(201, "0");
    assert_eq!(content(&again), content(&first));
    api.create(&event).await.expect(409, "E_001");
}

#[tokio::test]
async fn other_or_no_key_is_a_duplicate() {
    let api = Api::new();
    let event = sample::event();
    api.create_with_key(&key(), &form(&event)).await.expect(201, "0");
    api.create_with_key(&key(), &form(&event)).await.expect(409, "E_001");
    api.create(&event).await.expect(409, "E_001");
}

#[tokio::test]
async fn key_outlives_deleted_event() {
    let api = Api::new();
    let (key, event) = (key(), sample::event());
    let first = api.create_with_key(&key, &form(&event)).await.expect(201, "0");
    let id = first.data()["id"].as_str().unwrap().to_owned();
    assert_eq!(api.delete(&id).await.status, 204);
    let again = api.create_with_key(&key, &form(&event)).await.expect(201, "0");
    assert_eq!(content(&again), content(&first));
    api.event(&id).await.expect(404, "E_002");
    api.create(&event).await.expect(201, "0");
}

#[tokio::test]
async fn key_of_another_request_is_rejected() {
    let api = Api::new();
    let (key, event) = (key(), sample::event());
    let first = api.create_with_key(&key, &form(&event)).await.expect(201, "0");
    api.create_with_key(&key, &form(&sample::event())).await.expect(422, "C_011");
    let mut poster = sample::POSTER.to_vec();
    poster.push(0);
    let other = Form::new().part(sample::REQUEST, event.to_string()).part(sample::THUMBNAIL, poster);
    api.create_with_key(&key, &other).await.expect(422, "C_011");

    let again = api.create_with_key(&key, &form(&event)).await;
    assert_eq!(content(&again), content(&first));
}

#[tokio::test]
async fn file_names_and_order_are_ignored() {
    let api = Api::new();
    let (key, event) = (key(), sample::event());
    let first = api.create_with_key(&key, &form(&event)).await.expect(201, "0");
    let file = "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"other.png\"";
    let reordered = Form::new().part(file, sample::POSTER).part(sample::REQUEST, event.to_string());
    assert_eq!(content(&api.create_with_key(&key, &reordered).await), content(&first));
}

#[tokio::test]
async fn managers_do_not_share_keys() {
    let api = Api::new();
    let (key, event, form) = (key(), sample::event(), form(&sample::event()));
    let first = api.create_with_key(&key, &sample::form(&event)).await.expect(201, "0");
    let request = api
        .request(reqwest::Method::POST, "/api/v1/events")
        .header("x-api-managerId", "0b8f8f1c-6a0e-4c57-9d55-0e6d7b1c2a3f")
        .header("Idempotency-Key", &key)
        .header("Content-Type", form.content_type())
        .body(form.body());
    let other = Api::send(request).await.expect(201, "0");
    assert_ne!(other.data()["id"], first.data()["id"]);
}

#[tokio::test]
async fn failed_request_frees_key() {
    let api = Api::new();
    let (key, event) = (key(), sample::event());
    let mut wrong = event.clone();
    wrong["title"] = json!("");
    api.create_with_key(&key, &form(&wrong)).await.expect(400, "C_001");

    let existing = api.create(&event).await.expect(201, "0").data();
    for _ in 0..2 {
        api.create_with_key(&key, &form(&event)).await.expect(409, "E_001");
    }
    assert_eq!(api.delete(existing["id"].as_str().unwrap()).await.status, 204);
    let first = api.create_with_key(&key, &form(&event)).await.expect(201, "0");
    assert_eq!(content(&api.create_with_key(&key, &form(&event)).await), content(&first));
}

#[tokio::test]
async fn simultaneous_repetitions_create_once() {
    let api = Api::new();
    let (key, form) = (key(), form(&sample::event()));
    let responses = join_all((0..16).map(|_| api.create_with_key(&key, &form))).await;
    let first = api.create_with_key(&key, &form).await.expect(201, "0");
    for response in responses {
        match response.status {
            201 => assert_eq!(content(&response), content(&first)),
            _ => assert_eq!(response.expect(409, "C_010").header("Retry-After"), "2"),
        }
    }
}

#[tokio::test]
async fn invalid_key_is_rejected() {
    let api = Api::new();
    for key in ["", "a b", &"k".repeat(65)] {
        let response = api.create_with_key(key, &form(&sample::event())).await.expect(400, "C_003");
        assert_eq!(response.errors(), [["idempotency-key", key]]);
    }
    for key in [format!("{}!", key()), format!("{:~>64}", sample::unique())] {
        api.create_with_key(&key, &form(&sample::event())).await.expect(201, "0");
    }
}

#[tokio::test]
async fn key_is_checked_before_form() {
    let api = Api::new();
    let broken = Form::new();
    api.create_with_key("a b", &broken).await.expect(400, "C_003");
    let request = api.request(reqwest::Method::POST, "/api/v1/events");
    let request = request.header("x-api-managerId", sample::MANAGER).header("Idempotency-Key", "a b");
    Api::send(request.header("Content-Type", "text/plain").body("x")).await.expect(415, "C_004");
}
