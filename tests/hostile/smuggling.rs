//! Invalid HTTP, which no HTTP client sends: written to a socket byte for byte.

use tests::{Api, new_stack};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Requests that must be rejected before any function receives them.
const REQUESTS: [&str; 9] = [
    "GET /api/v1/events HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\0b\r\n\r\n",
    "GET /api/v1/events HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\rb\r\n\r\n",
    "GET /api/v1/events HTTP/1.1\r\nHost: a\r\nX-A: a\r\n b\r\n\r\n",
    "GET /api/v1/events HTTP/1.1\r\nHost : a\r\n\r\n",
    "GET /api/v1/ events HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /api/v1/events HTTP/9.9\r\nHost: a\r\n\r\n",
    "POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
    "POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
    "POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
];

#[tokio::test(flavor = "multi_thread")]
async fn invalid_http_is_rejected() {
    let stack = new_stack().await;
    let address = stack.url().strip_prefix("http://").unwrap().to_owned();
    for request in REQUESTS {
        let mut connection = TcpStream::connect(&address).await.unwrap();
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        // The service closes the connection, so the response ends.
        connection.read_to_end(&mut response).await.unwrap();
        let response = String::from_utf8(response).unwrap();
        assert!(response.starts_with("HTTP/1.1 400 "), "{request:?}: {response}");
        Api::with_url(&stack.url()).get("/api/v1/events").await.check(200, "0");
    }
}
