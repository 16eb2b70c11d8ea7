//! `POST /api/v1/members/login`

use serde_json::{Value, json};
use tests::{Api, sample};

fn credentials(member: &Value) -> Value {
    json!({"email": member["email"], "password": member["password"]})
}

async fn joined() -> (Api, Value) {
    let (api, member) = (Api::new(), sample::member());
    api.join(&member).await.expect(201, "0");
    (api, member)
}

#[tokio::test]
async fn login_returns_no_secrets() {
    let (api, member) = (Api::new(), sample::member());
    let id = api.join(&member).await.data()["id"].clone();
    let response = api.login(&credentials(&member)).await.expect(200, "0");
    let expected = json!({
        "id": id,
        "email": member["email"],
        "name": member["name"],
        "nickname": member["nickname"],
    });
    assert_eq!(response.data(), expected);
    assert!(!response.headers.contains_key("set-cookie"));
    for secret in ["argon2", "비밀번호"] {
        assert!(!response.text().contains(secret));
    }
}

#[tokio::test]
async fn email_is_case_insensitive() {
    let (api, member) = joined().await;
    let upper = member["email"].as_str().unwrap().to_uppercase();
    let response = api.login(&json!({"email": upper, "password": member["password"]})).await.expect(200, "0");
    assert_eq!(response.data()["email"], member["email"]);
}

#[tokio::test]
async fn every_spelling_of_email_logs_in() {
    let api = Api::new();
    for spellings in sample::DOMAINS {
        let mut member = sample::member();
        let unique = sample::unique();
        let email = |domain| json!(format!("{unique}@{domain}"));
        member["email"] = email(spellings[0]);
        api.join(&member).await.expect(201, "0");
        for domain in spellings {
            let login = json!({"email": email(domain), "password": member["password"]});
            assert_eq!(api.login(&login).await.expect(200, "0").data()["email"], member["email"]);
        }
    }
}

#[tokio::test]
async fn unknown_email_and_wrong_password_look_alike() {
    let (api, member) = joined().await;
    let wrong = api.login(&json!({"email": member["email"], "password": "x"})).await.expect(401, "AL_001");
    let unknown = api.login(&credentials(&sample::member())).await.expect(401, "AL_001");
    assert_eq!(wrong.text(), unknown.text());
    let names = |response: &tests::Response| response.headers.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&wrong), names(&unknown));
}

#[tokio::test]
async fn password_is_compared_exactly() {
    let (api, member) = joined().await;
    let password = member["password"].as_str().unwrap();
    for wrong in [password.to_uppercase() + "!", format!("{password} "), format!(" {password}")] {
        api.login(&json!({"email": member["email"], "password": wrong})).await.expect(401, "AL_001");
    }
}

#[tokio::test]
async fn password_ignores_composition() {
    let api = Api::new();
    let (composed, decomposed) = ("각é1", "\u{1100}\u{1161}\u{11a8}e\u{301}1");
    for (joined, typed) in [(composed, decomposed), (decomposed, composed)] {
        let mut member = sample::member();
        member["password"] = json!(joined);
        api.join(&member).await.expect(201, "0");
        api.login(&credentials(&member)).await.expect(200, "0");
        api.login(&json!({"email": member["email"], "password": typed})).await.expect(200, "0");
        api.login(&json!({"email": member["email"], "password": "각e1"})).await.expect(401, "AL_001");
    }
}

#[tokio::test]
async fn missing_or_blank_is_rejected() {
    let member = sample::member();
    for field in ["email", "password"] {
        for (sent, echoed) in
            [(json!(null), ""), (json!(""), ""), (json!("  "), "  "), (json!(sample::INVISIBLE), sample::INVISIBLE)]
        {
            let mut body = credentials(&member);
            body[field] = sent;
            let response = Api::new().login(&body).await.expect(400, "C_001");
            assert_eq!(response.errors(), [[field, echoed]]);
            assert_eq!(response.json()["errors"][0]["reason"], "필수 입력값입니다.");
        }
    }
    assert_eq!(Api::new().login(&json!({})).await.expect(400, "C_001").errors(), [["email", ""], ["password", ""]]);
}

#[tokio::test]
async fn format_reason_is_english() {
    let response = Api::new().login(&json!({"email": "kim", "password": "x"})).await.expect(400, "C_001");
    assert_eq!(response.errors(), [["email", "kim"]]);
    assert_eq!(response.json()["errors"][0]["reason"], "must be a well-formed email address");
}

#[tokio::test]
async fn over_50_characters_are_rejected() {
    let api = Api::new();
    let member = sample::member();
    for letter in ["a", "한"] {
        let fifty = json!({"email": member["email"], "password": letter.repeat(50)});
        api.login(&fifty).await.expect(401, "AL_001");
        let long = letter.repeat(51);
        let response = api.login(&json!({"email": member["email"], "password": long})).await.expect(400, "C_001");
        assert_eq!(response.errors(), [["password", &long]]);
    }
    let unique = sample::unique();
    let email = |length: usize| format!("{unique:a<width$}@example.com", width = length - "@example.com".len());
    api.login(&json!({"email": email(50), "password": "x"})).await.expect(401, "AL_001");
    let response = api.login(&json!({"email": email(51), "password": "x"})).await.expect(400, "C_001");
    assert_eq!(response.errors(), [["email", &email(51)]]);
}

#[tokio::test]
async fn non_object_body_is_rejected() {
    let api = Api::new();
    api.post("/api/v1/members/login", "[]").await.expect(400, "C_002");
    let request = api.request(reqwest::Method::POST, "/api/v1/members/login").body("{}");
    Api::send(request).await.expect(415, "C_004");
}
