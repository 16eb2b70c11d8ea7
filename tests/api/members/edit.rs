//! `PATCH /api/v1/members/{memberId}`

use tests::prelude::*;

const NEW_PASSWORD: &str = "새비밀번호5678!";

/// Adds the password to fields.
fn with_password(mut fields: Value) -> Value {
    fields["password"] = json!(PASSWORD);
    fields
}

#[tokio::test]
async fn every_field_is_changed() {
    let api = Api::new();
    let member = api.joined().await;
    let nickname = sample::unique();
    let edit = with_password(json!({"name": "이영희", "nickname": nickname, "newPassword": NEW_PASSWORD}));
    let edited = api.edit_member(&member, &edit).await;
    assert_snapshot!(edited, @r#"
    200
    {
      "message": "회원 정보가 변경되었습니다.", "code": "0",
      "data": {"id": "[id1]", "email": "[text1]@example.com", "name": "이영희", "nickname": "[text2]"}
    }
    "#);
    api.login_with(&member, PASSWORD).await.check(401, "AL_001");
    assert_eq!(api.login_with(&member, NEW_PASSWORD).await.data(), edited.data());
}

#[tokio::test]
async fn missing_fields_are_kept() {
    let api = Api::new();
    let member = api.joined().await;
    let mut expected = api.login_with(&member, PASSWORD).await.data();
    let same = json!({"name": member["name"], "nickname": member["nickname"], "newPassword": PASSWORD});
    for fields in [json!({}), same, json!({"email": "new@example.com", "id": sample::UNKNOWN_EVENT, "role": "admin"})] {
        assert_eq!(api.edit_member(&member, &with_password(fields)).await.data(), expected);
    }
    for (field, value) in [("name", json!("이영희")), ("nickname", json!(sample::unique()))] {
        expected[field] = value.clone();
        assert_eq!(api.edit_member(&member, &with_password(json!({field: value}))).await.data(), expected);
    }
    let upper = json!({"id": member["id"].as_str().unwrap().to_uppercase()});
    assert_eq!(api.edit_member(&upper, &with_password(json!({}))).await.data(), expected);
}

#[tokio::test]
async fn taken_nickname_changes_nothing() {
    let api = Api::new();
    let [member, other] = [api.joined().await, api.joined().await];
    let before = api.login_with(&member, PASSWORD).await.data();
    let taken = other["nickname"].as_str().unwrap();
    for nickname in [taken.to_owned(), taken.to_uppercase(), format!(" {taken}")] {
        let edit = with_password(json!({"name": "이영희", "nickname": nickname, "newPassword": NEW_PASSWORD}));
        api.edit_member(&member, &edit).await.check(409, "AJ_002");
    }
    assert_eq!(api.login_with(&member, PASSWORD).await.data(), before);
    // A member may change the case of their own one.
    let upper = with_password(json!({"nickname": taken.to_uppercase()}));
    assert_eq!(api.edit_member(&other, &upper).await.data()["nickname"], upper["nickname"]);
}

#[tokio::test]
async fn every_invalid_field_is_listed() {
    let api = Api::new();
    let member = api.joined().await;
    let all = |value: Value| json!({"password": value, "name": value, "nickname": value, "newPassword": value});
    let bodies = [
        all(json!(sample::INVISIBLE)),
        all(json!(5)),
        json!({"password": "한".repeat(51), "name": "🎫".repeat(21), "nickname": "한".repeat(21), "newPassword": "a".repeat(21)}),
    ];
    assert_snapshot!(outcomes(&bodies, |body| api.edit_member(&member, body)).await, @r"
    0: 400 C_001 | password ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다. | name ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다. | nickname ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다. | newPassword ‘\u{200b}ㅤ\u{feff}’ 필수 입력값입니다.
    1: 400 C_001 | password ‘5’ 문자열이어야 합니다. | name ‘5’ 문자열이어야 합니다. | nickname ‘5’ 문자열이어야 합니다. | newPassword ‘5’ 문자열이어야 합니다.
    2: 400 C_001 | password ‘한한한한한한한한한한… (51)’ 1자 이상 50자 이하여야 합니다. | name ‘🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫🎫’ 20자 이하여야 합니다. | nickname ‘한한한한한한한한한한한한한한한한한한한한한’ 20자 이하여야 합니다. | newPassword ‘aaaaaaaaaaaaaaaaaaaaa’ 20자 이하여야 합니다.
    ");
    let longest = json!({"name": "🎫".repeat(20), "nickname": sample::unique() + &"한".repeat(10), "newPassword": "한".repeat(20)});
    api.edit_member(&member, &with_password(longest)).await.check(200, "0");
    api.edit_member(&member, &json!({"password": "한".repeat(50)})).await.check(401, "AL_001");
}

#[tokio::test]
async fn unknown_id_and_wrong_password_look_alike() {
    let api = Api::new();
    let wrong = api.edit_member(&api.joined().await, &json!({"password": "wrong"})).await.expect(401, "AL_001");
    for id in [sample::UNKNOWN_EVENT, "x", &"%ED%95%9C".repeat(50)] {
        let unknown = api.edit_member(&json!({"id": id}), &with_password(json!({"name": "이영희"}))).await;
        assert_eq!(unknown.text(), wrong.text());
        assert!(unknown.headers.keys().eq(wrong.headers.keys()));
    }
}

#[tokio::test]
async fn failures_count_with_those_of_login() {
    let api = Api::new();
    let member = api.joined().await;
    let (wrong, right) = (json!({"password": "wrong"}), with_password(json!({})));
    for times in [9, 10] {
        for time in 0..times {
            match time % 3 {
                0 => api.login_with(&member, "wrong").await.check(401, "AL_001"),
                1 => api.edit_member(&member, &wrong).await.check(401, "AL_001"),
                _ => api.withdraw(&member, &wrong).await.check(401, "AL_001"),
            }
        }
        if times == 9 {
            // Invalid fields are not counted, and a success resets the failures.
            api.edit_member(&member, &json!({"password": "wrong", "name": ""})).await.check(400, "C_001");
            api.edit_member(&member, &right).await.check(200, "0");
        }
    }
    api.login_with(&member, PASSWORD).await.check(429, "AL_002");
    api.edit_member(&member, &right).await.check(429, "AL_002");
    api.withdraw(&member, &right).await.check(429, "AL_002");
}

mod in_process {
    use domain::{email::Email, password::Password};
    use functions::members::edit::Edit;
    use storage::members::member_store::Members;
    use tests::function;

    use super::*;

    #[tokio::test]
    async fn only_changed_items_are_written() {
        let service = Service::start().await;
        let (member, other) = (service.other.joined().await, service.other.joined().await);
        let edit = async |fields: Value| {
            let fields = with_password(fields);
            service.effect(service.api.edit_member(&member, &fields)).await
        };
        assert_snapshot!(edit(json!({"name": member["name"]})).await, @r#"
        200
        GetItem MEMBER, GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES: 2 read, 2 write units
        + EMAIL#[text1]@example.com FAILURES {"clients": {}, "expiresAt": "[in 15 minutes]", "failures": 0}
        "#);
        assert_snapshot!(edit(json!({"name": "이영희"})).await, @r#"
        200
        GetItem MEMBER, GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES, UpdateItem FAILURES, TransactWriteItems: 2 read, 4 write units
        ~ EMAIL#[text1]@example.com EMAIL {"name": "이영희"}
        "#);
        assert_snapshot!(edit(json!({"newPassword": PASSWORD})).await, @r#"
        200
        GetItem MEMBER, GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES, UpdateItem FAILURES, TransactWriteItems: 2 read, 6 write units
        ~ EMAIL#[text1]@example.com EMAIL {"epoch": 1, "password": "$argon2id$v=19$m=64,t=1,p=1$[hash]"}
        ~ MEMBER#[id1] MEMBER {"epoch": 1}
        "#);
        assert_snapshot!(edit(json!({"nickname": format!("{}a", sample::unique())})).await, @r#"
        200
        GetItem MEMBER, GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES, UpdateItem FAILURES, TransactWriteItems: 2 read, 8 write units
        ~ EMAIL#[text1]@example.com EMAIL {"nickname": "[text2]a"}
        + NICKNAME#[text2]a NICKNAME {"member": "[id1]"}
        - NICKNAME#닉네임[text1] NICKNAME
        "#);
        assert_snapshot!(edit(json!({"nickname": other["nickname"]})).await, @r"
        409 AJ_002 이미 사용 중인 닉네임입니다.
        GetItem MEMBER, GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES, UpdateItem FAILURES, TransactWriteItems: 2 read, 2 write units
        ");
        let unknown = json!({"id": sample::UNKNOWN_EVENT});
        assert_snapshot!(service.effect(service.api.edit_member(&unknown, &with_password(json!({})))).await, @r"
        401 AL_001 이메일 또는 비밀번호가 올바르지 않습니다.
        GetItem MEMBER: 1 read, 0 write units
        ");
        assert_snapshot!(service.effect(service.api.edit_member(&member, &json!({}))).await, @r"
        400 C_001 | password ‘’ 필수 입력값입니다.
        no calls: 0 read, 0 write units
        ");
        service.check_permissions("members-edit");
    }

    #[tokio::test]
    async fn common_new_password_can_be_rejected() {
        let member = tests::add_member(&sample::hasher(1)).await;
        let edit = async |policy: &str, body: Value| {
            let environment = tests::environment().with("COMMON_PASSWORDS", policy);
            function::send::<Edit>(&environment, function::member_request(&member.id.to_string(), &body))
                .await
                .summary()
        };
        let common = with_password(json!({"newPassword": "PassWord1"}));
        assert_snapshot!(edit("rejected", common.clone()).await, @"400 C_001 | newPassword ‘PassWord1’ 너무 흔한 비밀번호입니다. 다른 비밀번호를 입력해 주세요.");
        assert_snapshot!(edit("allowed", common).await, @"200");
        // An existing common password is no obstacle.
        let current = json!({"password": "PassWord1", "name": "이영희"});
        assert_snapshot!(edit("rejected", current).await, @"200");
    }

    #[tokio::test]
    async fn failures_bar_one_client() {
        let api = Api::new();
        let member = api.joined().await;
        let send = async |method, end: &str, client: &str, password: &str| {
            let path = format!("/api/v1/members/{}{end}", member["id"].as_str().unwrap());
            let request = api.from_address(client).request(method, &path);
            Api::send(request.json(&json!({"password": password}))).await.status
        };
        for (method, end, success) in [(Method::PATCH, "", 200), (Method::POST, "/withdrawal", 204)] {
            for _ in 0..10 {
                send(method.clone(), end, &format!("127.0.1.{success}"), "wrong").await;
            }
            assert_eq!(send(method.clone(), end, &format!("127.0.1.{success}"), PASSWORD).await, 429);
            assert_eq!(send(method, end, "127.0.0.8", PASSWORD).await, success);
        }
    }

    /// Last calls but the second transaction, which has the name of the first.
    const AFTER_LOSS: [&str; 2] = ["TransactWriteItems", "GetItem EMAIL"];

    #[tokio::test]
    async fn interrupted_edit_keeps_other_change() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        let nickname = json!(sample::unique());
        let change = with_password(json!({"nickname": nickname}));
        let change = async { service.other.edit_member(&member, &change).await.check(200, "0") };
        let edit = with_password(json!({"name": "이영희"}));
        let edited = service.interrupted(service.api.edit_member(&member, &edit), change).await.expect(200, "0").data();
        // The password is verified once, or a flood of changes that need none could stop a new password.
        assert!(service.proxy.calls().ends_with(&AFTER_LOSS.map(str::to_owned)), "{:?}", service.proxy.calls());
        assert_eq!([&edited["name"], &edited["nickname"]], [&json!("이영희"), &nickname]);
        assert_eq!(service.other.login_with(&member, PASSWORD).await.data(), edited);
    }

    #[tokio::test]
    async fn rehash_and_edit_keep_both_changes() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        let members = Members::new(service.proxy.table());
        let email = Email::from_stored(member["email"].as_str().unwrap().to_owned());
        let old = members.by_email(&email).await.unwrap().unwrap();
        let rehashed = sample::hasher(2).hash(&Password::parse(PASSWORD).unwrap()).unwrap();
        // An interrupted edit keeps the new hash.
        let rehash = async { members.rehash(&old, &rehashed).await.unwrap() };
        let edit = with_password(json!({"name": "이영희"}));
        service.interrupted(service.api.edit_member(&member, &edit), rehash).await.check(200, "0");
        assert_eq!(members.by_email(&email).await.unwrap().unwrap().password.as_str(), rehashed.as_str());
        // A late rehash does not revive the old password.
        let change = with_password(json!({"newPassword": NEW_PASSWORD}));
        service.other.edit_member(&member, &change).await.check(200, "0");
        members.rehash(&old, &rehashed).await.unwrap();
        service.other.login_with(&member, NEW_PASSWORD).await.check(200, "0");
    }

    #[tokio::test]
    async fn changed_password_stops_edit() {
        let service = Service::start().await;
        let member = service.other.joined().await;
        let change = with_password(json!({"newPassword": NEW_PASSWORD}));
        let change = async { service.other.edit_member(&member, &change).await.check(200, "0") };
        let edit = with_password(json!({"name": "이영희"}));
        service.interrupted(service.api.edit_member(&member, &edit), change).await.check(401, "AL_001");
        assert_eq!(service.other.login_with(&member, NEW_PASSWORD).await.data()["name"], member["name"]);
    }

    #[tokio::test]
    async fn withdrawal_stops_edit() {
        let service = Service::start().await;
        for is_replaced in [false, true] {
            let member = service.other.joined().await;
            let leave = async {
                service.other.withdraw(&member, &with_password(json!({}))).await.check(204, "0");
                if is_replaced {
                    service.other.join(&member).await.check(201, "0");
                }
            };
            let edit = with_password(json!({"nickname": sample::unique(), "newPassword": NEW_PASSWORD}));
            service.interrupted(service.api.edit_member(&member, &edit), leave).await.check(401, "AL_001");
            service.contents().await.check();
            let status = if is_replaced { 200 } else { 401 };
            assert_eq!(service.other.login_with(&member, PASSWORD).await.status, status);
        }
    }

    #[tokio::test]
    async fn faults_change_all_fields_or_none() {
        let edit = async |api: &Api, (member, fields): &(Value, Value)| api.edit_member(member, fields).await;
        let everything = async |service: &Service| {
            let fields = json!({"name": "이영희", "nickname": sample::unique(), "newPassword": NEW_PASSWORD});
            (service.other.joined().await, with_password(fields))
        };
        assert_snapshot!(faults(everything, edit).await, @r"
                             once  lost  fails  unknown     ends   ends after
        GetItem MEMBER       200   200   S_003  S_003       S_003  S_003
        GetItem EMAIL        200   200   S_003  S_003       S_003  S_003
        UpdateItem FAILURES  200   200   S_003  S_003       S_003  S_003
        UpdateItem FAILURES  200   200   200    200         S_003  S_003
        TransactWriteItems   200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
