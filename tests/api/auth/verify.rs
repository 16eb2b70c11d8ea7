//! `POST /api/v1/auth/email-verification/confirmation`

use tests::prelude::*;

#[tokio::test]
async fn missing_token_is_listed() {
    let api = Api::new();
    let bodies = [json!({}), json!({"token": null}), json!({"token": 5}), json!({"token": "x".repeat(501)})];
    let path = "/api/v1/auth/email-verification/confirmation";
    assert_snapshot!(outcomes(&bodies, |body| api.post(path, body.to_string())).await, @"
    0: 400 C_001 | token ‘’ 필수 입력값입니다.
    1: 400 C_001 | token ‘’ 필수 입력값입니다.
    2: 400 C_001 | token ‘5’ 문자열이어야 합니다.
    3: 401 AP_001 사용할 수 없는 링크입니다. 메일을 다시 요청해 주세요.
    ");
}

mod in_process {
    use domain::mail::MailKind;
    use tests::mail::mail_token;

    use super::*;

    /// Joins with a new member, and returns the registration, the tokens of a session, and the token of a mail.
    async fn asked(service: &Service) -> (Value, Value, String) {
        let (member, tokens) = service.other.joined_with_session().await;
        service.other.request_verification(&tokens).await.check(202, "0");
        let token = mail_token(&service.stack, &member);
        (member, tokens, token)
    }

    #[tokio::test]
    async fn link_verifies_address() {
        let service = Service::start().await;
        let (member, tokens, token) = asked(&service).await;
        assert_snapshot!(service.api.verify(&token).await, @"204");
        assert_eq!(service.api.profile(&member, &tokens).await.data()["emailVerified"], true);
        // Again, also at the same time. It logs nobody out.
        assert_eq!(statuses((0..4).map(|_| service.api.verify(&token))).await, [204; 4]);
        service.api.refresh(&tokens).await.check(200, "0");
        // The other kind of mail rejects the token.
        service.api.reset(&token, PASSWORD).await.check(401, "AP_001");
    }

    #[tokio::test]
    async fn new_password_ends_token() {
        let service = Service::start().await;
        let (member, _, token) = asked(&service).await;
        let edit = json!({"password": PASSWORD, "newPassword": PASSWORD});
        service.api.edit_member(&member, &edit).await.check(200, "0");
        assert_snapshot!(service.api.verify(&token).await, @r#"
        401
        {"message": "사용할 수 없는 링크입니다. 메일을 다시 요청해 주세요.", "code": "AP_001"}
        "#);
        // A change of the password keeps the address unverified.
        let tokens = service.api.session(&member).await;
        assert_eq!(service.api.profile(&member, &tokens).await.data()["emailVerified"], false);
    }

    #[tokio::test]
    async fn token_ends_after_24_hours() {
        let (service, clock) = Service::with_clock().await;
        let (_, _, token) = asked(&service).await;
        clock.advance(MailKind::EmailVerification.lifetime().as_secs() - 60);
        service.api.verify(&token).await.check(204, "0");
        clock.advance(60);
        service.api.verify(&token).await.check(401, "AP_001");
    }

    #[tokio::test]
    async fn verification_is_three_calls() {
        let service = Service::start().await;
        let (_, _, token) = asked(&service).await;
        assert_snapshot!(service.effect(service.api.verify(&token)).await, @r#"
        204
        GetItem MEMBER, GetItem EMAIL, TransactWriteItems: 2 read, 4 write units
        ~ EMAIL#[text1]@example.com EMAIL {"emailVerified": true}
        ~ MEMBER#[id1] MEMBER {"emailVerified": true}
        "#);
        assert_snapshot!(service.effect(service.api.verify(&token)).await, @"
        204
        GetItem MEMBER, GetItem EMAIL: 2 read, 0 write units
        ");
        service.check_permissions("auth-verify");
    }

    #[tokio::test]
    async fn faults_change_nothing_or_all() {
        let verify = async |api: &Api, (_, _, token): &(Value, Value, String)| api.verify(token).await;
        assert_snapshot!(faults(asked, verify).await, @"
                            once  lost  fails  unknown     ends   ends after
        GetItem MEMBER      204   204   S_003  S_003       S_003  S_003
        GetItem EMAIL       204   204   S_003  S_003       S_003  S_003
        TransactWriteItems  204   204   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
