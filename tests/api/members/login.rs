//! `POST /api/v1/members/login`

use tests::prelude::*;

#[tokio::test]
async fn login_returns_no_secrets() {
    let api = Api::new();
    let member = api.joined().await;
    assert_snapshot!(api.login_with(&member, PASSWORD).await, @r#"
    200
    {
      "message": "로그인되었습니다.", "code": "0",
      "data": {"id": "[id1]", "email": "[text1]@example.com", "name": "김철수", "nickname": "닉네임[text1]"}
    }
    "#);
}

#[tokio::test]
async fn every_spelling_of_email_logs_in() {
    let api = Api::new();
    let unique = sample::unique();
    let member = sample::member_with("email", format!("{unique}@공연.kr"));
    api.join(&member).await.check(201, "0");
    for spelling in [format!("{unique}@xn--ob0bt78b.kr"), format!("{}@공연.kr ", unique.to_uppercase())] {
        let login = json!({"email": spelling, "password": PASSWORD});
        assert_eq!(api.login(&login).await.expect(200, "0").data()["email"], member["email"]);
    }
}

#[tokio::test]
async fn unknown_email_and_wrong_password_look_alike() {
    let api = Api::new();
    let [wrong, unknown] =
        [api.login_with(&api.joined().await, "x").await, api.login_with(&sample::member(), PASSWORD).await];
    assert_snapshot!(wrong, @r#"
    401
    {"message": "이메일 또는 비밀번호가 올바르지 않습니다.", "code": "AL_001"}
    "#);
    assert_eq!(wrong.text(), unknown.text());
    assert!(wrong.headers.keys().eq(unknown.headers.keys()));
}

#[tokio::test]
async fn every_invalid_field_is_listed() {
    let api = Api::new();
    let email = |length: usize| format!("{:a<1$}@example.com", sample::unique(), length - 12);
    let bodies = [
        json!({"email": null, "password": sample::INVISIBLE}),
        json!({"email": "kim", "password": 5}),
        json!({"email": email(50), "password": "한".repeat(50)}),
        json!({"email": email(51), "password": "한".repeat(51)}),
    ];
    assert_snapshot!(outcomes(&bodies, |body| api.login(body)).await, @r"
    0: 400 C_001 | email ‘’ 필수 입력값입니다. | password ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다.
    1: 400 C_001 | email ‘kim’ must be a well-formed email address | password ‘5’ 문자열이어야 합니다.
    2: 401 AL_001 이메일 또는 비밀번호가 올바르지 않습니다.
    3: 400 C_001 | email ‘[text1]… (51)’ 1자 이상 50자 이하여야 합니다. | password ‘한한한한한한한한한한… (51)’ 1자 이상 50자 이하여야 합니다.
    ");
}

mod in_process {
    use aws_sdk_dynamodb::types::AttributeValue;
    use domain::password::Password;

    use tests::fault::{Extent, Fault, Rule};

    use super::*;

    /// Stores the hash of the password with other parameters than those of the service.
    async fn joined_with_old_hash(service: &Service) -> Value {
        let member = service.other.joined().await;
        let hash = sample::hasher(2).hash(&Password::parse(PASSWORD).unwrap()).unwrap();
        let partition = format!("EMAIL#{}", member["email"].as_str().unwrap());
        let hash = AttributeValue::S(hash.as_str().to_owned());
        set(&service.stack.dynamodb(), &partition, "EMAIL", "password", hash).await;
        member
    }

    #[tokio::test]
    async fn login_upgrades_old_hash() {
        let service = Service::start().await;
        let member = joined_with_old_hash(&service).await;
        assert_snapshot!(service.effect(service.api.login_with(&member, PASSWORD)).await, @r#"
        200
        GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES, UpdateItem EMAIL: 1 read, 3 write units
        ~ EMAIL#[text1]@example.com EMAIL {"password": "$argon2id$v=19$m=64,t=1,p=1$[hash]"}
        + EMAIL#[text1]@example.com FAILURES {"clients": {}, "expiresAt": "[in 15 minutes]", "failures": 0}
        "#);
        // The login does not depend on it.
        let member = joined_with_old_hash(&service).await;
        let rule = Rule::new("UpdateItem EMAIL", Extent::Call, Fault::ConnectionError);
        service.with_rule(rule, service.api.login_with(&member, PASSWORD)).await.check(200, "0");
        service.api.login_with(&member, "wrong").await.check(401, "AL_001");
        service.check_permissions("members-login");
    }
}
