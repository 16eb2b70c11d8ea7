//! `POST /api/v1/auth/logout`

use tests::prelude::*;

#[tokio::test]
async fn logout_ends_only_this_session() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let other = api.session(&member).await;
    assert_snapshot!(api.logout(&tokens).await, @"204");
    api.refresh(&tokens).await.check(401, "AS_001");
    api.refresh(&other).await.check(200, "0");
    // The access token is valid until it expires.
    api.profile(&member, &tokens).await.check(200, "0");
}

#[tokio::test]
async fn every_token_of_a_session_ends_it() {
    let api = Api::new();
    for used in [true, false] {
        let (_, first) = api.joined_with_session().await;
        let second = api.refresh(&first).await.expect(200, "0").data();
        api.logout(if used { &first } else { &second }).await.check(204, "0");
        for ended in [&first, &second] {
            api.refresh(ended).await.check(401, "AS_001");
            api.logout(ended).await.check(204, "0");
        }
    }
}

/// RFC 7009, 2.2.
#[tokio::test]
async fn meaningless_tokens_succeed_too() {
    let api = Api::new();
    let (_, tokens) = api.joined_with_session().await;
    let expected = api.logout(&tokens).await.to_string();
    for meaningless in ["x", "한", &"A".repeat(70), &"a".repeat(201)] {
        assert_eq!(api.logout(&json!({"refreshToken": meaningless})).await.to_string(), expected, "{meaningless}");
    }
    let bodies = [json!({}), json!({"refreshToken": " "}), json!({"refreshToken": 5})];
    assert_snapshot!(outcomes(&bodies, |body| api.post("/api/v1/auth/logout", body.to_string())).await, @"
    0: 400 C_001 | refreshToken ‘’ 필수 입력값입니다.
    1: 400 C_001 | refreshToken ‘ ’ 필수 입력값입니다.
    2: 400 C_001 | refreshToken ‘5’ 문자열이어야 합니다.
    ");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn logout_removes_session() {
        let service = Service::start().await;
        let (_, tokens) = service.other.joined_with_session().await;
        assert_snapshot!(service.effect(service.api.logout(&tokens)).await, @"
        204
        DeleteItem SESSION: 0 read, 1 write units
        - SESSION#[id1] SESSION
        ");
        assert_snapshot!(service.effect(service.api.logout(&tokens)).await, @"
        204
        DeleteItem SESSION: 0 read, 1 write units
        ");
        let meaningless = json!({"refreshToken": "A".repeat(70)});
        assert_snapshot!(service.effect(service.api.logout(&meaningless)).await, @"
        204
        no calls: 0 read, 0 write units
        ");
        service.check_permissions("auth-logout");
    }

    #[tokio::test]
    async fn faults_end_session_or_not() {
        let logout = async |api: &Api, tokens: &Value| api.logout(tokens).await;
        let session = async |service: &Service| service.other.joined_with_session().await.1;
        assert_snapshot!(faults(session, logout).await, @"
                            once  lost  fails  unknown     ends   ends after
        DeleteItem SESSION  204   204   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
