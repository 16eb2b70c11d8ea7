//! Examples and schemas of `openapi.json`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tests::{Api, Response, sample};

const WEBP: &[u8] = include_bytes!("corpus/images/accepted/realistic.webp");

/// Returns the fields that a response reports as invalid, without those that contain them.
fn invalid(response: &Response) -> BTreeSet<String> {
    response.errors().into_iter().map(|[field, _]| field.rsplit('.').next().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn failures_of_validation_are_real() {
    let api = Api::new();
    let failures: Value = serde_json::from_str(::openapi::FAILURES).unwrap();
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
    let all = fields.keys().filter(|name| required("EventSummary").contains(*name)).cloned();
    assert_eq!(invalid(&api.edit("x", &fields.clone().into()).await), all.collect());
}

mod in_process {
    use tests::{named, new_stack};

    use super::*;

    #[tokio::test]
    async fn examples_are_real() {
        let stack = new_stack().await;
        let api = Api::with_url(&stack.url());
        let examples: Value = serde_json::from_str(::openapi::EXAMPLES).unwrap();
        let sent = |slug: &str| &examples[slug]["request"];
        let check = |slug: &str, response: &Response| {
            assert_eq!(named(&response.json().to_string()), named(&examples[slug]["response"].to_string()), "{slug}");
            response.data()
        };

        let member = check("members-join", &api.join(sent("members-join")).await);
        check("members-login", &api.login(sent("members-login")).await);
        let tokens = check("auth-login", &api.start_session(sent("auth-login")).await);
        check("auth-refresh", &api.refresh(&tokens).await);
        check("members-get", &api.profile(&member, &tokens).await);
        check("members-nickname", &api.change_nickname(&member, &tokens, sent("members-nickname")).await);
        check("members-edit", &api.edit_member(&member, sent("members-edit")).await);
        api.withdraw(&member, &json!({"password": "new secret"})).await.check(204, "0");

        let form = sample::form_with(sent("events-create"), sample::OTHER_POSTER);
        let id = check("events-create", &api.create_with_form(&form).await)["id"].as_str().unwrap().to_owned();
        check("events-get", &api.event(&id).await);
        check("events-detail", &api.event(&format!("{id}/detail")).await);
        assert_eq!(api.event(&format!("{id}/seat-map.svg")).await.text(), examples["events-seat-map"]["response"]);
        check("events-list", &api.get("/api/v1/events").await);
        api.delete(&id).await.check(204, "0");
        let own = api.get_as(sample::MANAGER, "/api/v1/managers/me/events?status=deleted").await;
        let (mut deleted, example) = (own.json(), &examples["managers-events"]["response"]);
        for time in ["registeredAt", "restorableUntil"] {
            deleted["data"][0][time] = example["data"][0][time].clone();
        }
        assert_eq!(named(&deleted.to_string()), named(&example.to_string()));
        check("events-restore", &api.restore(&id).await);
        check("events-thumbnail", &api.replace_thumbnail(&id, WEBP).await);
        check("events-edit", &api.edit(&id, sent("events-edit")).await);
    }
}
