//! Log of all routes: causes of failures, and neither user input nor stored data.
//!
//! The harness checks every line that any test logs for texts of its requests.

use auth::mail_token::{MailKey, MailToken};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::mail::MailKind;
use futures_util::future::join_all;
use tests::prelude::*;
use tests::{
    fault::{Extent, Fault, Rule},
    log::{CANARY, lines_of, lines_with},
};

/// Returns the lines of a request except that of the access log.
fn causes(response: &Response) -> Vec<Value> {
    let mut lines = lines_of(response.header("x-request-id"));
    lines.retain(|line| line["level"] != "INFO");
    lines
}

/// Sends a request with canaries to each operation that uses the table, for members with the tokens of a session; all
/// at once, since most wait for retries.
async fn send_all(service: &Service, member: &str, tokens: &Value, event: &str) -> Vec<Response> {
    let api = &service.api;
    let key = MailKey::derive(&service.stack.session_secret().unwrap().parse().unwrap());
    let requests = Operation::all().into_iter().filter(|operation| operation.path.starts_with("/api/"));
    let requests = requests.map(|Operation { method, path, media_type, is_for_members, is_for_gates, .. }| {
        let path = sample::path(&path, &[("memberId", member), ("eventId", event)], sample::UNKNOWN_EVENT)
            + &format!("?{CANARY}={CANARY}&q=a");
        let authorization = match (is_for_members, is_for_gates) {
            (true, _) => tokens["accessToken"].as_str().unwrap(),
            (_, true) => sample::UNKNOWN_GATE,
            _ => CANARY,
        };
        let headers = ["Cookie", "If-None-Match", "Referer", "User-Agent", "x-api-key", CANARY];
        let request = headers.iter().fold(api.request(method, &path).bearer_auth(authorization), |request, name| {
            request.header(*name, format!("\"{CANARY}\""))
        });
        let request = request.header("x-api-managerId", sample::MANAGER).header("Idempotency-Key", CANARY);
        let kind = if path.contains("reset") { MailKind::PasswordReset } else { MailKind::EmailVerification };
        let id = member.parse().unwrap_or_default();
        let mail_token = key.sign(&MailToken { kind, member: id, epoch: 0, end: now() + 60 });
        let fields = json!({
            "token": mail_token, "newPassword": PASSWORD,
            "email": format!("{}@example.com", sample::unique()), "name": CANARY, "password": PASSWORD,
            "refreshToken": tokens["refreshToken"], "seatIds": [sample::UNKNOWN_EVENT], "orderId": CANARY, "amount": 1,
            "nickname": format!("{CANARY}{}", sample::unique()), "eventOpenTime": 0, "ticketingOpenTime": 0,
            "eventDatetimes": ["2100-03-01T00:00:00Z"], "datetime": "2100-04-01T00:00:00Z", "notice": CANARY, "text": CANARY, "title": format!("{CANARY}{}", sample::unique()),
        });
        let form = sample::form(&sample::event());
        match media_type.as_deref() {
            Some("multipart/form-data") => request.header("Content-Type", form.content_type()).body(form.body()),
            Some(_) => request.json(&fields),
            None => request,
        }
    });
    join_all(requests.map(Api::send)).await
}

#[tokio::test]
async fn only_server_errors_have_causes() {
    let service = Service::start().await;
    let (_, tokens) = service.other.joined_with_session().await;
    for (member, event) in [(CANARY, CANARY), (sample::UNKNOWN_EVENT, &*service.other.created().await)] {
        for response in send_all(&service, member, &tokens, event).await {
            assert!(response.status < 500 && causes(&response).is_empty(), "{response}");
        }
    }
    let id = service.other.created().await;
    let (member, tokens) = service.other.joined_with_session().await;
    let member = member["id"].as_str().unwrap();
    for fault in [Fault::ConnectionError, Fault::InternalError, Fault::CutResponse, Fault::Throttled] {
        let calls = |call| Rule::new(call, Extent::Kind, fault.clone());
        service.proxy.set_rules(
            ["GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "TransactWriteItems"]
                .map(calls),
        );
        for response in send_all(&service, member, &tokens, &id).await {
            response.check(503, "S_003");
            let causes = causes(&response);
            assert!(causes.len() == 1 && causes[0]["cause"].is_string(), "{response}: {causes:?}");
        }
    }
}

#[tokio::test]
async fn tolerated_failures_are_logged() {
    let service = Service::start().await;
    let member = service.other.joined().await;
    let fails = |call: &str, nth| Rule { nth, ..Rule::new(call, Extent::Call, Fault::InternalError) };
    service.with_rule(fails("UpdateItem FAILURES", 1), service.api.login_with(&member, PASSWORD)).await.check(200, "0");
    let event = sample::event();
    service.other.create(&event).await.check(201, "0");
    let form = sample::form(&event);
    let create = |key: &'static str| service.api.create_with_key(key, &form);
    service.with_rule(fails("DELETE poster", 0), create("a")).await.check(409, "E_001");
    service.with_rule(fails("DeleteItem IDEMPOTENCY", 0), create("b")).await.check(409, "E_001");
    for warning in ["reset login failures", "remove poster of rejected event", "release idempotency key"] {
        let lines = lines_with(&format!("failed to {warning}"));
        assert!(lines.iter().any(|line| line["level"] == "WARN" && line["cause"].is_string()), "{warning}: {lines:?}");
    }
}

/// Requests that read the items of a member and a session.
async fn send_as_member(api: &Api, member: &Value, tokens: &Value) -> Vec<Response> {
    vec![
        api.login_with(member, PASSWORD).await,
        api.edit_member(member, &json!({"password": PASSWORD})).await,
        api.refresh(tokens).await,
        api.profile(member, tokens).await,
    ]
}

/// Requests that read the items of an event.
async fn read_event(api: &Api, event: &str) -> Vec<Response> {
    let mut responses = vec![api.edit(event, &json!({})).await, api.get("/api/v1/events?q=a").await];
    for operation in Operation::all().iter().filter(|operation| operation.method == "GET" && !operation.is_for_members)
    {
        let path = sample::path(&operation.path, &[("eventId", event)], sample::UNKNOWN_EVENT);
        responses.push(api.get_as_manager(&path).await);
    }
    responses
}

#[tokio::test]
async fn corrupt_items_are_not_logged() {
    let service = Service::start().await;
    let (member, tokens) = service.other.joined_with_session().await;
    let event = service.other.created().await;
    let dynamodb = service.stack.dynamodb();
    let canary = AttributeValue::S(CANARY.to_owned());
    let mut failures = 0;
    for ([partition, sort], item) in &service.contents().await.items {
        for (name, value) in item.iter().filter(|(name, _)| !["pk", "sk"].contains(&name.as_str())) {
            // A text, and other bytes, or a list instead of a text; but keys of indexes are texts.
            let other = match value {
                AttributeValue::S(_) if ["id", "listing", "manager"].contains(&name.as_str()) => None,
                AttributeValue::S(_) => Some(AttributeValue::L(vec![canary.clone()])),
                AttributeValue::B(_) => Some(AttributeValue::B(CANARY.as_bytes().into())),
                _ => None,
            };
            for corrupt in [canary.clone()].into_iter().chain(other) {
                set(&dynamodb, partition, sort, name, corrupt).await;
                let responses = if ["EMAIL", "MEMBER", "NICKNAME", "SESSION"].contains(&sort.as_str()) {
                    send_as_member(&service.api, &member, &tokens).await
                } else {
                    read_event(&service.api, &event).await
                };
                for response in responses {
                    let is_failure = response.status >= 500;
                    assert_eq!(causes(&response).len(), usize::from(is_failure), "{name}: {response}");
                    failures += usize::from(is_failure);
                }
            }
            set(&dynamodb, partition, sort, name, value.clone()).await;
        }
    }
    assert_ne!(failures, 0);
    assert!(!lines_with("the stored seat map is corrupt").is_empty());
}

#[tokio::test]
async fn rejected_requests_are_logged_without_tokens() {
    let verified = VerifiedService::start().await;
    let claims = verified.issuer.claims(sample::MANAGER);
    let header = |name: &str| {
        let mut header = verified.key.header();
        header[name] = json!(CANARY);
        header
    };
    for name in ["alg", "kid", "typ", CANARY] {
        let token = verified.key.token_with_header(&header(name), &claims);
        for token in [token.clone(), format!("{token}{CANARY}"), CANARY.to_owned()] {
            verified.authorize(&format!("Bearer {token}")).await;
        }
    }
    assert!(!lines_with("token rejected").is_empty());
    let response = verified.authorize(CANARY).await;
    let lines = lines_of(response.header("x-request-id"));
    assert!(lines.len() == 1 && lines[0]["message"] == "request rejected", "{response}: {lines:?}");
}

#[tokio::test]
async fn hashing_time_is_logged() {
    let api = Api::with_url(&tests::stack().url());
    let hashed = api.joined().await;
    let [joined, invalid] = [api.login_with(&hashed, PASSWORD).await, api.login(&json!({})).await];
    let entry = |response: &Response| lines_of(response.header("x-request-id")).remove(0);
    let (joined, invalid) = (entry(&joined), entry(&invalid));
    let microseconds = |line: &Value, name: &str| line[name].to_string().parse::<u64>().ok();
    assert!(microseconds(&joined, "hash_microseconds") <= microseconds(&joined, "microseconds"), "{joined}");
    assert!(joined.get("hash_microseconds").is_some() && invalid.get("hash_microseconds").is_none(), "{invalid}");
}
