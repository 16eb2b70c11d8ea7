//! Tests of the gateway of the local stack: responses without a function.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use local::{Addresses, Data, Stack};
use reqwest::{Client, Method, Response};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

const METHODS: [Method; 7] =
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];

async fn stack() -> Stack {
    Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap()
}

async fn send(stack: &Stack, method: Method, path: &str) -> Response {
    Client::new().request(method, format!("{}{path}", stack.url())).send().await.unwrap()
}

/// Sends bytes, closes the sending side, and returns the response up to the end of the connection.
async fn send_bytes(stack: &Stack, request: &[u8]) -> String {
    let mut connection = TcpStream::connect(stack.url().strip_prefix("http://").unwrap()).await.unwrap();
    connection.write_all(request).await.unwrap();
    connection.shutdown().await.unwrap();
    let mut response = Vec::new();
    connection.read_to_end(&mut response).await.unwrap();
    String::from_utf8(response).unwrap()
}

#[tokio::test]
async fn wrong_method_lists_allowed_ones() {
    let stack = stack().await;
    for (path, expected) in [
        ("/api/v1/members/join", "OPTIONS,POST"),
        ("/api/v1/members/login", "OPTIONS,POST"),
        ("/api/v1/events", "GET,OPTIONS,POST"),
        ("/api/v1/events/x", "DELETE,GET,OPTIONS,PATCH"),
        ("/api/v1/events/x/thumbnail", "OPTIONS,PUT"),
        ("/api/v1/events/x/detail", "GET,OPTIONS"),
        ("/api/v1/events/x/seat-map.svg", "GET,OPTIONS"),
        ("/", "GET,HEAD,OPTIONS"),
    ] {
        for method in METHODS {
            let is_allowed = expected.split(',').any(|allowed| allowed == method.as_str());
            let response = send(&stack, method.clone(), path).await;
            let allow = response.headers().get("allow").map(|methods| methods.to_str().unwrap().to_owned());
            if is_allowed {
                assert!(!response.text().await.unwrap().contains("C_008"), "{method} {path}");
            } else {
                assert_eq!(response.status(), 404, "{method} {path}");
                let allow = allow.unwrap();
                let mut listed: Vec<_> = allow.split(',').collect();
                listed.sort_unstable();
                assert_eq!(listed.join(","), expected, "{method} {path}");
            }
        }
    }
    assert!(!send(&stack, Method::GET, "/nothing").await.headers().contains_key("allow"));
}

#[tokio::test]
async fn pages_have_preflight() {
    let stack = stack().await;
    for path in ["/", "/docs", "/openapi.json"] {
        let request = Client::new().request(Method::OPTIONS, format!("{}{path}", stack.url()));
        let request = request.header("Origin", "https://a.example").header("Access-Control-Request-Method", "PUT");
        let response = request.send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["access-control-allow-origin"]),
            (200, &"*".parse().unwrap())
        );
    }
}

#[tokio::test]
async fn interrupted_json_is_not_a_form() {
    let stack = stack().await;
    let json = "Host: a\r\nContent-Type: application/json\r\n";
    let form = "Host: a\r\nContent-Type: multipart/form-data; boundary=b\r\n";
    let path = "POST /api/v1/members/join HTTP/1.1\r\n";
    for (headers, code, message) in [(json, "C_002", "전송"), (form, "C_006", "multipart")] {
        for body in [
            "Transfer-Encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
            "Content-Length: 100\r\n\r\n{}",
        ] {
            let response = send_bytes(&stack, format!("{path}{headers}{body}").as_bytes()).await;
            assert!(response.starts_with("HTTP/1.1 400"), "{body}: {response}");
            let envelope: Value = serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap();
            assert_eq!(envelope["code"], code, "{body}");
            assert!(envelope["message"].as_str().unwrap().contains(message), "{envelope}");
        }
    }
}
