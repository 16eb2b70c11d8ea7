//! `POST /api/v1/members/join`

use tests::prelude::*;
use tests::sample::member_with;

#[tokio::test]
async fn member_is_registered_as_sent() {
    assert_snapshot!(Api::new().join(&sample::member()).await, @r#"
    201
    location: /api/v1/members/[id1]
    {
      "message": "회원가입이 완료되었습니다.", "code": "0",
      "data": {"id": "[id1]", "email": "[text1]@example.com", "name": "김철수", "nickname": "닉네임[text1]"}
    }
    "#);
    let request = Api::new().request(Method::POST, "/api/v1/members/join");
    let request = request.header("Content-Type", "Application/JSON ; Charset=utf-8");
    Api::send(request.body(member_with("role", json!({"admin": true})).to_string())).await.check(201, "0");
}

#[tokio::test]
async fn every_invalid_field_is_listed() {
    let api = Api::new();
    let invalid = json!({"password": " \t", "name": {"a": [1, "b c"]}, "email": "kim"});
    assert_snapshot!(api.join(&invalid).await, @r#"
    400
    {
      "message": "입력한 정보가 모두 올바른지 확인해 주세요.", "code": "C_001",
      "errors": [
        {"field": "email", "value": "kim", "reason": "올바른 이메일 형식이 아닙니다."},
        {"field": "name", "value": "{\"a\":[1,\"b c\"]}", "reason": "문자열이어야 합니다."},
        {"field": "nickname", "value": "", "reason": "필수 입력값입니다."},
        {"field": "password", "value": " \t", "reason": "필수 입력값입니다."}
      ]
    }
    "#);
    let all = |value: Value| json!({"email": value, "name": value, "nickname": value, "password": value});
    let bodies = [sample::INVISIBLE.to_owned(), "🎫".repeat(21), "a\0b".to_owned()].map(|text| all(text.into()));
    assert_snapshot!(outcomes(&bodies, |body| api.join(body)).await, @r"
    0: 400 C_001 | email ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다. | name ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다. | nickname ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다. | password ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다.
    1: 400 C_001 | email ‘🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫’ 올바른 이메일 형식이 아닙니다. | name ‘🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫’ 20자 이하여야 합니다. | nickname ‘🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫’ 20자 이하여야 합니다. | password ‘🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫’ 20자 이하여야 합니다.
    2: 400 C_001 | email ‘a\0b’ 올바른 이메일 형식이 아닙니다. | email ‘a\0b’ 제어 문자를 포함할 수 없습니다. | name ‘a\0b’ 제어 문자를 포함할 수 없습니다. | nickname ‘a\0b’ 제어 문자를 포함할 수 없습니다. | password ‘a\0b’ 제어 문자를 포함할 수 없습니다.
    ");
    // Values are returned up to 1,000 characters.
    let echoed = api.join(&member_with("name", "한".repeat(700_000))).await.expect(400, "C_001").errors();
    assert_eq!(echoed, [["name", &"한".repeat(1_000)]]);
}

#[tokio::test]
async fn longest_texts_are_accepted() {
    let unique = sample::unique();
    let email = |length: usize| format!("{unique}{}@example.com", "a".repeat(length - 22));
    let longest = json!({
        "email": email(50), "name": "🎫".repeat(20), "nickname": format!("{unique}{}", "한".repeat(10)), "password": "한".repeat(20),
    });
    Api::new().join(&longest).await.check(201, "0");
    assert_snapshot!(Api::new().join(&member_with("email", email(51))).await.summary(), @"400 C_001 | email ‘[text1]… (51)’ 50자 이하여야 합니다.");
}

#[tokio::test]
async fn taken_email_is_rejected_in_any_spelling() {
    let api = Api::new();
    let unique = sample::unique();
    api.join(&member_with("email", format!("{unique}@공연.kr"))).await.check(201, "0");
    for spelling in [format!("{unique}@xn--ob0bt78b.kr"), format!(" {}@공연.kr\n", unique.to_uppercase())] {
        api.join(&member_with("email", spelling)).await.check(409, "AJ_001");
    }
}

#[tokio::test]
async fn taken_nickname_is_rejected_in_any_spelling() {
    let api = Api::new();
    let unique = sample::unique();
    let nickname = format!("Ａ각 {unique} ");
    let joined = api.join(&member_with("nickname", &*nickname)).await.expect(201, "0");
    assert_eq!(joined.data()["nickname"], nickname);
    for same in [format!("a\u{1100}\u{1161}\u{11a8} {unique}"), format!("\u{3000}\u{200b}A각 {unique}\u{3164}")] {
        api.join(&member_with("nickname", same)).await.check(409, "AJ_002");
    }
    for other in [format!("a간 {unique}"), format!("a각{unique}")] {
        api.join(&member_with("nickname", other)).await.check(201, "0");
    }
}

#[tokio::test]
async fn one_of_simultaneous_joins_succeeds() {
    let api = Api::new();
    for field in ["email", "nickname"] {
        let shared = sample::member()[field].clone();
        let bodies: Vec<_> = (0..16).map(|_| member_with(field, shared.clone())).collect();
        assert_eq!(statuses(bodies.iter().map(|body| api.join(body))).await, [vec![201], vec![409; 15]].concat());
    }
}

mod in_process {
    use functions::members::join::Join;
    use tests::{
        fault::{Extent, Fault, Rule, TRANSACTION},
        function,
    };

    use super::*;

    #[tokio::test]
    async fn required_verification_sends_mail() {
        let service = Service::with_required_verification().await;
        let member = sample::member();
        assert_snapshot!(service.effect(service.api.join(&member)).await, @r#"
        201
        TransactWriteItems, BatchGetItem, TransactWriteItems, SendEmail: 2 read, 10 write units
        + EMAIL#[text1]@example.com EMAIL {
          "email": "[text1]@example.com", "id": "[id1]", "name": "김철수", "nickname": "닉네임[text1]",
          "password": "$argon2id$v=19$m=64,t=1,p=1$[hash]"
        }
        + CLIENT#127.0.0.1 MAILS {"count": 1, "expiresAt": "[in 60 minutes]"}
        + MEMBER#[id1] MEMBER {"email": "[text1]@example.com"}
        + NICKNAME#닉네임[text1] NICKNAME {"member": "[id1]"}
        + EMAIL#[text1]@example.com VERIFICATIONS {"count": 1, "expiresAt": "[in 60 minutes]"}
        "#);
        service.check_permissions("members-join");
    }

    #[tokio::test]
    async fn join_stores_member_login_and_nickname() {
        let service = Service::start().await;
        let member = sample::member();
        assert_snapshot!(service.effect(service.api.join(&member)).await, @r#"
        201
        TransactWriteItems: 0 read, 6 write units
        + EMAIL#[text1]@example.com EMAIL {
          "email": "[text1]@example.com", "id": "[id1]", "name": "김철수", "nickname": "닉네임[text1]",
          "password": "$argon2id$v=19$m=64,t=1,p=1$[hash]"
        }
        + MEMBER#[id1] MEMBER {"email": "[text1]@example.com"}
        + NICKNAME#닉네임[text1] NICKNAME {"member": "[id1]"}
        "#);
        for taken in ["email", "nickname"] {
            let other = member_with(taken, member[taken].clone());
            let effect = service.effect(service.api.join(&other)).await;
            assert_eq!((effect.usage.calls, effect.changes), (vec!["TransactWriteItems".to_owned()], vec![]));
        }
        assert_snapshot!(service.effect(service.api.join(&json!({}))).await, @r"
        400 C_001 | email ‘’ 필수 입력값입니다. | name ‘’ 필수 입력값입니다. | nickname ‘’ 필수 입력값입니다. | password ‘’ 필수 입력값입니다.
        no calls: 0 read, 0 write units
        ");
    }

    #[tokio::test]
    async fn common_passwords_can_be_rejected() {
        let body = member_with("password", "PassWord1");
        let join = async |policy: &str| {
            let environment = tests::environment().with("COMMON_PASSWORDS", policy);
            function::send::<Join>(&environment, function::post(&body)).await.summary()
        };
        assert_snapshot!(join("rejected").await, @"400 C_001 | password ‘PassWord1’ 너무 흔한 비밀번호입니다. 다른 비밀번호를 입력해 주세요.");
        assert_snapshot!(join("allowed").await, @"201");
    }

    /// The SDK knows neither conflicts nor throttling of a transaction.
    #[tokio::test]
    async fn conflict_and_throttling_are_retried() {
        let service = Service::start().await;
        let join = async |tries, fault| {
            let rule = Rule::new(TRANSACTION, Extent::Tries(tries), fault);
            service.with_rule(rule, service.api.join(&sample::member())).await
        };
        join(7, Fault::Conflict(0)).await.check(201, "0");
        join(3, Fault::ThrottledItem).await.check(201, "0");
        join(usize::MAX, Fault::ThrottledItem).await.check(503, "S_003");
    }

    #[tokio::test]
    async fn faults_store_member_or_nothing() {
        let send = async |api: &Api, member: &Value| api.join(member).await;
        assert_snapshot!(faults(async |_| sample::member(), send).await, @r"
                            once  lost  fails  unknown     ends   ends after
        TransactWriteItems  201   201   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
