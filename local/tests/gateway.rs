//! Tests of the gateway of the local stack: responses without a function.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use local::{Addresses, Data, Stack};
use reqwest::{Client, Method, Response};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

async fn stack() -> Stack {
    Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap()
}

async fn send(stack: &Stack, method: &str, path: &str) -> Response {
    let request = Client::new().request(method.parse().unwrap(), format!("{}{path}", stack.url()));
    let request = request.header("Origin", "https://a.example").header("Access-Control-Request-Method", "PUT");
    request.send().await.unwrap()
}

#[tokio::test]
async fn wrong_method_lists_allowed_ones() {
    let stack = stack().await;
    let document = serde_json::from_str::<serde_json::Value>(include_str!("../../openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap().iter().map(|(path, operations)| {
        let methods = operations.as_object().unwrap().keys().map(|method| method.to_uppercase());
        (path.replace("{eventId}", "x").replace("{memberId}", "x"), methods.collect::<BTreeSet<_>>())
    });
    for (path, mut expected) in paths.chain([("/".to_owned(), BTreeSet::from(["GET", "HEAD"].map(str::to_owned)))]) {
        expected.insert("OPTIONS".to_owned());
        for method in METHODS {
            let response = send(&stack, method, &path).await;
            let allow = response.headers().get("allow").map(|methods| methods.to_str().unwrap().to_owned());
            let text = response.text().await.unwrap();
            if expected.contains(method) {
                assert!(!text.contains("C_008"), "{method} {path}");
            } else {
                let allow: BTreeSet<_> = allow.as_deref().unwrap_or_default().split(',').map(str::to_owned).collect();
                assert_eq!(allow, expected, "{method} {path}: {text}");
            }
        }
    }
    assert!(!send(&stack, "GET", "/nothing").await.headers().contains_key("allow"));
}

#[tokio::test]
async fn pages_have_preflight() {
    let stack = stack().await;
    for path in ["/", "/docs", "/openapi.json"] {
        let response = send(&stack, Method::OPTIONS.as_str(), path).await;
        assert_eq!(
            (response.status().as_u16(), response.headers()["access-control-allow-origin"].as_bytes()),
            (200, &b"*"[..])
        );
    }
}

#[tokio::test]
async fn interrupted_json_is_not_a_form() {
    let stack = stack().await;
    for (media_type, code) in [("application/json", "C_002"), ("multipart/form-data; boundary=b", "C_006")] {
        for body in [
            "Transfer-Encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
            "Content-Length: 100\r\n\r\n{}",
        ] {
            let head = format!("POST /api/v1/members/join HTTP/1.1\r\nHost: a\r\nContent-Type: {media_type}\r\n");
            let mut connection = TcpStream::connect(stack.url().strip_prefix("http://").unwrap()).await.unwrap();
            connection.write_all((head + body).as_bytes()).await.unwrap();
            connection.shutdown().await.unwrap();
            let mut response = String::new();
            connection.read_to_string(&mut response).await.unwrap();
            assert!(response.starts_with("HTTP/1.1 400"), "{body}: {response}");
            let envelope: Value = serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap();
            assert_eq!(envelope["code"], code, "{body}: {envelope}");
        }
    }
}
