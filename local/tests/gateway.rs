//! Tests of the gateway of the local stack: responses without a function.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use local::{Addresses, Data, Stack};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

async fn stack() -> Stack {
    Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap()
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
