//! Failures and schemas of `openapi.json`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tests::{Api, Response, sample};

/// Returns the fields that a response reports as invalid, without those that contain them.
fn invalid(response: &Response) -> BTreeSet<String> {
    response.errors().into_iter().map(|[field, _]| field.rsplit('.').next().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn failures_of_validation_are_real() {
    let api = Api::new();
    let failures = ::openapi::document("/")["components"]["examples"].take();
    let invalid = json!({"email": "kim", "nickname": 1, "password": "secret"});
    assert_eq!(api.join(&invalid).await.json(), failures["C_001"]["value"]);
    let text = "{\n  \"email\": \"kim@example.com\",\n}";
    assert_eq!(api.post("/api/v1/members/join", text).await.json(), failures["C_002"]["value"]);
    assert_eq!(api.get("/api/v1/events?limit=0").await.json(), failures["C_003"]["value"]);
}

#[tokio::test]
async fn schemas_have_fields_of_code() {
    let api = Api::new();
    let schemas = ::openapi::document("/")["components"]["schemas"].take();
    let required = |name: &str| -> BTreeSet<String> {
        schemas[name]["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    let nulls = |name: &str| -> Map<String, Value> {
        schemas[name]["properties"].as_object().unwrap().keys().map(|name| (name.clone(), Value::Null)).collect()
    };
    let member = json!({"id": sample::UNKNOWN_EVENT});
    assert_eq!(invalid(&api.join(&json!({})).await), required("JoinRequest"));
    assert_eq!(invalid(&api.login(&json!({})).await), required("LoginRequest"));
    assert_eq!(invalid(&api.withdraw(&member, &json!({})).await), required("WithdrawRequest"));
    assert_eq!(invalid(&api.edit_member(&member, &json!({})).await), required("EditMemberRequest"));
    let fields = nulls("EditMemberRequest");
    let all: BTreeSet<_> = fields.keys().cloned().collect();
    assert_eq!(invalid(&api.edit_member(&member, &fields.into()).await), all);

    assert_eq!(invalid(&api.create(&json!({})).await), required("CreateRequest"));
    let mut event = sample::event();
    event["areas"] = json!([{}]);
    assert_eq!(invalid(&api.create(&event).await), required("AreaRequest"));
    event["areas"] = json!([{"label": "a", "price": 1, "areaMap": "/a.svg", "seats": [{}]}]);
    assert_eq!(invalid(&api.create(&event).await), required("SeatRequest"));
    let fields = nulls("EditRequest");
    // Null removes a field that an event need not have.
    let may_be_null = |name: &str| !required("EventSummary").contains(name) && name != "published";
    let all = fields.keys().filter(|name| !may_be_null(name)).cloned();
    assert_eq!(invalid(&api.edit("x", &fields.clone().into()).await), all.collect());
    let fields = nulls("EditShowRequest");
    let all = fields.keys().filter(|name| *name != "notice").cloned();
    assert_eq!(invalid(&api.edit_show("x", "x", &fields.clone().into()).await), all.collect());
    let fields = nulls("CopyRequest");
    let all = fields.keys().filter(|name| *name != "prices" && !may_be_null(name)).cloned();
    assert_eq!(invalid(&api.copy("x", &fields.clone().into()).await), all.collect());
    assert_eq!(invalid(&api.copy("x", &json!({})).await), required("CopyRequest"));
}
