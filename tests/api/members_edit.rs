//! `PATCH /api/v1/members/{memberId}`

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{Api, Response, sample};

/// Id that no member has.
const UNKNOWN: &str = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11";

/// Number of failures after which a client is barred.
const LIMIT: usize = 10;

/// Adds the password to fields.
fn with_password(mut fields: Value) -> Value {
    fields["password"] = json!(sample::PASSWORD);
    fields
}

fn login(member: &Value, password: &str) -> Value {
    json!({"email": member["email"], "password": password})
}

async fn errors(body: &Value) -> Vec<[String; 2]> {
    Api::new().edit_member(&json!(UNKNOWN), body).await.expect(400, "C_001").errors()
}

fn header_names(response: &Response) -> Vec<String> {
    response.headers.keys().map(ToString::to_string).collect()
}

#[tokio::test]
async fn every_field_is_changed() {
    let api = Api::new();
    let member = api.joined().await;
    let nickname = format!("새 {}", sample::unique());
    let edit = with_password(json!({"name": "이영희", "nickname": nickname, "newPassword": "새비밀번호5678!"}));
    let edited = api.edit_member(&member["id"], &edit).await.expect(200, "0").data();
    assert_eq!(edited, json!({"id": member["id"], "email": member["email"], "name": "이영희", "nickname": nickname}));
    api.login(&login(&member, sample::PASSWORD)).await.expect(401, "AL_001");
    let logged_in = api.login(&login(&member, "새비밀번호5678!")).await.expect(200, "0");
    assert_eq!(logged_in.data(), edited);
}

#[tokio::test]
async fn response_is_that_of_login() {
    let api = Api::new();
    let member = api.joined().await;
    let edited = api.edit_member(&member["id"], &with_password(json!({"name": "이영희"}))).await.expect(200, "0");
    let logged_in = api.login(&login(&member, sample::PASSWORD)).await.expect(200, "0").text();
    assert_eq!(edited.text().split_once("\"data\"").unwrap().1, logged_in.split_once("\"data\"").unwrap().1);
}

#[tokio::test]
async fn fields_change_separately() {
    let api = Api::new();
    let member = api.joined().await;
    let nickname = format!("새 {}", sample::unique());
    let edit = async |fields| api.edit_member(&member["id"], &with_password(fields)).await.expect(200, "0").data();
    let mut expected = json!({
        "id": member["id"], "email": member["email"], "name": member["name"], "nickname": member["nickname"],
    });
    for (field, value) in [("name", "이영희"), ("nickname", &nickname)] {
        expected[field] = json!(value);
        assert_eq!(edit(json!({field: value})).await, expected);
    }
    assert_eq!(edit(json!({"newPassword": sample::PASSWORD})).await, expected);
}

#[tokio::test]
async fn password_alone_changes_nothing() {
    let api = Api::new();
    let member = api.joined().await;
    let before = api.login(&login(&member, sample::PASSWORD)).await.expect(200, "0").data();
    let same = json!({"name": member["name"], "nickname": member["nickname"]});
    for fields in [json!({}), same, json!({"email": "new@example.com", "id": UNKNOWN, "role": "admin"})] {
        let edited = api.edit_member(&member["id"], &with_password(fields)).await.expect(200, "0");
        assert_eq!(edited.data(), before);
    }
    assert_eq!(api.login(&login(&member, sample::PASSWORD)).await.expect(200, "0").data(), before);
}

#[tokio::test]
async fn id_ignores_case() {
    let api = Api::new();
    let member = api.joined().await;
    let upper = json!(member["id"].as_str().unwrap().to_uppercase());
    let edited = api.edit_member(&upper, &with_password(json!({"name": "이영희"}))).await.expect(200, "0");
    assert_eq!(edited.data()["id"], member["id"]);
}

#[tokio::test]
async fn taken_nickname_changes_nothing() {
    let api = Api::new();
    let [member, other] = [api.joined().await, api.joined().await];
    let before = api.login(&login(&member, sample::PASSWORD)).await.expect(200, "0").data();
    let taken = other["nickname"].as_str().unwrap();
    for nickname in [taken.to_owned(), taken.to_uppercase(), format!(" {taken}")] {
        let edit = with_password(json!({"name": "이영희", "nickname": nickname, "newPassword": "새비밀번호"}));
        api.edit_member(&member["id"], &edit).await.expect(409, "AJ_002");
    }
    assert_eq!(api.login(&login(&member, sample::PASSWORD)).await.expect(200, "0").data(), before);
}

#[tokio::test]
async fn old_nickname_is_free_at_once() {
    let api = Api::new();
    let [member, other] = [api.joined().await, api.joined().await];
    let new = with_password(json!({"nickname": sample::unique()}));
    api.edit_member(&member["id"], &new).await.expect(200, "0");
    let old = with_password(json!({"nickname": member["nickname"]}));
    api.edit_member(&other["id"], &old).await.expect(200, "0");
    api.edit_member(&member["id"], &old).await.expect(409, "AJ_002");
    let mut joining = sample::member();
    joining["nickname"] = other["nickname"].clone();
    api.join(&joining).await.expect(201, "0");
}

#[tokio::test]
async fn own_nickname_may_change_case() {
    let api = Api::new();
    let member = api.joined().await;
    let upper = member["nickname"].as_str().unwrap().to_uppercase();
    assert_ne!(member["nickname"], upper);
    let edit = with_password(json!({"nickname": upper}));
    assert_eq!(api.edit_member(&member["id"], &edit).await.expect(200, "0").data()["nickname"], upper);
    let mut joining = sample::member();
    joining["nickname"] = member["nickname"].clone();
    api.join(&joining).await.expect(409, "AJ_002");
}

#[tokio::test]
async fn simultaneous_edits_share_no_nickname() {
    let api = Api::new();
    let members = join_all((0..4).map(|_| api.joined())).await;
    let nickname = sample::unique();
    let edit = &with_password(json!({"nickname": nickname}));
    let edits = members.iter().map(|member| api.edit_member(&member["id"], edit));
    let mut statuses: Vec<_> = join_all(edits).await.into_iter().map(|response| response.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409]);
}

#[tokio::test]
async fn simultaneous_edits_of_fields_all_take_effect() {
    let api = Api::new();
    let member = api.joined().await;
    let nickname = sample::unique();
    let edits = [json!({"name": "이영희"}), json!({"nickname": nickname}), json!({"newPassword": sample::PASSWORD})];
    let edits = edits.map(with_password);
    let responses = join_all(edits.iter().map(|edit| api.edit_member(&member["id"], edit))).await;
    for response in responses {
        response.expect(200, "0");
    }
    let data = api.login(&login(&member, sample::PASSWORD)).await.expect(200, "0").data();
    assert_eq!([&data["name"], &data["nickname"]], ["이영희", &nickname]);
}

#[tokio::test]
async fn errors_are_in_field_order() {
    let null = json!({"newPassword": null, "nickname": null, "name": null, "password": null});
    assert_eq!(errors(&null).await, ["password", "name", "nickname", "newPassword"].map(|field| [field, ""]));
    assert_eq!(errors(&json!({})).await, [["password", ""]]);
}

#[tokio::test]
async fn blank_field_is_required() {
    for field in ["password", "name", "nickname", "newPassword"] {
        for (sent, echoed) in
            [(json!(null), ""), (json!(""), ""), (json!([]), ""), (json!(sample::INVISIBLE), sample::INVISIBLE)]
        {
            let mut body = with_password(json!({}));
            body[field] = sent;
            let response = Api::new().edit_member(&json!(UNKNOWN), &body).await.expect(400, "C_001");
            assert_eq!(response.errors(), [[field, echoed]]);
            assert_eq!(response.json()["errors"][0]["reason"], "필수 입력값입니다.");
        }
    }
}

#[tokio::test]
async fn text_over_limit_is_rejected() {
    let api = Api::new();
    let member = api.joined().await;
    for field in ["name", "nickname", "newPassword"] {
        for letter in ["a", "한", "🎫"] {
            let prefix = if field == "newPassword" { sample::PASSWORD.to_owned() } else { sample::unique() };
            let long = prefix.clone() + &letter.repeat(21 - prefix.chars().count());
            let edit = with_password(json!({field: long}));
            let response = api.edit_member(&member["id"], &edit).await.expect(400, "C_001");
            assert_eq!(response.errors(), [[field, &long]]);
            if field != "newPassword" {
                let most: String = long.chars().take(20).collect();
                let edit = with_password(json!({field: most}));
                assert_eq!(api.edit_member(&member["id"], &edit).await.expect(200, "0").data()[field], most);
            }
        }
    }
    let most = "한".repeat(20);
    api.edit_member(&member["id"], &with_password(json!({"newPassword": most}))).await.expect(200, "0");
    api.login(&login(&member, &most)).await.expect(200, "0");
}

#[tokio::test]
async fn password_follows_rules_of_login() {
    let api = Api::new();
    let member = api.joined().await;
    let fifty = json!({"password": "한".repeat(50)});
    api.edit_member(&member["id"], &fifty).await.expect(401, "AL_001");
    let long = "한".repeat(51);
    assert_eq!(errors(&json!({"password": long})).await, [["password", &long]]);
}

#[tokio::test]
async fn invalid_field_is_not_counted() {
    let api = Api::new();
    let member = api.joined().await;
    for _ in 0..=LIMIT {
        let edit = json!({"password": "wrong", "name": ""});
        api.edit_member(&member["id"], &edit).await.expect(400, "C_001");
    }
    api.edit_member(&member["id"], &with_password(json!({}))).await.expect(200, "0");
}

#[tokio::test]
async fn non_object_body_is_rejected() {
    let api = Api::new();
    let path = format!("/api/v1/members/{UNKNOWN}");
    let send = || api.request(reqwest::Method::PATCH, &path);
    Api::send(send().json(&json!([]))).await.expect(400, "C_002");
    Api::send(send().body("{}")).await.expect(415, "C_004");
}

#[tokio::test]
async fn unknown_id_and_wrong_password_look_alike() {
    let api = Api::new();
    let member = api.joined().await;
    let wrong = api.edit_member(&member["id"], &json!({"password": "wrong"})).await.expect(401, "AL_001");
    for id in [uuid::Uuid::new_v4().to_string(), sample::unique(), "%ED%95%9C".repeat(50)] {
        let unknown =
            api.edit_member(&json!(id), &with_password(json!({"name": "이영희"}))).await.expect(401, "AL_001");
        assert_eq!(unknown.text(), wrong.text(), "{id}");
        assert_eq!(header_names(&unknown), header_names(&wrong), "{id}");
    }
}

#[tokio::test]
async fn failures_count_with_those_of_login() {
    let api = Api::new();
    let member = api.joined().await;
    let wrong = json!({"password": "wrong"});
    for _ in 0..LIMIT / 2 - 1 {
        api.edit_member(&member["id"], &wrong).await.expect(401, "AL_001");
        api.login(&login(&member, "wrong")).await.expect(401, "AL_001");
    }
    api.withdraw(&member["id"], &wrong).await.expect(401, "AL_001");
    api.login(&login(&member, "wrong")).await.expect(401, "AL_001");
    api.login(&login(&member, sample::PASSWORD)).await.expect(429, "AL_002");
    api.edit_member(&member["id"], &with_password(json!({}))).await.expect(429, "AL_002");
    api.withdraw(&member["id"], &with_password(json!({}))).await.expect(429, "AL_002");
}

#[tokio::test]
async fn success_resets_failures() {
    let api = Api::new();
    let member = api.joined().await;
    for _ in 0..2 {
        for _ in 0..LIMIT - 1 {
            api.login(&login(&member, "wrong")).await.expect(401, "AL_001");
        }
        api.edit_member(&member["id"], &with_password(json!({}))).await.expect(200, "0");
    }
}
