//! Login throttling by client, member and time.

use std::collections::HashMap;
use storage::login_failures::LoginFailureCounters;

use api::client::VIEWER_ADDRESS;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::{client_address::ClientAddress, member::Member};
use futures_util::future::join_all;
use lambda_http::Request;
use local::TABLE;
use members_login::Login;
use reqwest::header::HeaderValue;
use serde_json::json;
use storage::keys::{self, Account, Key};
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

fn from_client(member: &Member) -> Key {
    keys::client_login_failures(&Account::from(&member.email), ClientAddress::parse(CLIENT))
}

fn from_all_clients(member: &Member) -> Key {
    keys::login_failures(&Account::from(&member.email))
}

async fn counter(key: &Key) -> Option<HashMap<String, AttributeValue>> {
    let item = stack().dynamodb().get_item().table_name(TABLE);
    item.set_key(Some(key.attributes())).send().await.unwrap().item
}

async fn count(key: &Key) -> u32 {
    counter(key).await.unwrap()["failures"].as_n().unwrap().parse().unwrap()
}

async fn expire(key: &Key) {
    let update = stack().dynamodb().update_item().table_name(TABLE).set_key(Some(key.attributes()));
    let update = update.update_expression("SET expiresAt = :past");
    update.expression_attribute_values(":past", AttributeValue::N("1".into())).send().await.unwrap();
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
    assert_eq!(count(&from_all_clients(&member)).await, 100);
    let of_other = keys::client_login_failures(&Account::from(&member.email), ClientAddress::parse(OTHER));
    assert_eq!(counter(&of_other).await, None, "counter of a client that never failed");
    expire(&from_all_clients(&member)).await;
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
async fn barred_login_is_not_counted() {
    let member = joined().await;
    fail(CLIENT, &member, 10).await;
    let [one, other] = [from_client(&member), from_all_clients(&member)];
    let before = [counter(&one).await, counter(&other).await];
    call(request(CLIENT, &member, "wrong"), 429).await;
    log_in(CLIENT, &member, 429).await;
    assert_eq!([counter(&one).await, counter(&other).await], before);

    expire(&other).await;
    let before = counter(&other).await;
    log_in(CLIENT, &member, 429).await;
    assert_eq!(counter(&other).await, before, "a refused login started a window");
}

#[tokio::test]
async fn expired_counter_is_ignored() {
    let member = joined().await;
    fail(CLIENT, &member, 10).await;
    expire(&from_client(&member)).await;
    fail(CLIENT, &member, 1).await;
    assert_eq!(count(&from_client(&member)).await, 1);
    assert_eq!(count(&from_all_clients(&member)).await, 11);
    fail(CLIENT, &member, 9).await;
    log_in(CLIENT, &member, 429).await;
    expire(&from_client(&member)).await;
    log_in(CLIENT, &member, 200).await;
}

#[tokio::test]
async fn window_starts_at_first_failure() {
    let member = joined().await;
    fail(CLIENT, &member, 1).await;
    let keys = [from_client(&member), from_all_clients(&member)];
    for key in &keys {
        let update = stack().dynamodb().update_item().table_name(TABLE).set_key(Some(key.attributes()));
        let update = update.update_expression("ADD expiresAt :minus");
        update.expression_attribute_values(":minus", AttributeValue::N("-60".into())).send().await.unwrap();
    }
    let ends = async |key| counter(key).await.unwrap()["expiresAt"].clone();
    let before = [ends(&keys[0]).await, ends(&keys[1]).await];
    fail(CLIENT, &member, 1).await;
    assert_eq!([ends(&keys[0]).await, ends(&keys[1]).await], before);
}

#[tokio::test]
async fn simultaneous_failures_all_count() {
    let member = joined().await;
    let (account, client) = (Account::from(&member.email), ClientAddress::parse(CLIENT));
    for expired in [false, true] {
        for key in [from_client(&member), from_all_clients(&member)] {
            if expired {
                expire(&key).await;
            }
        }
        let failures =
            (0..32).map(|_| async { LoginFailureCounters::new(tests::table()).record(&account, client).await });
        for counted in join_all(failures).await {
            counted.unwrap();
        }
        assert_eq!(count(&from_client(&member)).await, 32, "expired: {expired}");
        assert_eq!(count(&from_all_clients(&member)).await, 32, "expired: {expired}");
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
async fn throttled_read_is_503() {
    let member = joined().await;
    let rule = Rule::new("BatchGetItem", Extent::Kind, Fault::ThrottledItem);
    let login = Login::new(tests::table_with_rule(rule).await, sample::hasher(1));
    let response = function::call(login, request(CLIENT, &member, sample::PASSWORD), 503).await;
    assert_eq!(function::json(&response)["code"], "S_003");
    assert!(response.headers().contains_key("Retry-After"));
    assert_eq!(counter(&from_client(&member)).await, None);
}
