//! Invalid HTTP, which no HTTP client sends: written to a socket byte for byte.

use tests::{Api, new_stack};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Requests that must be rejected before any function receives them.
const REQUESTS: [(&str, &[u8]); 14] = [
    ("a NUL in a header", b"GET /api/v1/events HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\0b\r\n\r\n"),
    ("a carriage return in a header", b"GET /api/v1/events HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\rb\r\n\r\n"),
    ("a folded header", b"GET /api/v1/events HTTP/1.1\r\nHost: a\r\nX-A: a\r\n b\r\n\r\n"),
    ("a space before a colon", b"GET /api/v1/events HTTP/1.1\r\nHost : a\r\n\r\n"),
    ("a header without a colon", b"GET /api/v1/events HTTP/1.1\r\nHost\r\n\r\n"),
    ("an unnamed header", b"GET /api/v1/events HTTP/1.1\r\n: a\r\n\r\n"),
    ("a NUL in the path", b"GET /api/v1/events\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("a space in the path", b"GET /api/v1/ events HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("an unknown version", b"GET /api/v1/events HTTP/9.9\r\nHost: a\r\n\r\n"),
    ("two lengths", b"POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na"),
    ("a negative length", b"POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"),
    ("a length with a plus", b"POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na"),
    (
        "a length that overflows",
        b"POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
    ),
    ("a TLS handshake", b"\x16\x03\x01\x02\0\x01\0\x01\xFC\x03\x03\r\n\r\n"),
];

#[tokio::test(flavor = "multi_thread")]
async fn invalid_http_is_rejected() {
    let stack = new_stack().await;
    let address = stack.url().strip_prefix("http://").unwrap().to_owned();
    for (name, request) in REQUESTS {
        let mut connection = TcpStream::connect(&address).await.unwrap();
        connection.write_all(request).await.unwrap();
        let mut response = Vec::new();
        // The service closes the connection, so the response ends.
        connection.read_to_end(&mut response).await.unwrap();
        let response = String::from_utf8(response).unwrap();
        assert!(response.starts_with("HTTP/1.1 400 "), "{name}: {response}");
        Api::with_url(&stack.url()).get("/api/v1/events").await.check(200, "0");
    }
}
