//! Tests of the pages of the local stack.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use local::{Addresses, Data, Stack};
use reqwest::{Client, Response, header::HOST};
use serde_json::Value;

async fn stack() -> Stack {
    Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap()
}

async fn get(stack: &Stack, path: &str) -> Response {
    reqwest::get(format!("{}{path}", stack.url())).await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers()[name].to_str().unwrap()
}

#[tokio::test]
async fn pages_load_only_own_content() {
    let stack = stack().await;
    for path in ["/", "/docs/", "/docs/swagger-ui-bundle.js"] {
        let response = get(&stack, path).await;
        assert_eq!(response.status(), 200, "{path}");
        let policy = header(&response, "content-security-policy");
        for directive in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "connect-src 'self'"] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
        let scripts = policy.split("; ").find(|directive| directive.starts_with("script-src")).unwrap();
        assert!(!scripts.contains("unsafe") && !scripts.contains("http"), "{path}: {scripts}");
        assert_eq!(header(&response, "x-content-type-options"), "nosniff");
        let page = response.text().await.unwrap();
        assert!(
            path.ends_with("js") || page.contains("<meta name=\"viewport\" content=\"width=device-width"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn site_allows_no_code_inside_pages() {
    let stack = stack().await;
    let id = "01a21c54-7100-76e8-8efb-14bd6a747368";
    let paths =
        ["/", "/login", "/join", "/account", "/manager", "/forgot-password", "/reset-password", "/verify-email"];
    let of_event = [format!("/events/{id}"), format!("/events/{id}/shows/{id}")];
    for path in paths.into_iter().chain(of_event.iter().map(String::as_str)) {
        let response = get(&stack, path).await;
        assert_eq!(
            (response.status().as_u16(), header(&response, "content-type")),
            (200, "text/html; charset=utf-8"),
            "{path}"
        );
        let policy = header(&response, "content-security-policy");
        for directive in ["script-src 'self';", "style-src 'self';", "img-src 'self' data:;"] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
    }
}

#[tokio::test]
async fn mails_are_rejected_at_host_names() {
    let stack = stack().await;
    for path in ["/mail", "/mail.json"] {
        let url = format!("{}{path}", stack.url());
        for (host, status) in [("page.example", 403), ("localhost", 200), ("127.0.0.1:3000", 200), ("[::1]", 200)] {
            // A browser sends this header for every page.
            let request = Client::new().get(&url).header(HOST, host).header("sec-fetch-site", "none");
            assert_eq!(request.send().await.unwrap().status(), status, "{path} {host}");
        }
    }
}

#[tokio::test]
async fn openapi_has_requested_host() {
    let stack = stack().await;
    for (host, expected) in [("localhost:3000", "http://localhost:3000"), ("a b", "/")] {
        let request = Client::new().get(format!("{}/openapi.json", stack.url())).header(HOST, host);
        let response = request.send().await.unwrap();
        assert_eq!(header(&response, "content-type"), "application/json");
        let document: Value = response.json().await.unwrap();
        assert_eq!(document["servers"][0]["url"], expected);
    }
}

#[tokio::test]
async fn unknown_paths_get_envelope() {
    let stack = stack().await;
    for path in [
        "/docs/nothing.js",
        "/docs/..%2Fopenapi.json",
        "/docs/%FF",
        "/index.html",
        "/site/a.js",
        "/site/..%2Fsrc%2Flib.rs",
    ] {
        let response = get(&stack, path).await;
        assert_eq!(response.status(), 404, "{path}");
        let envelope: Value = response.json().await.unwrap();
        assert_eq!(envelope["code"], "C_008", "{path}");
    }
}
