//! `POST /api/v1/members/join`

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{Api, sample};

fn member_with(field: &str, value: Value) -> Value {
    let mut member = sample::member();
    member[field] = value;
    member
}

async fn errors(body: &Value) -> Vec<[String; 2]> {
    Api::new().join(body).await.expect(400, "C_001").errors()
}

#[tokio::test]
async fn member_is_registered_as_sent() {
    let member = sample::member();
    let response = Api::new().join(&member).await.expect(201, "0");
    let data = response.data();
    let id = data["id"].as_str().unwrap();
    assert!(uuid::Uuid::try_parse(id).is_ok(), "{id}");
    assert_eq!(response.header("Location"), format!("/api/v1/members/{id}"));
    let expected = json!({
        "id": id,
        "name": member["name"],
        "nickname": member["nickname"],
        "email": member["email"],
    });
    assert_eq!(data, expected);
}

#[tokio::test]
async fn envelope_keys_are_in_order() {
    let text = Api::new().join(&sample::member()).await.text();
    let positions: Vec<_> = ["\"message\"", "\"code\"", "\"data\""].iter().map(|key| text.find(key)).collect();
    assert!(positions.iter().all(Option::is_some) && positions.is_sorted(), "{text}");
    assert!(text.starts_with("{\"message\":"), "{text}");
}

#[tokio::test]
async fn malformed_json_names_fault() {
    for (body, message) in [
        (&b"{\n  \"email\": \"k\",\n}"[..], "3번째 줄 1번째 글자: JSON 문법"),
        (b"{\"email\": \"k\"", "1번째 줄 13번째 글자: JSON이 중간에"),
        (b"\xEF\xBB\xBF{}", "1번째 줄 1번째 글자: 바이트 순서 표시(BOM)"),
        (b"{\n\"name\": \"\xC7\xD1\"}", "2번째 줄 10번째 글자: UTF-8"),
        (b"{\"name\": \"a\",\n\"name\": \"b\"}", "2번째 줄 6번째 글자: ‘name’ 필드가 두 번"),
        (b"[]", "1번째 줄 1번째 글자: JSON은 ‘{’로 시작"),
        (b"", "비어 있습니다"),
    ] {
        let response = Api::new().post("/api/v1/members/join", body).await.expect(400, "C_002");
        assert!(response.json()["message"].as_str().unwrap().contains(message), "{}", response.text());
    }
}

#[tokio::test]
async fn missing_or_blank_is_rejected() {
    for field in ["email", "name", "nickname", "password"] {
        let mut without = sample::member();
        without.as_object_mut().unwrap().remove(field);
        assert_eq!(errors(&without).await, [[field, ""]]);
        for (sent, echoed) in [
            (json!(null), ""),
            (json!(""), ""),
            (json!([]), ""),
            (json!(" \t"), " \t"),
            (json!(sample::INVISIBLE), sample::INVISIBLE),
        ] {
            let response = Api::new().join(&member_with(field, sent)).await.expect(400, "C_001");
            assert_eq!(response.errors().len(), 1);
            assert_eq!(response.json()["errors"][0]["field"], field);
            assert_eq!(response.json()["errors"][0]["reason"], "필수 입력값입니다.");
            assert_eq!(response.errors(), [[field, echoed]]);
        }
    }
}

#[tokio::test]
async fn errors_are_in_field_order() {
    let fields = ["email", "name", "nickname", "password"];
    assert_eq!(errors(&json!({})).await, fields.map(|field| [field, ""]));
}

#[tokio::test]
async fn text_over_limit_is_rejected() {
    for field in ["name", "nickname", "password"] {
        for letter in ["a", "한", "🎫"] {
            let unique = if field == "nickname" { sample::unique() } else { String::new() };
            let with_length = |length: usize| unique.clone() + &letter.repeat(length - unique.len());
            Api::new().join(&member_with(field, json!(with_length(20)))).await.expect(201, "0");
            let long = with_length(21);
            assert_eq!(errors(&member_with(field, json!(long))).await, [[field, &long]]);
        }
    }
    let email = |length: usize| sample::unique() + &"a".repeat(length - 10 - 12) + "@example.com";
    Api::new().join(&member_with("email", json!(email(50)))).await.expect(201, "0");
    let long = email(51);
    assert_eq!(errors(&member_with("email", json!(long))).await, [["email", &long]]);
}

#[tokio::test]
async fn malformed_email_is_rejected() {
    for email in ["kim", "kim@", "@example.com", "김 철수@example.com", "kim@exa mple.com"] {
        assert_eq!(errors(&member_with("email", json!(email))).await, [["email", email]]);
    }
}

#[tokio::test]
async fn email_can_have_two_violations() {
    let email = "가".repeat(51);
    assert_eq!(errors(&member_with("email", json!(email))).await, [["email", &email], ["email", &email]]);
}

#[tokio::test]
async fn control_characters_are_rejected() {
    for field in ["name", "nickname", "password"] {
        for text in ["a\nb", "a\0b", "a\u{85}b"] {
            assert_eq!(errors(&member_with(field, json!(text))).await, [[field, text]]);
        }
    }
}

#[tokio::test]
async fn non_text_is_echoed_as_compact_json() {
    for (value, echoed) in [
        (json!(5), "5"),
        (json!(true), "true"),
        (json!({"a": [1, "b c"]}), r#"{"a":[1,"b c"]}"#),
        (json!([null]), "[null]"),
        (json!({}), "{}"),
    ] {
        assert_eq!(errors(&member_with("name", value)).await, [["name", echoed]]);
    }
}

#[tokio::test]
async fn echo_stops_at_1_000_characters() {
    let errors = errors(&member_with("name", json!("한".repeat(700_000)))).await;
    assert_eq!(errors, [["name", &"한".repeat(1_000)]]);
}

#[tokio::test]
async fn unknown_fields_are_ignored() {
    Api::new().join(&member_with("role", json!({"admin": true}))).await.expect(201, "0");
}

#[tokio::test]
async fn taken_email_is_rejected_in_any_case() {
    let api = Api::new();
    let member = sample::member();
    api.join(&member).await.expect(201, "0");
    let upper = member["email"].as_str().unwrap().to_uppercase();
    api.join(&member_with("email", json!(upper))).await.expect(409, "AJ_001");
    api.join(&member).await.expect(409, "AJ_001");
}

#[tokio::test]
async fn taken_email_is_rejected_in_any_spelling() {
    let api = Api::new();
    for spellings in sample::DOMAINS {
        let unique = sample::unique();
        let email = |domain| json!(format!("{unique}@{domain}"));
        api.join(&member_with("email", email(spellings[0]))).await.expect(201, "0");
        for domain in spellings {
            api.join(&member_with("email", email(domain))).await.expect(409, "AJ_001");
        }
    }
}

#[tokio::test]
async fn similar_domains_are_different() {
    let api = Api::new();
    let unique = sample::unique();
    for domain in ["straße.de", "strasse.de"] {
        let member = member_with("email", json!(format!("{unique}@{domain}")));
        let joined = api.join(&member).await.expect(201, "0");
        assert_eq!(joined.data()["email"], member["email"]);
        let login = json!({"email": member["email"], "password": member["password"]});
        assert_eq!(api.login(&login).await.expect(200, "0").data()["id"], joined.data()["id"]);
    }
}

#[tokio::test]
async fn taken_nickname_is_rejected_in_any_width() {
    let api = Api::new();
    let unique = sample::unique();
    api.join(&member_with("nickname", json!(format!("Ａ각{unique}")))).await.expect(201, "0");
    let same = format!("a\u{1100}\u{1161}\u{11a8}{unique}");
    api.join(&member_with("nickname", json!(same))).await.expect(409, "AJ_002");
    api.join(&member_with("nickname", json!(format!("a간{unique}")))).await.expect(201, "0");
}

#[tokio::test]
async fn taken_nickname_is_rejected_with_spaces() {
    let api = Api::new();
    let nickname = format!("kim {}", sample::unique());
    let member = member_with("nickname", json!(format!("{nickname} ")));
    assert_eq!(api.join(&member).await.expect(201, "0").data()["nickname"], member["nickname"]);
    for same in [nickname.clone(), format!("\u{3000}{nickname}"), format!("\u{200b}{nickname}\u{3164}")] {
        api.join(&member_with("nickname", json!(same))).await.expect(409, "AJ_002");
    }
    let other = nickname.replace(' ', "");
    api.join(&member_with("nickname", json!(other))).await.expect(201, "0");
}

#[tokio::test]
async fn rejected_join_reserves_nothing() {
    let api = Api::new();
    let (taken, fresh) = (sample::member(), sample::member());
    api.join(&taken).await.expect(201, "0");

    let mut same_email = fresh.clone();
    same_email["email"] = taken["email"].clone();
    api.join(&same_email).await.expect(409, "AJ_001");
    let mut same_nickname = fresh.clone();
    same_nickname["nickname"] = taken["nickname"].clone();
    api.join(&same_nickname).await.expect(409, "AJ_002");

    api.join(&fresh).await.expect(201, "0");
}

#[tokio::test]
async fn one_of_simultaneous_joins_succeeds() {
    let api = Api::new();
    for (field, code) in [("email", "AJ_001"), ("nickname", "AJ_002")] {
        let shared = sample::member()[field].clone();
        let bodies: Vec<_> = (0..32).map(|_| member_with(field, shared.clone())).collect();
        let responses = join_all(bodies.iter().map(|body| api.join(body))).await;
        let codes: Vec<_> = responses.iter().map(|response| (response.status, response.code())).collect();
        assert_eq!(codes.iter().filter(|&result| *result == (201, "0".to_owned())).count(), 1, "{codes:?}");
        assert_eq!(codes.iter().filter(|&result| *result == (409, code.to_owned())).count(), 31, "{codes:?}");
    }
}

#[tokio::test]
async fn non_object_body_is_rejected() {
    let api = Api::new();
    let deep = "[".repeat(100_000);
    let nested = format!("{{\"email\":{}", "[".repeat(100_000));
    for body in ["", " ", "[]", "null", "\"a\"", "{", "{\"email\":}", "{}x", "{\"email\":\"\\ud800\"}", &deep, &nested]
    {
        api.post("/api/v1/members/join", body.to_owned()).await.expect(400, "C_002");
    }
    api.join(&sample::member()).await.expect(201, "0");
}

#[tokio::test]
async fn non_utf_8_body_is_rejected() {
    let body = b"{\"email\":\"\xff\xfe\"}".to_vec();
    Api::new().post("/api/v1/members/join", body).await.expect(400, "C_002");
}

#[tokio::test]
async fn other_media_type_is_rejected() {
    let api = Api::new();
    let body = sample::member().to_string();
    for media_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "multipart/form-data; boundary=x",
        "json",
    ] {
        let request = api.request(reqwest::Method::POST, "/api/v1/members/join");
        let response = Api::send(request.header("Content-Type", media_type).body(body.clone())).await;
        response.expect(415, "C_004");
    }
    let request = api.request(reqwest::Method::POST, "/api/v1/members/join");
    let request = request.header("Content-Type", "Application/JSON ; Charset=utf-8");
    Api::send(request.body(body)).await.expect(201, "0");
}

#[tokio::test]
async fn too_large_body_is_rejected() {
    let response = Api::new().post("/api/v1/members/join", vec![b' '; 4_700_001]).await.expect(413, "C_005");
    assert!(response.text().contains("4,700,000"), "{}", response.text());
}
