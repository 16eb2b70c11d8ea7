//! Tests of the emulators' ports.

use local::{Addresses, Data, Stack};
use reqwest::{Client, Method};
use serde_json::{Value, json};

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
    for url in [stack.dynamodb_url(), stack.s3_url(), stack.ses_url()] {
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

#[tokio::test]
async fn malformed_mails_are_rejected() {
    let stack = Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap();
    let send = async |pointer: &str, value: Value| {
        let content = json!({"Data": "x", "Charset": "UTF-8"});
        let mut mail = json!({
            "FromEmailAddress": "Tickets <tickets@example.com>",
            "Destination": {"ToAddresses": ["kim@example.com"]},
            "Content": {"Simple": {"Subject": content, "Body": {"Text": content, "Html": content}}},
        });
        *mail.pointer_mut(pointer).unwrap() = value;
        let url = format!("{}/v2/email/outbound-emails", stack.ses_url());
        Client::new().post(url).body(mail.to_string()).send().await.unwrap().status()
    };
    assert_eq!(send("/Destination/ToAddresses/0", json!("lee@example.com")).await, 200);
    for (pointer, value) in [
        ("/FromEmailAddress", json!("tickets")),
        ("/FromEmailAddress", json!("예매 <tickets@example.com>")),
        ("/Destination/ToAddresses", json!([])),
        ("/Destination/ToAddresses/0", json!("kim")),
        ("/Destination/ToAddresses/0", json!("kim@공연.kr")),
        ("/Destination/ToAddresses/0", json!("kim@example.com\nBcc: lee@example.com")),
        ("/Content/Simple/Subject", json!({})),
        ("/Content/Simple/Subject/Data", json!("a\r\nBcc: lee@example.com")),
        ("/Content", json!({})),
    ] {
        assert_eq!(send(pointer, value.clone()).await, 400, "{pointer} {value}");
    }
    assert_eq!(stack.mails().len(), 1);
}
