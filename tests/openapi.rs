//! Examples and schemas of `openapi.json`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tests::{Api, Response, sample};

/// Event of the examples.
const EXAMPLE: &str = "01966b1c-4b10-7c3e-9d52-6f0a8e7b4c21";

const WEBP: &[u8] = include_bytes!("corpus/images/accepted/realistic.webp");

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

mod in_process {
    use tests::{Sale, named, new_stack};

    use super::*;
    use crate::envelope::operations;

    /// Replaces the ids of parts of the event of the examples by those of another event.
    fn in_event(example: &Value, event: &str) -> Value {
        let parts = |event: &str| format!("{}8{}", &event[..14], &event[15..28]);
        let text = example.to_string();
        if event.is_empty() { example.clone() } else { text.replace(&parts(EXAMPLE), &parts(event)).parse().unwrap() }
    }

    /// Sends the example of each operation to a new service, which has the member and the event of the examples.
    #[tokio::test]
    async fn examples_are_real() {
        let examples: Value = serde_json::from_str(&::openapi::examples()).unwrap();
        let sent = |slug: &str| &examples[slug]["request"];
        let form = sample::form_with(sent("events-create"), sample::OTHER_POSTER);
        for operation in operations() {
            let slug = &*operation.slug;
            let mut expected = examples[slug]["response"].clone();
            // Keys and the address depend on the deployment; a response without a body has no example.
            if expected.is_null() || slug == "auth-keys" || slug == "auth-configuration" {
                continue;
            }
            let stack = new_stack().await;
            let api = Api::with_url(&stack.url());
            let (mut member, mut tokens, mut event) = (Value::Null, Value::Null, String::new());
            if !slug.ends_with("-join") {
                member = api.join(sent("members-join")).await.data();
                tokens = api.start_session(sent("auth-login")).await.data();
            }
            if slug != "events-create" {
                event = api.create_with_form(&form).await.id();
            }
            if slug == "events-restore" || slug == "managers-events" {
                api.delete(&event).await.check(204, "0");
            }

            let mut show = String::new();
            if slug == "shows-edit" || slug == "events-cancel" {
                show = api.event(&event).await.show();
            } else if operation.path.contains("{showId}") || slug == "members-holds" {
                // The show of the example is over.
                show = api.edit(&event, &json!({"eventDatetimes": [4_102_444_800_u64]})).await.show();
            }
            let sent = |slug: &str| in_event(sent(slug), &event);
            let mut hold = String::new();
            let sale = Sale { event: event.clone(), show: show.clone() };
            if operation.path.contains("{holdId}") {
                hold = sale.hold_with(&api, &tokens, &sent("holds-create")).await.id();
            }
            match slug {
                "members-holds" => sale.hold_with(&api, &tokens, &sent("holds-create")).await.check(201, "0"),
                "sales-list" | "sales-summary" => {
                    sale.sell_with(&api, &sent("sales-create")).await.check(201, "0");
                }
                // A postponed show has not begun.
                "events-cancel" => {
                    for show in api.event(&event).await.data()["eventDatetimes"].as_array().unwrap() {
                        let postponed = json!({"status": "POSTPONED"});
                        api.edit_show(&event, show["id"].as_str().unwrap(), &postponed).await.check(200, "0");
                    }
                }
                "managers-event" => api.edit(&event, &json!({"published": false})).await.check(200, "0"),
                "holds-cancel" => sale.confirm(&api, &hold, "order-1", 264_000.0).await.check(200, "0"),
                "seats-availability" | "seats-list" | "seats-unblock" => sale.block(&api, &[1]).await.check(200, "0"),
                _ => {}
            }

            let member = member["id"].as_str().unwrap_or_default();
            let ids = [("{memberId}", member), ("{eventId}", &event), ("{showId}", &show), ("{holdId}", &hold)];
            let path = ids.iter().fold(operation.path.clone(), |path, (name, id)| path.replace(name, id));
            let query = if slug == "managers-events" { "?status=deleted" } else { "" };
            let request = api.request(operation.method.clone(), &format!("{path}{query}"));
            let request = match (slug, tokens["accessToken"].as_str()) {
                (_, Some(token)) if operation.is_for_members => request.bearer_auth(token),
                _ => request.header("x-api-managerId", sample::MANAGER),
            };
            let request = match operation.media_type.as_deref() {
                _ if slug == "events-create" => api.create_request(&form),
                _ if slug == "events-thumbnail" => api.thumbnail_request(&event, WEBP),
                Some(_) if slug == "auth-refresh" => request.json(&json!({"refreshToken": tokens["refreshToken"]})),
                Some(_) => request.json(&sent(slug)),
                None => request,
            };
            let response = Api::send(request).await;

            let actual: Value = serde_json::from_slice(&response.body).unwrap_or_else(|_| response.text().into());
            if let Some(time) = expected.pointer_mut("/data/expiresAt") {
                *time = actual["data"]["expiresAt"].clone();
            }
            if slug == "members-holds" {
                for time in ["expiresAt", "datetime"] {
                    expected["data"][0][time] = actual["data"][0][time].clone();
                }
            }
            if slug == "managers-event" {
                expected["data"]["registeredAt"] = actual["data"]["registeredAt"].clone();
            }
            if slug == "managers-events" {
                for time in ["registeredAt", "restorableUntil"] {
                    expected["data"][0][time] = actual["data"][0][time].clone();
                }
            }
            assert_eq!(named(&actual.to_string()), named(&expected.to_string()), "{slug}");
        }
    }
}
