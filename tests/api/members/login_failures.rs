//! Failures of `POST /api/v1/members/login`, which bar clients.

use tests::prelude::*;

/// Number of failures after which a client is barred.
const LIMIT: usize = 10;

async fn fail(api: &Api, member: &Value, times: usize) {
    for _ in 0..times {
        api.login_with(member, "wrong").await.check(401, "AL_001");
    }
}

#[tokio::test]
async fn ten_failures_bar_login() {
    let api = Api::new();
    // Whether or not a member has the address.
    let mut barred = Vec::new();
    for member in [api.joined().await, sample::member()] {
        fail(&api, &member, LIMIT).await;
        for password in [PASSWORD, "wrong"] {
            let response = api.login_with(&member, password).await;
            assert!((840..=900).contains(&response.header("Retry-After").parse::<u64>().unwrap()));
            barred.push(response.summary());
        }
    }
    assert_snapshot!(barred[0], @"429 AL_002 로그인 시도가 너무 많습니다. 15분 뒤에 다시 시도해 주세요.");
    barred.dedup();
    assert_eq!(barred.len(), 1);
}

#[tokio::test]
async fn success_resets_failures() {
    let api = Api::new();
    let member = api.joined().await;
    for _ in 0..2 {
        fail(&api, &member, LIMIT - 1).await;
        api.login_with(&member, PASSWORD).await.check(200, "0");
    }
    // Invalid requests are not counted.
    for _ in 0..=LIMIT {
        api.login_with(&member, "").await.check(400, "C_001");
    }
    api.login_with(&member, PASSWORD).await.check(200, "0");
}

#[tokio::test]
async fn failures_ignore_spelling_of_email() {
    let api = Api::new();
    let unique = sample::unique();
    let member = |domain: &str| json!({"email": format!("{unique}@{domain}")});
    fail(&api, &member("공연.kr"), LIMIT / 2).await;
    fail(&api, &member("XN--OB0BT78B.KR"), LIMIT / 2).await;
    api.login_with(&member("공연.kr"), "wrong").await.check(429, "AL_002");
}

mod in_process {
    use aws_sdk_dynamodb::types::AttributeValue;
    use domain::email::Email;
    use storage::members::login_failures::LoginFailures;

    use super::*;

    const CLIENT: &str = "127.0.0.7";

    const OTHER: &str = "127.0.0.8";

    /// Sends a login from a client address.
    async fn login_from(api: &Api, client: &str, member: &Value, password: &str) -> Response {
        api.from_address(client).login_with(member, password).await
    }

    async fn fail_from(api: &Api, client: &str, member: &Value, times: usize) {
        for _ in 0..times {
            login_from(api, client, member, "wrong").await.check(401, "AL_001");
        }
    }

    async fn set_end(service: &Service, member: &Value, end: u64) {
        let partition = format!("EMAIL#{}", member["email"].as_str().unwrap());
        let end = AttributeValue::N(end.to_string());
        set(&service.stack.dynamodb(), &partition, "FAILURES", "expiresAt", end).await;
    }

    #[tokio::test]
    async fn attempt_is_counted_and_taken_back() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        let login = async |member: &Value, password: &str| {
            service.effect(login_from(&service.api, CLIENT, member, password)).await
        };
        assert_snapshot!(login(&member, PASSWORD).await, @r#"
        200
        GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES: 1 read, 2 write units
        + EMAIL#[text1]@example.com FAILURES {"clients": {}, "expiresAt": "[in 15 minutes]", "failures": 0}
        "#);
        assert_snapshot!(login(&member, "wrong").await, @r#"
        401 AL_001 이메일 또는 비밀번호가 올바르지 않습니다.
        GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES: 1 read, 1 write units
        ~ EMAIL#[text1]@example.com FAILURES {"clients": {"127.0.0.7": 1}, "failures": 1}
        "#);
        assert_snapshot!(login(&sample::member(), PASSWORD).await, @r#"
        401 AL_001 이메일 또는 비밀번호가 올바르지 않습니다.
        GetItem EMAIL, UpdateItem FAILURES: 1 read, 1 write units
        + EMAIL#[text1]@example.com FAILURES {"clients": {"127.0.0.7": 1}, "expiresAt": "[in 15 minutes]", "failures": 1}
        "#);
        fail_from(&service.api, CLIENT, &member, LIMIT - 1).await;
        assert_snapshot!(login(&member, PASSWORD).await, @r"
        429 AL_002 로그인 시도가 너무 많습니다. 15분 뒤에 다시 시도해 주세요.
        GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES: 1 read, 0 write units
        ");
    }

    #[tokio::test]
    async fn ten_failures_bar_one_client() {
        let service = Service::start().await;
        let (api, member) = (&service.api, service.other.joined().await);
        fail_from(api, CLIENT, &member, LIMIT - 1).await;
        fail_from(api, OTHER, &member, LIMIT - 1).await;
        // Success resets only its client.
        login_from(api, OTHER, &member, PASSWORD).await.check(200, "0");
        fail_from(api, CLIENT, &member, 1).await;
        login_from(api, CLIENT, &member, PASSWORD).await.check(429, "AL_002");
        fail_from(api, OTHER, &member, LIMIT - 1).await;
        login_from(api, OTHER, &member, PASSWORD).await.check(200, "0");
        login_from(api, CLIENT, &service.other.joined().await, PASSWORD).await.check(200, "0");
    }

    #[tokio::test]
    async fn hundred_failures_bar_all() {
        let service = Service::start().await;
        let (api, member) = (&service.api, service.other.joined().await);
        for client in 1..=11 {
            fail_from(api, &format!("127.0.1.{client}"), &member, 9).await;
            login_from(api, &format!("127.0.1.{client}"), &member, PASSWORD).await.check(200, "0");
        }
        fail_from(api, CLIENT, &member, 1).await;
        login_from(api, OTHER, &member, PASSWORD).await.check(429, "AL_002");
    }

    #[tokio::test]
    async fn failures_of_last_window_are_forgotten() {
        let service = Service::start().await;
        let (api, member) = (&service.api, service.other.joined().await);
        fail_from(api, CLIENT, &member, LIMIT).await;
        set_end(&service, &member, 1).await;
        assert_snapshot!(service.effect(login_from(api, OTHER, &member, "wrong")).await, @r#"
        401 AL_001 이메일 또는 비밀번호가 올바르지 않습니다.
        GetItem EMAIL, UpdateItem FAILURES: 1 read, 1 write units
        ~ EMAIL#[text1]@example.com FAILURES {"clients": {"127.0.0.8": 1}, "expiresAt": "[in 15 minutes]", "failures": 1}
        "#);
        // The window does not start again.
        set_end(&service, &member, 4_000_000_000).await;
        assert_snapshot!(service.effect(login_from(api, OTHER, &member, "wrong")).await, @r#"
        401 AL_001 이메일 또는 비밀번호가 올바르지 않습니다.
        GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES: 1 read, 1 write units
        ~ EMAIL#[text1]@example.com FAILURES {"clients": {"127.0.0.8": 2}, "failures": 2}
        "#);
    }

    /// A reset forgets the failures between the two calls that count an attempt.
    #[tokio::test]
    async fn login_during_reset_is_counted_anew() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        fail(&service.other, &member, 1).await;
        let failures = LoginFailures::new(service.proxy.table());
        let email = Email::parse(member["email"].as_str().unwrap()).unwrap();
        let forget = async { failures.forget(&email).await.unwrap() };
        let login = service.api.login_with(&member, PASSWORD);
        service.interrupted_at("UpdateItem FAILURES", 1, login, forget).await.check(200, "0");
    }

    #[tokio::test]
    async fn simultaneous_guesses_are_limited() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        let guesses = (0..32).map(|_| service.other.login_with(&member, "wrong"));
        assert_eq!(statuses(guesses).await, [vec![401; 10], vec![429; 22]].concat());
    }

    #[tokio::test]
    async fn faults_change_no_member() {
        let right = async |api: &Api, member: &Value| api.login_with(member, PASSWORD).await;
        let after_failure = async |service: &Service| {
            let member = service.other.joined().await;
            fail(&service.other, &member, 1).await;
            member
        };
        assert_snapshot!(faults(after_failure, right).await, @r"
                             once  lost  fails  unknown  ends   ends after
        GetItem EMAIL        200   200   S_003  S_003    S_003  S_003
        UpdateItem FAILURES  200   200   S_003  S_003    S_003  S_003
        UpdateItem FAILURES  200   200   S_003  S_003    S_003  S_003
        UpdateItem FAILURES  200   200   200    200      200    200
        ");
        let wrong = async |api: &Api, member: &Value| api.login_with(member, "wrong").await;
        assert_snapshot!(faults(async |service| service.other.joined().await, wrong).await, @r"
                             once  lost  fails  unknown  ends   ends after
        GetItem EMAIL        401   401   S_003  S_003    S_003  S_003
        UpdateItem FAILURES  401   401   S_003  S_003    S_003  S_003
        ");
        let barred = async |service: &Service| {
            let member = service.other.joined().await;
            fail(&service.other, &member, LIMIT).await;
            member
        };
        assert_snapshot!(faults(barred, right).await, @r"
                             once  lost  fails  unknown  ends   ends after
        GetItem EMAIL        429   429   429    429      S_003  S_003
        UpdateItem FAILURES  429   429   S_003  S_003    S_003  S_003
        UpdateItem FAILURES  429   429   S_003  S_003    S_003  S_003
        ");
    }
}
