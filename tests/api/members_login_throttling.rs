//! `POST /api/v1/members/login` after many failures.
//!
//! All clients here have the same address; `tests/store/login_throttling.rs` has several.

use serde_json::{Value, json};
use tests::{Api, Response, sample};

/// Number of failures after which a client is barred.
const LIMIT: usize = 10;

fn with_password(member: &Value, password: &str) -> Value {
    json!({"email": member["email"], "password": password})
}

async fn fail(api: &Api, member: &Value, times: usize) {
    for _ in 0..times {
        api.login(&with_password(member, "wrong")).await.expect(401, "AL_001");
    }
}

async fn joined() -> (Api, Value) {
    let (api, member) = (Api::new(), sample::member());
    api.join(&member).await.expect(201, "0");
    (api, member)
}

#[tokio::test]
async fn ten_failures_bar_login() {
    let (api, member) = joined().await;
    fail(&api, &member, LIMIT).await;
    for password in [sample::PASSWORD, "wrong"] {
        let response = api.login(&with_password(&member, password)).await.expect(429, "AL_002");
        let seconds: u64 = response.header("Retry-After").parse().unwrap();
        assert!((840..=900).contains(&seconds), "{seconds}");
        let message = &response.json()["message"];
        assert_eq!(
            message,
            &format!("로그인 시도가 너무 많습니다. {}분 뒤에 다시 시도해 주세요.", seconds.div_ceil(60))
        );
    }
}

#[tokio::test]
async fn barred_response_hides_membership() {
    let (api, member) = joined().await;
    let unknown = sample::member();
    let mut barred = Vec::new();
    for account in [&member, &unknown] {
        fail(&api, account, LIMIT).await;
        for password in [sample::PASSWORD, "wrong"] {
            barred.push(api.login(&with_password(account, password)).await.expect(429, "AL_002"));
        }
    }
    assert_eq!(barred[1..].iter().map(Response::text).collect::<Vec<_>>(), vec![barred[0].text(); 3]);
}

#[tokio::test]
async fn successful_login_resets_failures() {
    let (api, member) = joined().await;
    for _ in 0..2 {
        fail(&api, &member, LIMIT - 1).await;
        api.login(&with_password(&member, sample::PASSWORD)).await.expect(200, "0");
    }
}

#[tokio::test]
async fn failures_ignore_case_of_email() {
    let (api, member) = joined().await;
    fail(&api, &member, LIMIT / 2).await;
    let upper = json!({"email": member["email"].as_str().unwrap().to_uppercase()});
    fail(&api, &upper, LIMIT / 2).await;
    api.login(&with_password(&member, sample::PASSWORD)).await.expect(429, "AL_002");
}

#[tokio::test]
async fn failures_ignore_spelling_of_email() {
    let api = Api::new();
    for spellings in sample::DOMAINS {
        let unique = sample::unique();
        let member = |domain| json!({"email": format!("{unique}@{domain}")});
        fail(&api, &member(spellings[0]), LIMIT / 2).await;
        fail(&api, &member(spellings[1]), LIMIT / 2).await;
        api.login(&with_password(&member(spellings[2]), "wrong")).await.expect(429, "AL_002");
    }
}

#[tokio::test]
async fn invalid_request_is_not_counted() {
    let (api, member) = joined().await;
    for _ in 0..=LIMIT {
        api.login(&with_password(&member, "")).await.expect(400, "C_001");
    }
    api.login(&with_password(&member, sample::PASSWORD)).await.expect(200, "0");
}
