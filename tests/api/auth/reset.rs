//! `POST /api/v1/auth/password-reset/confirmation`

use tests::prelude::*;

#[tokio::test]
async fn invalid_fields_are_listed() {
    let api = Api::new();
    let bodies = [
        json!({}),
        json!({"newPassword": " ", "token": 5}),
        json!({"token": "x", "newPassword": "한".repeat(51)}),
        json!({"token": "x".repeat(501), "newPassword": "x"}),
    ];
    let path = "/api/v1/auth/password-reset/confirmation";
    assert_snapshot!(outcomes(&bodies, |body| api.post(path, body.to_string())).await, @"
    0: 400 C_001 | token ‘’ 필수 입력값입니다. | newPassword ‘’ 필수 입력값입니다.
    1: 400 C_001 | token ‘5’ 문자열이어야 합니다. | newPassword ‘ ’ 필수 입력값입니다.
    2: 400 C_001 | newPassword ‘한한한한한한한한한한… (51)’ 20자 이하여야 합니다.
    3: 401 AP_001 사용할 수 없는 링크입니다. 메일을 다시 요청해 주세요.
    ");
}

mod in_process {
    use std::sync::atomic::{AtomicBool, Ordering};

    use auth::{
        mail_token::{MailKey, MailToken},
        refresh_token::RefreshKey,
        secret::Secret,
    };
    use domain::mail::MailKind;
    use futures_util::future::{join, join_all};
    use storage::members::sessions::RefreshToken;
    use tests::{log, mail::mail_token};
    use uuid::Uuid;

    use super::*;

    const NEW: &str = "새비밀번호5678!";

    /// Joins with a new member, and returns the registration, the tokens of a session, and the token of a mail.
    async fn forgotten(service: &Service) -> (Value, Value, String) {
        let (member, tokens) = service.other.joined_with_session().await;
        service.other.forgot(&member["email"]).await.check(202, "0");
        let token = mail_token(&service.stack, &member);
        (member, tokens, token)
    }

    fn secret(service: &Service) -> Secret {
        service.stack.session_secret().unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn new_password_holds_at_once() {
        let service = Service::start().await;
        let (member, tokens, token) = forgotten(&service).await;
        for _ in 0..11 {
            let _ = service.api.login_with(&member, "wrong").await;
        }
        service.api.login_with(&member, PASSWORD).await.check(429, "AL_002");
        assert_snapshot!(service.api.reset(&token, NEW).await, @"204");
        service.api.login_with(&member, NEW).await.check(200, "0");
        service.api.login_with(&member, PASSWORD).await.check(401, "AL_001");
        service.api.refresh(&tokens).await.check(401, "AS_001");
        // An access token outlives its session.
        assert_eq!(service.api.profile(&member, &tokens).await.data()["emailVerified"], true);
        assert_snapshot!(service.api.reset(&token, NEW).await, @r#"
        401
        {"message": "사용할 수 없는 링크입니다. 메일을 다시 요청해 주세요.", "code": "AP_001"}
        "#);
    }

    #[tokio::test]
    async fn new_password_uses_up_all_tokens() {
        let service = Service::start().await;
        let (member, _, first) = forgotten(&service).await;
        service.api.forgot(&member["email"]).await.check(202, "0");
        let second = mail_token(&service.stack, &member);
        service.api.reset(&second, NEW).await.check(204, "0");
        for used in [&first, &second] {
            service.api.reset(used, PASSWORD).await.check(401, "AP_001");
        }
        // Also by an edit, with the same password.
        service.api.forgot(&member["email"]).await.check(202, "0");
        let third = mail_token(&service.stack, &member);
        service.api.edit_member(&member, &json!({"password": NEW, "newPassword": NEW})).await.check(200, "0");
        service.api.reset(&third, PASSWORD).await.check(401, "AP_001");
    }

    #[tokio::test]
    async fn other_changes_keep_token() {
        let service = Service::start().await;
        let (member, tokens, token) = forgotten(&service).await;
        let nickname = json!({"nickname": sample::unique()});
        service.api.change_nickname(&member, &tokens, &nickname).await.check(200, "0");
        service.api.reset(&token, &"한".repeat(51)).await.check(400, "C_001");
        service.api.reset(&token, NEW).await.check(204, "0");
    }

    #[tokio::test]
    async fn one_of_simultaneous_confirmations_succeeds() {
        let service = Service::start().await;
        let (_, _, token) = forgotten(&service).await;
        let confirmations = (0..8).map(|_| service.api.reset(&token, NEW));
        assert_eq!(statuses(confirmations).await, [vec![204], vec![401; 7]].concat());
    }

    #[tokio::test]
    async fn token_ends_after_30_minutes() {
        let (service, clock) = Service::with_clock().await;
        let (_, _, token) = forgotten(&service).await;
        clock.advance(29 * 60);
        service.api.reset(&token, &"한".repeat(51)).await.check(400, "C_001");
        clock.advance(60);
        service.api.reset(&token, NEW).await.check(401, "AP_001");
    }

    #[tokio::test]
    async fn token_of_withdrawn_member_is_unusable() {
        let service = Service::start().await;
        let (member, _, token) = forgotten(&service).await;
        service.api.withdraw(&member, &json!({"password": PASSWORD})).await.check(204, "0");
        service.api.reset(&token, NEW).await.check(401, "AP_001");
        // Also if somebody registers with the same address.
        service.api.join(&member).await.check(201, "0");
        service.api.reset(&token, NEW).await.check(401, "AP_001");
        service.api.login_with(&member, PASSWORD).await.check(200, "0");
    }

    #[tokio::test]
    async fn unusable_tokens_look_alike() {
        let service = Service::start().await;
        let (member, tokens, token) = forgotten(&service).await;
        let id: Uuid = member["id"].as_str().unwrap().parse().unwrap();
        let key = MailKey::derive(&secret(&service));
        let (kind, end) = (MailKind::PasswordReset, now() + 60);
        let valid = MailToken { kind, member: id, epoch: 0, end };
        let other_key = MailKey::derive(&"0123456789abcdef0123456789abcdef".parse().unwrap());
        let refresh = RefreshKey::derive(&secret(&service)).sign(RefreshToken { session: id, generation: 0 });
        let zero_tag = format!("{}{}", &token[..44], "A".repeat(43));
        let first = service.api.reset("x", NEW).await;
        assert_snapshot!(first, @r#"
        401
        {"message": "사용할 수 없는 링크입니다. 메일을 다시 요청해 주세요.", "code": "AP_001"}
        "#);
        for (case, unusable) in [
            ("all zero", "A".repeat(87)),
            ("signature of zeros", zero_tag),
            ("500 characters", "a".repeat(500)),
            ("501 characters", "a".repeat(501)),
            ("not ASCII", "한".repeat(29)),
            ("padded", format!("{token}=")),
            ("truncated", token[..86].to_owned()),
            ("other key", other_key.sign(&valid)),
            ("ended", key.sign(&MailToken { end: now(), ..valid })),
            ("other purpose", key.sign(&MailToken { kind: MailKind::EmailVerification, ..valid })),
            ("other number of passwords", key.sign(&MailToken { epoch: 1, ..valid })),
            ("other member", key.sign(&MailToken { member: Uuid::from_u128(7), ..valid })),
            ("access token", tokens["accessToken"].as_str().unwrap().to_owned()),
            ("refresh token", tokens["refreshToken"].as_str().unwrap().to_owned()),
            ("refresh token of the member's id", refresh),
        ] {
            assert_eq!(service.api.reset(&unusable, NEW).await.to_string(), first.to_string(), "{case}");
        }
        // And a token of a mail is no other token.
        service.api.refresh(&json!({"refreshToken": token})).await.check(401, "AS_001");
        service.api.profile(&member, &json!({"accessToken": token})).await.check(401, "AS_002");
        service.api.logout(&json!({"refreshToken": token})).await.check(204, "0");
        service.api.reset(&key.sign(&valid), NEW).await.check(204, "0");
    }

    #[tokio::test]
    async fn reset_is_four_calls() {
        let service = Service::start().await;
        let (_, _, token) = forgotten(&service).await;
        assert_snapshot!(service.effect(service.api.reset(&token, NEW)).await, @r#"
        204
        GetItem MEMBER, GetItem EMAIL, TransactWriteItems, DeleteItem FAILURES: 2 read, 5 write units
        ~ EMAIL#[text1]@example.com EMAIL {"emailVerified": true, "epoch": 1, "password": "$argon2id$v=19$m=64,t=1,p=1$[hash]"}
        - EMAIL#[text1]@example.com FAILURES
        ~ MEMBER#[id1] MEMBER {"emailVerified": true, "epoch": 1}
        "#);
        assert_snapshot!(service.effect(service.api.reset(&token, NEW)).await, @"
        401 AP_001 사용할 수 없는 링크입니다. 메일을 다시 요청해 주세요.
        GetItem MEMBER, GetItem EMAIL: 2 read, 0 write units
        ");
        assert_snapshot!(service.effect(service.api.reset("x", NEW)).await, @"
        401 AP_001 사용할 수 없는 링크입니다. 메일을 다시 요청해 주세요.
        no calls: 0 read, 0 write units
        ");
        service.check_permissions("auth-reset");
    }

    #[tokio::test]
    async fn simultaneous_login_is_not_barred() {
        let service = Service::start().await;
        let (member, _, token) = forgotten(&service).await;
        service.api.login_with(&member, "wrong").await.check(401, "AL_001");
        let reset = async { service.other.reset(&token, PASSWORD).await.check(204, "0") };
        let login = service.api.login_with(&member, PASSWORD);
        service.interrupted_at("UpdateItem FAILURES", 1, login, reset).await.check(200, "0");
    }

    #[tokio::test]
    async fn edit_in_between_ends_token() {
        let service = Service::start().await;
        let (member, _, token) = forgotten(&service).await;
        let edit = json!({"password": PASSWORD, "newPassword": PASSWORD});
        let edit = async { service.other.edit_member(&member, &edit).await.check(200, "0") };
        service.interrupted(service.api.reset(&token, NEW), edit).await.check(401, "AP_001");
    }

    #[tokio::test]
    async fn withdrawal_in_between_ends_token() {
        let service = Service::start().await;
        let (member, _, token) = forgotten(&service).await;
        let password = json!({"password": PASSWORD});
        let withdraw = async { service.other.withdraw(&member, &password).await.check(204, "0") };
        service.interrupted(service.api.reset(&token, NEW), withdraw).await.check(401, "AP_001");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn nickname_in_between_is_kept() {
        let service = Service::start().await;
        let (member, tokens, token) = forgotten(&service).await;
        let nickname = sample::unique();
        let new = json!({"nickname": nickname});
        let edit = async { service.other.change_nickname(&member, &tokens, &new).await.check(200, "0") };
        service.interrupted(service.api.reset(&token, NEW), edit).await.check(204, "0");
        assert_eq!(service.api.login_with(&member, NEW).await.data()["nickname"], nickname);
    }

    #[tokio::test]
    async fn flood_of_edits_cannot_stop_reset() {
        let service = Service::start().await;
        let (member, tokens, token) = forgotten(&service).await;
        let is_done = AtomicBool::new(false);
        let edits = (0..32).map(|_| async {
            while !is_done.load(Ordering::Relaxed) {
                let nickname = json!({"nickname": sample::unique()});
                let _ = service.other.change_nickname(&member, &tokens, &nickname).await;
            }
        });
        let reset = async {
            let response = service.api.reset(&token, NEW).await;
            is_done.store(true, Ordering::Relaxed);
            response.check(204, "0");
        };
        join(join_all(edits), reset).await;
    }

    #[tokio::test]
    async fn nothing_about_mails_is_logged() {
        let service = Service::start().await;
        let (member, _, token) = forgotten(&service).await;
        service.api.reset(&token, NEW).await.check(204, "0");
        for secret in [&token, member["email"].as_str().unwrap()] {
            assert!(log::lines_with(secret).is_empty(), "{secret}");
        }
    }

    #[tokio::test]
    async fn faults_change_nothing_or_all() {
        let reset = async |api: &Api, (_, _, token): &(Value, Value, String)| api.reset(token, NEW).await;
        assert_snapshot!(faults(forgotten, reset).await, @"
                             once  lost  fails  unknown     ends   ends after
        GetItem MEMBER       204   204   S_003  S_003       S_003  S_003
        GetItem EMAIL        204   204   S_003  S_003       S_003  S_003
        TransactWriteItems   204   204   S_003  S_003 done  S_003  S_003 done
        DeleteItem FAILURES  204   204   204    204         204    204
        ");
    }
}
