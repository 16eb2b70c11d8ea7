//! `POST /api/v1/auth/password-reset`

use tests::prelude::*;

#[tokio::test]
async fn invalid_email_is_rejected() {
    let api = Api::new();
    let emails = [json!(null), json!(" "), json!(5), json!("kim"), json!("가".repeat(51))];
    assert_snapshot!(outcomes(&emails, |email| api.forgot(email)).await, @"
    0: 400 C_001 | email ‘’ 필수 입력값입니다.
    1: 400 C_001 | email ‘ ’ 필수 입력값입니다.
    2: 400 C_001 | email ‘5’ 문자열이어야 합니다.
    3: 400 C_001 | email ‘kim’ must be a well-formed email address
    4: 400 C_001 | email ‘가가가가가가가가가가… (51)’ must be a well-formed email address | email ‘가가가가가가가가가가… (51)’ 1자 이상 50자 이하여야 합니다.
    ");
}

mod in_process {
    use api::client::VIEWER_ADDRESS;
    use aws_sdk_dynamodb::types::AttributeValue;
    use local::Settings;
    use tests::{
        log,
        mail::{mail_token, mails_to},
    };

    use super::*;

    #[tokio::test]
    async fn mail_has_link_with_token() {
        let service = Service::start().await;
        let member = service.api.joined().await;
        let unknown = service.api.forgot(&sample::member()["email"]).await;
        let known = service.api.forgot(&member["email"]).await;
        assert_snapshot!(known, @r#"
        202
        {"message": "가입된 이메일이면 비밀번호 재설정 메일을 보냈습니다. 메일함을 확인해 주세요.", "code": "0"}
        "#);
        assert_eq!(known.to_string(), unknown.to_string());
        let mails = service.stack.mails();
        let [mail] = &mails[..] else { panic!("one mail, not {mails:?}") };
        assert_eq!(mail.to, member["email"]);
        let token = mail_token(&service.stack, &member);
        assert!(token.len() <= 300 && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
        let link = format!("{}/reset-password#token={token}", service.stack.base_url());
        assert!(mail.text.contains(&format!("\n{link}\n")) && mail.html.matches(&link).count() == 2);
        assert_eq!(mail.subject, "비밀번호 재설정 안내");
    }

    /// SES takes no other characters.
    #[tokio::test]
    async fn mail_goes_to_address_with_ascii_domain() {
        let service = Service::start().await;
        let local = sample::unique();
        let member = sample::member_with("email", format!("{}@공연.kr", local.to_uppercase()));
        service.api.join(&member).await.check(201, "0");
        service.api.forgot(&json!(format!(" {local}@xn--ob0bt78b.kr "))).await.check(202, "0");
        assert_eq!(service.stack.mails()[0].to, format!("{}@xn--ob0bt78b.kr", local.to_uppercase()));
    }

    #[tokio::test]
    async fn ambiguous_address_gets_no_mail() {
        let service = Service::start().await;
        let member = sample::member_with("email", format!("{}@x,b[127.0.0.1]", sample::unique()));
        service.api.join(&member).await.check(201, "0");
        service.api.forgot(&member["email"]).await.check(202, "0");
        assert_eq!(service.stack.mails(), []);
    }

    #[tokio::test]
    async fn fourth_mail_in_an_hour_is_rejected() {
        let service = Service::start().await;
        let (member, tokens) = service.api.joined_with_session().await;
        for email in [&member["email"], &sample::member()["email"]] {
            for _ in 0..3 {
                service.api.forgot(email).await.check(202, "0");
            }
            let rejected = service.api.forgot(email).await;
            rejected.check(429, "AP_002");
            assert!((3_540..=3_600).contains(&rejected.header("Retry-After").parse::<u64>().unwrap()));
        }
        assert_eq!(mails_to(&service.stack, &member).len(), 3);
        // The other kind has a limit of its own.
        service.api.request_verification(&tokens).await.check(202, "0");
        let email = member["email"].as_str().unwrap();
        let partition = format!("EMAIL#{email}");
        for (left, status) in [(600, 429), (0, 202)] {
            let end = AttributeValue::N((now() + left).to_string());
            set(&service.stack.dynamodb(), &partition, "RESETS", "expiresAt", end).await;
            assert_eq!(service.api.forgot(&member["email"]).await.status, status, "{left}");
        }
    }

    #[tokio::test]
    async fn client_asks_for_20_mails_in_an_hour() {
        let service = Service::start().await;
        let (_, tokens) = service.api.joined_with_session().await;
        service.api.request_verification(&tokens).await.check(202, "0");
        for _ in 1..20 {
            service.api.forgot(&sample::member()["email"]).await.check(202, "0");
        }
        let rejected = service.api.forgot(&sample::member()["email"]).await;
        assert_snapshot!(rejected.summary(), @"429 AP_002 메일을 너무 많이 요청했습니다. 60분 뒤에 다시 시도해 주세요.");
        service.api.request_verification(&tokens).await.check(429, "AP_002");
    }

    #[tokio::test]
    async fn simultaneous_requests_cannot_pass_the_limit() {
        let service = Service::start().await;
        let member = service.api.joined().await;
        let requests = (0..8).map(|_| service.api.forgot(&member["email"]));
        assert_eq!(tests::statuses(requests).await, [vec![202; 3], vec![429; 5]].concat());
        assert_eq!(mails_to(&service.stack, &member).len(), 3);
    }

    #[tokio::test]
    async fn rejected_mail_counts_and_is_503() {
        let service = Service::start_with(Settings { mail_failure: true, ..Settings::default() }).await;
        let member = service.api.joined().await;
        let rejected = service.api.forgot(&member["email"]).await;
        assert_snapshot!(rejected, @r#"
        503
        retry-after: 2
        {"message": "지금은 메일을 보낼 수 없습니다. 잠시 후 다시 시도해 주세요.", "code": "S_004"}
        "#);
        assert!(!log::lines_with("SES rejected a mail: SendingPausedException").is_empty());
        service.api.forgot(&sample::member()["email"]).await.check(202, "0");
        for status in [503, 503, 429] {
            assert_eq!(service.api.forgot(&member["email"]).await.status, status);
        }
    }

    #[tokio::test]
    async fn client_cannot_name_its_address() {
        let service = Service::start().await;
        let forgot = async |viewer: &str| {
            let request = service.api.request(Method::POST, "/api/v1/auth/password-reset");
            let request = request.header(VIEWER_ADDRESS, viewer).json(&json!({"email": sample::member()["email"]}));
            Api::send(request).await.status
        };
        for _ in 0..20 {
            assert_eq!(forgot("203.0.113.7").await, 202);
        }
        assert_eq!(forgot("203.0.113.8").await, 429);
        let other = service.api.from_address("127.0.0.2");
        other.forgot(&sample::member()["email"]).await.check(202, "0");
    }

    #[tokio::test]
    async fn deployment_without_sender_has_no_mail() {
        let service = Service::start_with(Settings { mail_from: String::new(), ..Settings::default() }).await;
        for path in ["password-reset", "email-verification"] {
            for end in ["", "/confirmation"] {
                service.api.post(&format!("/api/v1/auth/{path}{end}"), "x").await.check(404, "AP_003");
            }
        }
    }

    #[tokio::test]
    async fn request_is_four_calls() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        assert_snapshot!(service.effect(service.api.forgot(&member["email"])).await, @r#"
        202
        BatchGetItem, TransactWriteItems, GetItem EMAIL, SendEmail: 3 read, 4 write units
        + CLIENT#127.0.0.1 MAILS {"count": 1, "expiresAt": "[in 60 minutes]"}
        + EMAIL#[text1]@example.com RESETS {"count": 1, "expiresAt": "[in 60 minutes]"}
        "#);
        assert_snapshot!(service.effect(service.api.forgot(&sample::member()["email"])).await, @r#"
        202
        BatchGetItem, TransactWriteItems, GetItem EMAIL: 3 read, 4 write units
        ~ CLIENT#127.0.0.1 MAILS {"count": 2}
        + EMAIL#[text1]@example.com RESETS {"count": 1, "expiresAt": "[in 60 minutes]"}
        "#);
        for _ in 0..2 {
            service.api.forgot(&member["email"]).await.check(202, "0");
        }
        assert_snapshot!(service.effect(service.api.forgot(&member["email"])).await, @"
        429 AP_002 메일을 너무 많이 요청했습니다. 60분 뒤에 다시 시도해 주세요.
        BatchGetItem: 2 read, 0 write units
        ");
        service.check_permissions("auth-forgot");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let forgot = async |api: &Api, member: &Value| api.forgot(&member["email"]).await;
        assert_snapshot!(faults(async |service| service.other.joined().await, forgot).await, @"
                            once  lost  fails  unknown  ends   ends after
        BatchGetItem        202   202   S_003  S_003    S_003  S_003
        TransactWriteItems  202   202   S_003  S_003    S_003  S_003
        GetItem EMAIL       202   202   S_003  S_003    S_003  S_003
        SendEmail           202   202   S_004  S_004    S_004  S_004
        ");
    }
}
