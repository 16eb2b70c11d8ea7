//! Login throttling by client, member and time.

use std::collections::HashMap;

use api::client::VIEWER_ADDRESS;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::member::Member;
use futures_util::future::join_all;
use lambda_http::Request;
use local::TABLE;
use members_login::Login;
use reqwest::header::HeaderValue;
use serde_json::json;
use storage::keys;
use tests::{
    fault::{Extent, Fault, Rule},
    function::{self, post_from_address},
    sample, stack,
};

const CLIENT: &str = "203.0.113.7";
const OTHER: &str = "203.0.113.8";

async fn joined() -> Member {
    tests::add_member(&sample::hasher(1)).await
}

fn request(source: &str, member: &Member, password: &str) -> Request {
    post_from_address(source, &json!({"email": member.email.as_str(), "password": password}))
}

async fn call(request: Request, status: u16) {
    let login = Login::new(tests::table(), sample::hasher(1));
    function::call(login, request, status).await;
}

async fn fail(source: &str, member: &Member, times: usize) {
    for _ in 0..times {
        call(request(source, member, "wrong"), 401).await;
    }
}

async fn log_in(source: &str, member: &Member, status: u16) {
    call(request(source, member, sample::PASSWORD), status).await;
}

async fn failures(member: &Member) -> Option<HashMap<String, AttributeValue>> {
    let item = stack().dynamodb().get_item().table_name(TABLE);
    item.set_key(Some(keys::login_failures(&member.email).attributes())).send().await.unwrap().item
}

/// Returns the failures from all clients and those from each client.
async fn counts(member: &Member) -> (String, Vec<(String, String)>) {
    let item = failures(member).await.unwrap();
    let number = |attribute: &AttributeValue| attribute.as_n().unwrap().clone();
    let clients = item["clients"].as_m().unwrap().iter();
    let mut clients: Vec<_> = clients.map(|(client, count)| (client.clone(), number(count))).collect();
    clients.sort();
    (number(&item["failures"]), clients)
}

/// Changes the end of the window by an update expression.
async fn set_end(member: &Member, update: &str, value: &str) {
    let item = stack().dynamodb().update_item().table_name(TABLE);
    let item = item.set_key(Some(keys::login_failures(&member.email).attributes()));
    let item = item.update_expression(update);
    item.expression_attribute_values(":value", AttributeValue::N(value.into())).send().await.unwrap();
}

async fn expire(member: &Member) {
    set_end(member, "SET expiresAt = :value", "1").await;
}

#[tokio::test]
async fn ten_failures_bar_one_client() {
    let member = joined().await;
    fail(CLIENT, &member, 9).await;
    fail(OTHER, &member, 9).await;
    fail(CLIENT, &member, 1).await;
    log_in(CLIENT, &member, 429).await;
    log_in(OTHER, &member, 200).await;
    log_in(CLIENT, &joined().await, 200).await;
}

#[tokio::test]
async fn ipv6_network_is_one_client() {
    let member = joined().await;
    for last in 0..10 {
        fail(&format!("2001:db8:1:2:{last}::1"), &member, 1).await;
    }
    log_in("2001:db8:1:2:a::1", &member, 429).await;
    log_in("2001:db8:1:3::1", &member, 200).await;
}

#[tokio::test]
async fn no_address_is_one_client() {
    let member = joined().await;
    for source in ["", "x"] {
        fail(source, &member, 5).await;
    }
    log_in("y", &member, 429).await;
    log_in(CLIENT, &member, 200).await;
}

#[tokio::test]
async fn hundred_failures_bar_all() {
    let member = joined().await;
    for client in 1..=11 {
        fail(&format!("198.51.100.{client}"), &member, 9).await;
        log_in(&format!("198.51.100.{client}"), &member, 200).await;
    }
    fail(CLIENT, &member, 1).await;
    log_in(OTHER, &member, 429).await;
    assert_eq!(counts(&member).await, ("100".into(), vec![(CLIENT.into(), "1".into())]));
    expire(&member).await;
    log_in(OTHER, &member, 200).await;
}

#[tokio::test]
async fn success_resets_only_its_client() {
    let member = joined().await;
    fail(CLIENT, &member, 9).await;
    fail(OTHER, &member, 9).await;
    log_in(CLIENT, &member, 200).await;
    fail(OTHER, &member, 1).await;
    log_in(OTHER, &member, 429).await;
    fail(CLIENT, &member, 9).await;
    log_in(CLIENT, &member, 200).await;
}

#[tokio::test]
async fn success_takes_its_attempt_back() {
    let member = joined().await;
    log_in(CLIENT, &member, 200).await;
    assert_eq!(counts(&member).await, ("0".into(), vec![]));
    fail(CLIENT, &member, 2).await;
    fail(OTHER, &member, 3).await;
    log_in(CLIENT, &member, 200).await;
    assert_eq!(counts(&member).await, ("5".into(), vec![(OTHER.into(), "3".into())]));
}

#[tokio::test]
async fn barred_login_is_not_counted() {
    let member = joined().await;
    fail(CLIENT, &member, 10).await;
    let before = failures(&member).await;
    call(request(CLIENT, &member, "wrong"), 429).await;
    log_in(CLIENT, &member, 429).await;
    assert_eq!(failures(&member).await, before);
}

#[tokio::test]
async fn failures_of_last_window_are_forgotten() {
    let member = joined().await;
    fail(CLIENT, &member, 10).await;
    fail(OTHER, &member, 1).await;
    expire(&member).await;
    fail(CLIENT, &member, 1).await;
    assert_eq!(counts(&member).await, ("1".into(), vec![(CLIENT.into(), "1".into())]));
    fail(CLIENT, &member, 9).await;
    log_in(CLIENT, &member, 429).await;
}

#[tokio::test]
async fn window_starts_at_first_failure() {
    let member = joined().await;
    fail(CLIENT, &member, 1).await;
    set_end(&member, "ADD expiresAt :value", "-60").await;
    let before = failures(&member).await.unwrap()["expiresAt"].clone();
    fail(CLIENT, &member, 1).await;
    assert_eq!(failures(&member).await.unwrap()["expiresAt"], before);
}

#[tokio::test]
async fn simultaneous_guesses_are_limited() {
    let member = joined().await;
    for _ in 0..2 {
        let guesses = (0..32).map(|_| async {
            let login = Login::new(tests::table(), sample::hasher(1));
            function::send(login, request(CLIENT, &member, "wrong")).await.status
        });
        let statuses = join_all(guesses).await;
        assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 10, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 22, "{statuses:?}");
        expire(&member).await;
    }
}

#[tokio::test]
async fn cloudfront_sets_client_address() {
    let member = joined().await;
    let behind = |viewer: &'static str, password: &str| {
        let mut request = request("198.51.100.1", &member, password);
        request.headers_mut().insert(VIEWER_ADDRESS, HeaderValue::from_static(viewer));
        request
    };
    for _ in 0..10 {
        call(behind(CLIENT, "wrong"), 401).await;
    }
    call(behind(CLIENT, sample::PASSWORD), 429).await;
    call(behind(OTHER, sample::PASSWORD), 200).await;
    // The address of the server of `CloudFront` is not barred.
    log_in("198.51.100.1", &member, 200).await;
}

#[tokio::test]
async fn uncounted_attempt_is_503() {
    let member = joined().await;
    let rule = Rule::new("UpdateItem", Extent::Kind, Fault::Throttled);
    let login = Login::new(tests::table_with_rule(rule).await, sample::hasher(1));
    let response = function::call(login, request(CLIENT, &member, sample::PASSWORD), 503).await;
    assert_eq!(function::json(&response)["code"], "S_003");
    assert!(response.headers().contains_key("Retry-After"));
}
