//! Tests of the emulators' ports.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use aws_sdk_dynamodb::config::http::HttpRequest;
use local::{Addresses, BUCKET, Data, Stack, TABLE};
use reqwest::{Client, Method, Response};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Headers of requests that only a web page in a browser sends, or a page whose host name resolves to this machine.
const OF_PAGES: [(&str, &str); 5] = [
    ("origin", "https://page.example"),
    ("origin", "null"),
    ("sec-fetch-site", "cross-site"),
    ("sec-fetch-site", "same-origin"),
    ("host", "page.example:8000"),
];

async fn stack() -> Stack {
    Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap()
}

/// Returns a change of a request, so that a browser seems to send it.
fn add(header: (&'static str, &'static str)) -> impl Fn(&mut HttpRequest) + Clone {
    move |request| drop(request.headers_mut().insert(header.0, header.1))
}

fn has_cors_header<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    names.any(|name| name.starts_with("access-control-"))
}

#[tokio::test]
async fn dynamodb_rejects_web_pages() {
    let stack = stack().await;
    let scan = || stack.dynamodb().scan().table_name(TABLE);
    assert!(scan().send().await.is_ok());
    for header in OF_PAGES {
        let error = scan().customize().mutate_request(add(header)).send().await.unwrap_err();
        let response = error.raw_response().unwrap();
        assert_eq!(response.status().as_u16(), 403, "{header:?}");
        assert!(!has_cors_header(response.headers().iter().map(|(name, _)| name)), "{header:?}: {response:?}");
    }
}

#[tokio::test]
async fn s3_rejects_web_pages() {
    let stack = stack().await;
    let list = || stack.s3().list_objects_v2().bucket(BUCKET);
    assert!(list().send().await.is_ok());
    for header in OF_PAGES {
        let error = list().customize().mutate_request(add(header)).send().await.unwrap_err();
        let response = error.raw_response().unwrap();
        assert_eq!(response.status().as_u16(), 403, "{header:?}");
        assert!(!has_cors_header(response.headers().iter().map(|(name, _)| name)), "{header:?}: {response:?}");
    }
}

#[tokio::test]
async fn preflight_allows_nothing() {
    let stack = stack().await;
    for url in [stack.dynamodb_url(), stack.s3_url()] {
        let preflight = Client::new()
            .request(Method::OPTIONS, &url)
            .header("origin", "https://page.example")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type,x-amz-target");
        let response: Response = preflight.send().await.unwrap();
        assert_eq!(response.status(), 403, "{url}");
        assert!(!has_cors_header(response.headers().keys().map(http::HeaderName::as_str)), "{url}: {response:?}");
    }
}

#[tokio::test]
async fn malformed_http_has_no_cors_headers() {
    let stack = stack().await;
    for url in [stack.dynamodb_url(), stack.s3_url()] {
        let mut connection = TcpStream::connect(url.strip_prefix("http://").unwrap()).await.unwrap();
        connection.write_all(b"GET\r\n\r\n").await.unwrap();
        let mut response = String::new();
        connection.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with("HTTP/1.1 400 "), "{url}: {response}");
        assert!(!has_cors_header(response.lines()), "{url}: {response}");
    }
}

#[tokio::test]
async fn unknown_operation_is_501() {
    let stack = stack().await;
    let error = stack.dynamodb().describe_limits().send().await.unwrap_err();
    assert_eq!(error.raw_response().unwrap().status().as_u16(), 501);
}
