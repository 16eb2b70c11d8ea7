//! `POST /api/v1/members/{memberId}/withdrawal`

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{Api, sample};

fn password() -> Value {
    json!({"password": sample::PASSWORD})
}

fn login(member: &Value) -> Value {
    json!({"email": member["email"], "password": sample::PASSWORD})
}

#[tokio::test]
async fn member_is_removed() {
    let api = Api::new();
    let member = api.joined().await;
    let response = api.withdraw(&member["id"], &password()).await;
    assert_eq!((response.status, response.body), (204, Vec::new()));
    assert!(!response.headers.contains_key("set-cookie"));
    api.login(&login(&member)).await.expect(401, "AL_001");
    api.edit_member(&member["id"], &password()).await.expect(401, "AL_001");
    api.withdraw(&member["id"], &password()).await.expect(401, "AL_001");
}

#[tokio::test]
async fn email_and_nickname_are_free_at_once() {
    let api = Api::new();
    let mut member = api.joined().await;
    for _ in 0..2 {
        assert_eq!(api.withdraw(&member["id"], &password()).await.status, 204);
        let rejoined = api.join(&member).await.expect(201, "0").data();
        assert_ne!(rejoined["id"], member["id"]);
        assert_eq!(api.login(&login(&member)).await.expect(200, "0").data()["id"], rejoined["id"]);
        member["id"] = rejoined["id"].clone();
    }
}

#[tokio::test]
async fn changed_nickname_is_free_at_once() {
    let api = Api::new();
    let member = api.joined().await;
    let nickname = sample::unique();
    let edit = json!({"password": sample::PASSWORD, "nickname": nickname});
    api.edit_member(&member["id"], &edit).await.expect(200, "0");
    assert_eq!(api.withdraw(&member["id"], &password()).await.status, 204);
    let mut joining = sample::member();
    joining["nickname"] = json!(nickname);
    api.join(&joining).await.expect(201, "0");
}

#[tokio::test]
async fn one_simultaneous_withdrawal_succeeds() {
    let api = Api::new();
    let member = api.joined().await;
    let password = password();
    let withdrawals = join_all((0..8).map(|_| api.withdraw(&member["id"], &password))).await;
    let (succeeded, rejected): (Vec<_>, Vec<_>) = withdrawals.into_iter().partition(|response| response.status == 204);
    assert_eq!(succeeded.len(), 1);
    for response in rejected {
        response.expect(401, "AL_001");
    }
}

#[tokio::test]
async fn unknown_id_and_wrong_password_look_alike() {
    let api = Api::new();
    let member = api.joined().await;
    let wrong = api.withdraw(&member["id"], &json!({"password": "wrong"})).await.expect(401, "AL_001");
    for id in [uuid::Uuid::new_v4().to_string(), sample::unique()] {
        let unknown = api.withdraw(&json!(id), &password()).await.expect(401, "AL_001");
        assert_eq!(unknown.text(), wrong.text());
    }
    api.login(&login(&member)).await.expect(200, "0");
}

#[tokio::test]
async fn invalid_password_is_rejected() {
    let api = Api::new();
    let member = api.joined().await;
    let long = "한".repeat(51);
    for (sent, echoed) in [
        (json!({}), ""),
        (json!({"password": null}), ""),
        (json!({"password": " "}), " "),
        (json!({"password": 5}), "5"),
        (json!({"password": long}), &long),
    ] {
        let response = api.withdraw(&member["id"], &sent).await.expect(400, "C_001");
        assert_eq!(response.errors(), [["password", echoed]]);
    }
    api.withdraw(&member["id"], &json!({"password": "한".repeat(50)})).await.expect(401, "AL_001");
    api.login(&login(&member)).await.expect(200, "0");
}

#[tokio::test]
async fn body_is_required() {
    let api = Api::new();
    let path = "/api/v1/members/6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11/withdrawal";
    api.post(path, "").await.expect(400, "C_002");
    Api::send(api.request(reqwest::Method::POST, path).body("{}")).await.expect(415, "C_004");
}
