//! Tests of the emulators' ports.

use local::{Addresses, Data, Stack};
use reqwest::{Client, Method};

/// Headers of requests that only a web page in a browser sends, or a page whose host name resolves to this machine.
const OF_PAGES: [(&str, &str); 5] = [
    ("origin", "https://page.example"),
    ("origin", "null"),
    ("sec-fetch-site", "cross-site"),
    ("sec-fetch-site", "same-origin"),
    ("host", "page.example:8000"),
];

#[tokio::test]
async fn emulators_reject_web_pages() {
    let stack = Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap();
    for url in [stack.dynamodb_url(), stack.s3_url()] {
        let client = Client::new();
        let own = client.post(&url).send().await.unwrap().text().await.unwrap();
        assert!(!own.contains("web pages"), "{url}: {own}");
        let preflight = (Method::OPTIONS, OF_PAGES[0]);
        for (method, (name, value)) in OF_PAGES.map(|header| (Method::POST, header)).into_iter().chain([preflight]) {
            let request = client.request(method, &url).header(name, value);
            let response = request.header("access-control-request-method", "POST").send().await.unwrap();
            let mut names = response.headers().keys();
            assert!(!names.any(|name| name.as_str().starts_with("access-control-")), "{url}: {response:?}");
            let is_rejected = response.status() == 403 && response.text().await.unwrap().contains("web pages");
            assert!(is_rejected, "{url} {name}: {value}");
        }
    }
}
