//! All routes of `openapi.json` and unknown ones: preflights, and rejection of unknown events and unreadable requests.
//!
//! The harness checks the headers that every response has.

use insta::assert_snapshot;
use reqwest::Method;
use tests::{Api, Operation, Response, sample, summaries};

/// Values that no operation accepts in the headers that it reads.
const UNUSABLE_HEADERS: [(&str, &str); 2] = [("Idempotency-Key", ""), ("If-Match", "")];

/// Values that no operation accepts in the query parameters that it reads.
const UNUSABLE_PARAMETERS: [(&str, &str); 8] = [
    ("limit", "0"),
    ("cursor", "x"),
    ("status", "x"),
    ("q", ""),
    ("from", "x"),
    ("to", "x"),
    ("ticketing", "x"),
    ("sort", "x"),
];

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
    for Operation { method, path, .. } in Operation::all() {
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
    for operation in Operation::all().into_iter().filter(|operation| operation.path.contains("{eventId}")) {
        for event in [sample::UNKNOWN_EVENT, "1", "%7B0196a1b2-0000-7000-8000-00000000abcd%7D", "한국", "%ff"] {
            // A valid request, because invalid fields come first.
            let (media_type, body) = operation.valid_body("");
            let response = operation.send(event, &session, &media_type, body).await;
            if operation.is_for_gates {
                response.check(401, "G_001");
                continue;
            }
            assert_eq!(response.summary(), "404 E_002 해당 공연을 찾을 수 없습니다.", "{operation:?}: {event}");
        }
    }
}

/// `tests/api/admissions` has those of gates, whose tokens come first.
#[tokio::test]
async fn unreadable_body_is_rejected() {
    let session = Api::new().joined_with_session().await;
    for operation in Operation::all().into_iter().filter(|operation| !operation.is_for_gates) {
        let Some(media_type) = &operation.media_type else { continue };
        let code = if media_type == "application/json" { "C_002" } else { "C_006" };
        let send = |media_type, body| operation.send(sample::UNKNOWN_EVENT, &session, media_type, body);
        send(media_type, b"[]".to_vec()).await.check(400, code);
        send("text/plain", b"{}".to_vec()).await.check(415, "C_004");
        send(media_type, vec![b' '; 4_700_001]).await.check(413, "C_005");
    }
}

#[tokio::test]
async fn unusable_header_or_parameter_precedes_body() {
    let known = UNUSABLE_HEADERS.iter().chain(&UNUSABLE_PARAMETERS).map(|(name, _)| *name);
    let known: Vec<_> = known.chain(["x-api-managerId", "If-None-Match"]).collect();
    let session = Api::new().joined_with_session().await;
    for operation in Operation::all() {
        let is_of_path = |name: &str| operation.path.contains(&format!("{{{name}}}"));
        let others = operation.parameters.iter().filter(|name| !is_of_path(name));
        let unknown: Vec<_> = others.filter(|name| !known.contains(&name.as_str())).collect();
        assert!(unknown.is_empty(), "{operation:?}: add unusable values of {unknown:?}");
        let headers = UNUSABLE_HEADERS
            .map(|(name, value)| (name, value, operation.request("x", "", &session).header(name, value)));
        let parameters = UNUSABLE_PARAMETERS
            .map(|(name, value)| (name, value, operation.request("x", &format!("?{name}={value}"), &session)));
        for (name, value, request) in headers.into_iter().chain(parameters) {
            let media_type = operation.media_type.clone().unwrap_or_default();
            let other_type = request.try_clone().unwrap().header("Content-Type", "text/plain").body("{");
            let response = Api::send(request.header("Content-Type", media_type).body("{")).await;
            let is_unusable = response.status == 400 && response.code() == "C_003";
            assert_eq!(is_unusable, operation.has(name), "{} {name}: {response}", operation.slug);
            if is_unusable {
                assert_eq!(response.errors(), [[name.to_lowercase(), value.to_owned()]], "{}", operation.slug);
            }
            if operation.is_for_gates {
                Api::send(other_type).await.check(401, "G_001");
            } else if operation.media_type.is_some() {
                Api::send(other_type).await.check(415, "C_004");
            }
        }
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
        let operations = Operation::all();
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
