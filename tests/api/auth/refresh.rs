//! `POST /api/v1/auth/refresh`

use futures_util::future::join_all;
use tests::prelude::*;

#[tokio::test]
async fn refresh_continues_session() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let refreshed = api.refresh(&tokens).await;
    assert_snapshot!(refreshed, @r#"
    200
    {
      "message": "로그인 상태가 연장되었습니다.", "code": "0",
      "data": {
        "accessToken": "[access token]", "tokenType": "Bearer", "expiresIn": 3600,
        "refreshToken": "[refresh token]"
      }
    }
    "#);
    let refreshed = refreshed.data();
    assert_ne!(refreshed["refreshToken"], tokens["refreshToken"]);
    assert_ne!(refreshed["accessToken"], tokens["accessToken"]);
    api.profile(&member, &refreshed).await.check(200, "0");
    api.refresh(&refreshed).await.check(200, "0");
}

#[tokio::test]
async fn lost_response_is_repeated() {
    let api = Api::new();
    let (_, tokens) = api.joined_with_session().await;
    let first = api.refresh(&tokens).await.expect(200, "0").data();
    let second = api.refresh(&first).await.expect(200, "0").data();
    // A slow tab gets the token that nobody used, whatever happened since.
    for token in [&tokens, &first, &tokens] {
        let repeated = api.refresh(token).await.expect(200, "0").data();
        assert_eq!(repeated["refreshToken"], second["refreshToken"]);
    }
    api.refresh(&second).await.check(200, "0");
}

#[tokio::test]
async fn simultaneous_refreshes_get_same_successor() {
    let api = Api::new();
    let (_, tokens) = api.joined_with_session().await;
    let all = join_all((0..16).map(|_| api.refresh(&tokens))).await;
    let mut successors: Vec<_> =
        all.into_iter().map(|response| response.expect(200, "0").data()["refreshToken"].to_string()).collect();
    successors.dedup();
    assert_eq!(successors.len(), 1);
}

#[tokio::test]
async fn meaningless_tokens_look_alike() {
    let api = Api::new();
    let (_, tokens) = api.joined_with_session().await;
    let token = tokens["refreshToken"].as_str().unwrap();
    let changed = format!("{}{}", &token[..69], if token.ends_with('A') { "B" } else { "A" });
    let ended = api.session(&api.joined().await).await;
    api.logout(&ended).await.check(204, "0");
    let mut bodies = Vec::new();
    for meaningless in [
        "x".to_owned(),
        "!".to_owned(),
        "한".repeat(200),
        "A".repeat(70),
        "a".repeat(200),
        "a".repeat(201),
        changed,
        format!("{token}="),
        token.to_lowercase(),
        tokens["accessToken"].as_str().unwrap().to_owned(),
        ended["refreshToken"].as_str().unwrap().to_owned(),
    ] {
        let response = api.refresh(&json!({"refreshToken": meaningless})).await;
        response.check(401, "AS_001");
        let headers: Vec<_> = response.headers.keys().map(ToString::to_string).collect();
        bodies.push((response.text(), headers));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
    assert_snapshot!(bodies[0].0, @r#"{"message":"로그인이 만료되었습니다. 다시 로그인해 주세요.","code":"AS_001"}"#);
    // None of them ended the session.
    api.refresh(&tokens).await.check(200, "0");
}

#[tokio::test]
async fn missing_token_is_listed() {
    let api = Api::new();
    let bodies = [json!({}), json!({"refreshToken": null}), json!({"refreshToken": " "}), json!({"refreshToken": 5})];
    assert_snapshot!(outcomes(&bodies, |body| api.post("/api/v1/auth/refresh", body.to_string())).await, @"
    0: 400 C_001 | refreshToken ‘’ 필수 입력값입니다.
    1: 400 C_001 | refreshToken ‘’ 필수 입력값입니다.
    2: 400 C_001 | refreshToken ‘ ’ 필수 입력값입니다.
    3: 400 C_001 | refreshToken ‘5’ 문자열이어야 합니다.
    ");
}

#[tokio::test]
async fn new_password_ends_all_sessions() {
    let api = Api::new();
    for new in [PASSWORD, "새비밀번호5678!"] {
        let (member, first) = api.joined_with_session().await;
        let second = api.session(&member).await;
        let used = api.refresh(&second).await.expect(200, "0").data();
        let edit = json!({"password": PASSWORD, "newPassword": new});
        api.edit_member(&member, &edit).await.check(200, "0");
        for ended in [&first, &second, &used] {
            api.refresh(ended).await.check(401, "AS_001");
        }
        let login = json!({"email": member["email"], "password": new});
        let tokens = api.start_session(&login).await.expect(200, "0").data();
        api.refresh(&tokens).await.check(200, "0");
    }
}

#[tokio::test]
async fn other_changes_end_no_session() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let edit = json!({"password": PASSWORD, "name": "이영희", "nickname": sample::unique()});
    api.edit_member(&member, &edit).await.check(200, "0");
    api.refresh(&tokens).await.check(200, "0");
}

#[tokio::test]
async fn withdrawal_ends_all_sessions() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    api.withdraw(&member, &json!({"password": PASSWORD})).await.check(204, "0");
    api.refresh(&tokens).await.check(401, "AS_001");
    // Also if somebody registers with the same address.
    api.join(&member).await.check(201, "0");
    api.refresh(&tokens).await.check(401, "AS_001");
}

mod in_process {
    use std::{collections::HashMap, time::Duration};

    use aws_sdk_dynamodb::types::AttributeValue;
    use storage::members::sessions::{MAX_LIFETIME, REPETITION};
    use tests::log;

    use super::*;

    /// Returns the only session item.
    async fn session(service: &Service) -> HashMap<String, AttributeValue> {
        service.contents().await.of_kind("SESSION").next().unwrap().clone()
    }

    /// Moves the first uses of all tokens of the only session into the past.
    async fn age(service: &Service, by: Duration) {
        let item = session(service).await;
        let used = item["used"].as_l().unwrap().iter().map(|used| {
            let [generation, time] = used.as_l().unwrap().as_slice() else { panic!("{used:?}") };
            let time: u64 = time.as_n().unwrap().parse().unwrap();
            let aged = time - u64::try_from(by.as_millis()).unwrap();
            AttributeValue::L(vec![generation.clone(), AttributeValue::N(aged.to_string())])
        });
        let used = AttributeValue::L(used.collect());
        set(&service.stack.dynamodb(), item["pk"].as_s().unwrap(), "SESSION", "used", used).await;
    }

    #[tokio::test]
    async fn refresh_is_two_calls() {
        let service = Service::start().await.restarted().await;
        let (member, tokens) = service.other.joined_with_session().await;
        let effect = service.effect(service.api.refresh(&tokens)).await;
        assert_snapshot!(effect, @r#"
        200
        GetItem SESSION, TransactWriteItems: 1 read, 4 write units
        ~ SESSION#[id1] SESSION {"generation": 1, "used": [[0, "[now]"]]}
        "#);
        assert_snapshot!(service.effect(service.api.refresh(&tokens)).await, @"
        200
        GetItem SESSION, GetItem MEMBER: 2 read, 0 write units
        ");
        assert_snapshot!(service.effect(service.api.refresh(&effect.response.data())).await, @r#"
        200
        GetItem SESSION, TransactWriteItems: 1 read, 4 write units
        ~ SESSION#[id1] SESSION {"generation": 2, "used": [[0, "[now]"], [1, "[now]"]]}
        "#);
        let meaningless = json!({"refreshToken": "A".repeat(70)});
        assert_snapshot!(service.effect(service.api.refresh(&meaningless)).await, @"
        401 AS_001 로그인이 만료되었습니다. 다시 로그인해 주세요.
        no calls: 0 read, 0 write units
        ");
        let edit = json!({"password": PASSWORD, "newPassword": PASSWORD});
        service.other.edit_member(&member, &edit).await.check(200, "0");
        assert_snapshot!(service.effect(service.api.refresh(&tokens)).await, @"
        401 AS_001 로그인이 만료되었습니다. 다시 로그인해 주세요.
        GetItem SESSION, GetItem MEMBER: 2 read, 0 write units
        ");
        age(&service, 2 * REPETITION).await;
        assert_snapshot!(service.effect(service.api.refresh(&tokens)).await, @"
        401 AS_001 로그인이 만료되었습니다. 다시 로그인해 주세요.
        GetItem SESSION, DeleteItem SESSION: 1 read, 1 write units
        - SESSION#[id1] SESSION
        ");
        service.check_permissions("auth-refresh");
    }

    #[tokio::test]
    async fn session_remembers_50_tokens() {
        let service = Service::start().await;
        let (_, first) = service.other.joined_with_session().await;
        let second = service.api.refresh(&first).await.expect(200, "0").data();
        let mut newest = second.clone();
        for _ in 1..=50 {
            newest = service.api.refresh(&newest).await.expect(200, "0").data();
        }
        let repeated = service.api.refresh(&second).await.expect(200, "0").data();
        assert_eq!(repeated["refreshToken"], newest["refreshToken"]);
        assert_eq!(session(&service).await["used"].as_l().unwrap().len(), 50);
        service.api.refresh(&first).await.check(401, "AS_001");
        service.api.refresh(&newest).await.check(401, "AS_001");
    }

    #[tokio::test]
    async fn reuse_ends_session() {
        let service = Service::start().await;
        let (_, tokens) = service.other.joined_with_session().await;
        let successor = service.api.refresh(&tokens).await.expect(200, "0").data();
        age(&service, REPETITION / 2).await;
        service.api.refresh(&tokens).await.check(200, "0");
        age(&service, REPETITION).await;
        assert_snapshot!(service.effect(service.api.refresh(&tokens)).await, @"
        401 AS_001 로그인이 만료되었습니다. 다시 로그인해 주세요.
        GetItem SESSION, DeleteItem SESSION: 1 read, 1 write units
        - SESSION#[id1] SESSION
        ");
        assert!(!log::lines_with("a refresh token was used again").is_empty());
        // For thief and member alike.
        service.api.refresh(&successor).await.check(401, "AS_001");
    }

    #[tokio::test]
    async fn session_ends_after_14_days_without_refresh() {
        let service = Service::start().await;
        let (_, tokens) = service.other.joined_with_session().await;
        let item = session(&service).await;
        let set_end = async |end: u64| {
            let end = AttributeValue::N(end.to_string());
            set(&service.stack.dynamodb(), item["pk"].as_s().unwrap(), "SESSION", "expiresAt", end).await;
        };
        // DynamoDB removes expired items late.
        set_end(now()).await;
        service.api.refresh(&tokens).await.check(401, "AS_001");
        set_end(now() + 600).await;
        let tokens = service.api.refresh(&tokens).await.expect(200, "0").data();
        let end: u64 = session(&service).await["expiresAt"].as_n().unwrap().parse().unwrap();
        assert!(end.abs_diff(now() + 14 * 24 * 3_600) < 60);
        service.api.refresh(&tokens).await.check(200, "0");
    }

    #[tokio::test]
    async fn session_ends_90_days_after_login() {
        let service = Service::start().await;
        let (_, tokens) = service.other.joined_with_session().await;
        let item = session(&service).await;
        let started = now() - MAX_LIFETIME.as_secs() + 100;
        let value = AttributeValue::N(started.to_string());
        set(&service.stack.dynamodb(), item["pk"].as_s().unwrap(), "SESSION", "startedAt", value).await;
        service.api.refresh(&tokens).await.check(200, "0");
        assert_eq!(session(&service).await["expiresAt"], AttributeValue::N((started + 90 * 24 * 3_600).to_string()));
    }

    #[tokio::test]
    async fn end_of_session_in_between_stops_refresh() {
        let service = Service::start().await;
        let edit = json!({"password": PASSWORD, "newPassword": PASSWORD});
        for end in ["new password", "withdrawal", "logout"] {
            let (member, tokens) = service.other.joined_with_session().await;
            let end = async {
                match end {
                    "new password" => service.other.edit_member(&member, &edit).await.check(200, "0"),
                    "withdrawal" => service.other.withdraw(&member, &edit).await.check(204, "0"),
                    _ => service.other.logout(&tokens).await.check(204, "0"),
                }
            };
            service.interrupted(service.api.refresh(&tokens), end).await.check(401, "AS_001");
        }
    }

    #[tokio::test]
    async fn overtaken_refresh_gets_same_successor() {
        let service = Service::start().await;
        let (_, tokens) = service.other.joined_with_session().await;
        let refresh = async { service.other.refresh(&tokens).await.check(200, "0") };
        let refreshed = service.interrupted(service.api.refresh(&tokens), refresh).await.expect(200, "0").data();
        assert_eq!(service.other.refresh(&tokens).await.data()["refreshToken"], refreshed["refreshToken"]);
    }

    #[tokio::test]
    async fn faults_log_nobody_out() {
        let refresh = async |api: &Api, tokens: &Value| api.refresh(tokens).await;
        let session = async |service: &Service| service.other.joined_with_session().await.1;
        assert_snapshot!(faults(session, refresh).await, @"
                            once  lost  fails  unknown     ends   ends after
        GetItem SESSION     200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
