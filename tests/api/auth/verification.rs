//! `POST /api/v1/auth/email-verification`

use tests::prelude::*;

#[tokio::test]
async fn missing_token_is_told() {
    let api = Api::new();
    assert_snapshot!(api.post("/api/v1/auth/email-verification", "x").await, @r#"
    401
    www-authenticate: Bearer
    {"message": "로그인이 필요합니다.", "code": "AS_002"}
    "#);
}

mod in_process {
    use local::Settings;
    use tests::{
        log,
        mail::{mail_token, mails_to},
    };

    use super::*;

    #[tokio::test]
    async fn unverified_member_gets_mail() {
        let service = Service::start().await;
        let (member, tokens) = service.api.joined_with_session().await;
        assert_eq!(service.api.profile(&member, &tokens).await.data()["emailVerified"], false);
        // Any body is ignored.
        let path = "/api/v1/auth/email-verification";
        let request = service.api.request(Method::POST, path).bearer_auth(tokens["accessToken"].as_str().unwrap());
        assert_snapshot!(Api::send(request.body("[")).await, @r#"
        202
        {"message": "이메일 인증을 요청했습니다. 메일함을 확인해 주세요.", "code": "0"}
        "#);
        let mails = mails_to(&service.stack, &member);
        let link = format!("{}/verify-email#token={}", service.stack.base_url(), mail_token(&service.stack, &member));
        assert_eq!((mails.len(), &*mails[0].subject), (1, "이메일 인증 안내"));
        assert!(mails[0].text.contains(&link) && mails[0].html.matches(&link).count() == 2);
    }

    #[tokio::test]
    async fn verified_member_gets_none() {
        let service = Service::start().await;
        let (member, tokens) = service.api.joined_with_session().await;
        service.api.request_verification(&tokens).await.check(202, "0");
        service.api.verify(&mail_token(&service.stack, &member)).await.check(204, "0");
        for _ in 0..4 {
            service.api.request_verification(&tokens).await.check(202, "0");
        }
        assert_eq!(mails_to(&service.stack, &member).len(), 1);
    }

    #[tokio::test]
    async fn fourth_mail_in_an_hour_is_rejected() {
        let service = Service::start().await;
        let (_, tokens) = service.api.joined_with_session().await;
        for _ in 0..3 {
            service.api.request_verification(&tokens).await.check(202, "0");
        }
        service.api.request_verification(&tokens).await.check(429, "AP_002");
    }

    #[tokio::test]
    async fn withdrawn_member_gets_none() {
        let service = Service::start().await;
        let (member, tokens) = service.api.joined_with_session().await;
        service.api.withdraw(&member, &json!({"password": PASSWORD})).await.check(204, "0");
        service.api.request_verification(&tokens).await.check(401, "AS_002");
    }

    #[tokio::test]
    async fn registration_sends_mail_where_required() {
        let required = domain::mail::EmailVerification::Required;
        let settings = Settings { email_verification: required, ..Settings::default() };
        let service = Service::start_with(settings.clone()).await;
        let mut member = service.api.joined().await;
        service.api.verify(&mail_token(&service.stack, &member)).await.check(204, "0");
        // Beyond the limit of an address, the mail is left out.
        for mails in [2, 3, 3] {
            service.api.withdraw(&member, &json!({"password": PASSWORD})).await.check(204, "0");
            member["id"] = service.api.join(&member).await.expect(201, "0").id().into();
            assert_eq!(mails_to(&service.stack, &member).len(), mails);
        }
        assert!(!log::lines_with("verification mail beyond a limit").is_empty());
        let paused = Service::start_with(Settings { mail_failure: true, ..settings }).await;
        let member = paused.api.joined().await;
        assert!(!log::lines_with("verification mail not sent").is_empty());
        assert!(log::lines_with(member["email"].as_str().unwrap()).is_empty());
    }

    #[tokio::test]
    async fn registrations_of_a_client_send_20_mails() {
        let service = Service::with_required_verification().await;
        service.api.forgot(&sample::member()["email"]).await.check(202, "0");
        for path in ["/api/v1/members/join", "/api/v1/auth/join"].iter().cycle().take(21) {
            service.api.post(path, sample::member().to_string()).await.check(201, "0");
        }
        // The 20th mail was asked for, and has no recipient.
        assert_eq!(service.stack.mails().len(), 19);
        service.api.forgot(&sample::member()["email"]).await.check(429, "AP_002");
        service.api.from_address("127.0.0.2").joined().await;
        assert_eq!(service.stack.mails().len(), 20);
    }

    #[tokio::test]
    async fn simultaneous_registrations_cannot_pass_the_limit() {
        let service = Service::with_required_verification().await;
        let members: Vec<_> = (0..32).map(|_| sample::member()).collect();
        let joined = tests::statuses(members.iter().map(|member| service.api.join(member))).await;
        assert_eq!((joined, service.stack.mails().len()), (vec![201; 32], 20));
    }

    #[tokio::test]
    async fn request_is_five_calls() {
        let service = Service::start().await;
        let (member, tokens) = service.other.joined_with_session().await;
        assert_snapshot!(service.effect(service.api.request_verification(&tokens)).await, @r#"
        202
        GetItem SIGNING_KEY, GetItem MEMBER, GetItem EMAIL, BatchGetItem, TransactWriteItems, SendEmail: 5 read, 4 write units
        + CLIENT#127.0.0.1 MAILS {"count": 1, "expiresAt": "[in 60 minutes]"}
        + EMAIL#[text1]@example.com VERIFICATIONS {"count": 1, "expiresAt": "[in 60 minutes]"}
        "#);
        service.other.verify(&mail_token(&service.stack, &member)).await.check(204, "0");
        assert_snapshot!(service.effect(service.api.request_verification(&tokens)).await, @"
        202
        GetItem MEMBER, GetItem EMAIL: 2 read, 0 write units
        ");
        service.check_permissions("auth-verification");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let request = async |api: &Api, (_, tokens): &(Value, Value)| api.request_verification(tokens).await;
        assert_snapshot!(faults(async |service| service.other.joined_with_session().await, request).await, @"
                             once  lost  fails  unknown  ends   ends after
        GetItem SIGNING_KEY  202   202   202    202      S_003  S_003
        GetItem MEMBER       202   202   S_003  S_003    S_003  S_003
        GetItem EMAIL        202   202   S_003  S_003    S_003  S_003
        BatchGetItem         202   202   S_003  S_003    S_003  S_003
        TransactWriteItems   202   202   S_003  S_003    S_003  S_003
        SendEmail            202   202   S_004  S_004    S_004  S_004
        ");
    }
}
