//! All routes of `openapi.json` and unknown ones: preflights, and rejection of unknown events and unreadable requests.
//!
//! The harness checks the headers that every response has.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::Value;
use tests::{Api, Response, sample, summaries};

/// Operation of `openapi.json`.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Name of its function, or of its second operation.
    pub slug: String,
    pub method: Method,
    /// Path with parameters such as `{eventId}`.
    pub path: String,
    /// Media type of the body of requests.
    pub media_type: Option<String>,
    /// True if it needs the access token of a member.
    pub is_for_members: bool,
    /// True if it compares entity tags.
    pub is_conditional: bool,
}

/// Returns all operations.
pub fn operations() -> Vec<Operation> {
    let document = ::openapi::document("/");
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let content = operation["requestBody"]["content"].as_object();
            let media_type = content.and_then(|content| content.keys().next().cloned());
            operations.push(Operation {
                slug: operation["operationId"].as_str().unwrap().to_owned(),
                method: method.to_uppercase().parse().unwrap(),
                path: path.clone(),
                media_type,
                is_for_members: operation["security"][0].get("member").is_some(),
                is_conditional: operation["parameters"].to_string().contains("If-None-Match"),
            });
        }
    }
    assert!(!operations.is_empty());
    operations
}

impl Operation {
    /// Sends a request for an unknown event, or for a member with their access token.
    async fn send(&self, event: &str, (member, tokens): &(Value, Value), media_type: &str, body: Vec<u8>) -> Response {
        let path = sample::path(&self.path, &[("memberId", member["id"].as_str().unwrap())], event);
        let request = Api::new().request(self.method.clone(), &path).header("x-api-managerId", sample::MANAGER);
        let request =
            if self.is_for_members { request.bearer_auth(tokens["accessToken"].as_str().unwrap()) } else { request };
        Api::send(request.header("Content-Type", media_type).body(body)).await
    }
}

async fn preflight(path: &str, method: &Method) -> Response {
    let headers = [
        ("Origin", "https://tickets.example"),
        ("Access-Control-Request-Method", method.as_str()),
        ("Access-Control-Request-Headers", "x-api-managerid,traceparent,sentry-trace,baggage"),
    ];
    Api::new().send_with(Method::OPTIONS, path, &headers).await
}

#[tokio::test]
async fn every_route_has_preflight() {
    for Operation { method, path, .. } in operations() {
        let response = preflight(&path.replace(['{', '}'], ""), &method).await;
        assert_eq!(response.status, 200, "{method} {path}");
        assert!(response.header("Access-Control-Allow-Methods").contains(method.as_str()), "{method} {path}");
    }
    let response = preflight("/api/v1/events", &Method::POST).await;
    let headers = response.headers.iter().filter(|(name, _)| name.as_str().starts_with("access-control-"));
    let mut headers: Vec<_> = headers.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    headers.sort();
    assert_snapshot!(headers.join("\n"), @r"
    access-control-allow-headers: x-api-managerid,traceparent,sentry-trace,baggage
    access-control-allow-methods: GET,POST,PUT,PATCH,DELETE
    access-control-allow-origin: *
    access-control-max-age: 7200
    ");
}

#[tokio::test]
async fn unknown_event_is_not_found() {
    let session = Api::new().joined_with_session().await;
    let examples: Value = serde_json::from_str(&::openapi::examples()).unwrap();
    for operation in operations().into_iter().filter(|operation| operation.path.contains("{eventId}")) {
        for event in [sample::UNKNOWN_EVENT, "1", "%7B0196a1b2-0000-7000-8000-00000000abcd%7D", "한국", "%ff"] {
            let form = sample::form(&sample::event());
            let (media_type, body) = match operation.media_type.as_deref() {
                Some("multipart/form-data") => (form.content_type(), form.body()),
                // A valid request, because invalid fields come first.
                _ => ("application/json".to_owned(), examples[&operation.slug]["request"].to_string().into_bytes()),
            };
            let response = operation.send(event, &session, &media_type, body).await;
            assert_eq!(response.summary(), "404 E_002 해당 공연을 찾을 수 없습니다.", "{operation:?}: {event}");
        }
    }
}

#[tokio::test]
async fn unreadable_body_is_rejected() {
    let session = Api::new().joined_with_session().await;
    for operation in operations() {
        let Some(media_type) = &operation.media_type else { continue };
        let code = if media_type == "application/json" { "C_002" } else { "C_006" };
        let send = |media_type, body| operation.send(sample::UNKNOWN_EVENT, &session, media_type, body);
        send(media_type, b"[]".to_vec()).await.check(400, code);
        send("text/plain", b"{}".to_vec()).await.check(415, "C_004");
        send(media_type, vec![b' '; 4_700_001]).await.check(413, "C_005");
    }
}

#[tokio::test]
async fn gateway_response_has_headers_of_functions() {
    let api = Api::new();
    let origin = [("Origin", "https://a.example")];
    let [function, gateway] =
        ["/api/v1/events/x", "/api/v1/nothing"].map(|path| api.send_with(Method::GET, path, &origin));
    let (function, gateway) = (function.await, gateway.await);
    assert_eq!(function.header("Access-Control-Expose-Headers"), gateway.header("Access-Control-Expose-Headers"));
    assert_snapshot!(gateway.header("Access-Control-Expose-Headers"), @"location,link,etag,retry-after,x-request-id,www-authenticate,x-amzn-remapped-www-authenticate,content-disposition");
    assert_ne!(function.header("x-request-id"), gateway.header("x-request-id"));
}

mod routes {
    use super::*;

    #[tokio::test]
    async fn unknown_path_returns_envelope() {
        let paths = ["/nothing", "/api", "/api/v1/members", "/api/v1/events/", "/api/v2/events", "/api/v1/events/a/b"];
        assert_snapshot!(summaries(paths.map(|path| (path, async move { Api::new().get(path).await }))).await, @r"
        /nothing: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
        /api: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
        /api/v1/members: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
        /api/v1/events/: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
        /api/v2/events: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
        /api/v1/events/a/b: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
        ");
    }

    /// A page could not read the 404 without a preflight and without its header.
    #[tokio::test]
    async fn unknown_path_has_preflight() {
        for path in ["/", "/nothing", "/api/v1/members", "/api/v1/events/a/b"] {
            for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                let response = preflight(path, &method).await;
                assert_eq!((response.status, response.header("Access-Control-Allow-Origin")), (200, "*"), "{path}");
                let allowed = response.header("Access-Control-Allow-Methods");
                assert!(allowed.split(',').any(|allowed| allowed == method.as_str()), "{method} {path}");
            }
            let response = Api::new().send_with(Method::PUT, path, &[("Origin", "https://a.example")]).await;
            assert_eq!(response.expect(404, "C_008").header("Access-Control-Allow-Origin"), "*");
        }
    }

    #[tokio::test]
    async fn other_method_returns_envelope() {
        let operations = operations();
        for Operation { path, .. } in &operations {
            for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                if !operations.iter().any(|known| (&known.method, &known.path) == (&method, path)) {
                    let path = path.replace(['{', '}'], "");
                    Api::new().send_with(method, &path, &[]).await.check(404, "C_008");
                }
            }
        }
    }
}
