//! Tests of clients that do not finish their requests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use local::{Addresses, ClientTimeouts, Data, Settings, Stack};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

/// Time after which a test fails instead of waiting forever.
const TOO_LONG: Duration = Duration::from_mins(1);

async fn stack() -> Stack {
    let limit = Duration::from_millis(200);
    let timeouts = ClientTimeouts { head: limit, body: limit, response: limit };
    let settings = Settings { timeouts, ..Settings::default() };
    Stack::start_with(Addresses::default(), Data::temporary().unwrap(), settings).await.unwrap()
}

/// Sends a part of a request, and returns all that the server sends before it closes the connection.
async fn send_part(url: &str, part: &str) -> String {
    let mut connection = TcpStream::connect(url.strip_prefix("http://").unwrap()).await.unwrap();
    connection.write_all(part.as_bytes()).await.unwrap();
    let mut response = String::new();
    let read = timeout(TOO_LONG, connection.read_to_string(&mut response)).await;
    read.expect("a closed connection").unwrap();
    response
}

#[tokio::test]
async fn unfinished_head_closes_connection() {
    let stack = stack().await;
    for url in [stack.url(), stack.dynamodb_url(), stack.s3_url()] {
        for part in ["", "POST / HT", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-"] {
            let response = send_part(&url, part).await;
            assert!(response.is_empty() || response.starts_with("HTTP/1.1 4"), "{url} {part:?}: {response}");
        }
    }
}

#[tokio::test]
async fn unfinished_body_is_client_error() {
    let stack = stack().await;
    let join = (stack.url(), "/api/v1/members/join", "application/json");
    let scan = (stack.dynamodb_url(), "/", "application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.Scan");
    for (url, path, media_type) in [join, scan] {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media_type}");
        for body in ["Content-Length: 9\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n9\r\n{"] {
            let response = send_part(&url, &format!("{head}\r\n{body}")).await;
            assert!(response.starts_with("HTTP/1.1 4"), "{url} {body:?}: {response}");
        }
    }
}

#[tokio::test]
async fn unread_response_closes_connection() {
    let stack = stack().await;
    let mut connection = TcpStream::connect(stack.url().strip_prefix("http://").unwrap()).await.unwrap();
    // More than the buffers of both sides hold.
    let request = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(40);
    connection.write_all(request.as_bytes()).await.unwrap();
    let closed = timeout(TOO_LONG, async {
        while connection.write_all(b"\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    closed.await.expect("a closed connection");
}

#[tokio::test]
async fn idle_connection_is_closed() {
    let stack = stack().await;
    let response = send_part(&stack.url(), "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
}
