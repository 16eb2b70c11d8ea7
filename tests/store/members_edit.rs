//! Edits and withdrawals of members in the table, and their races.

use std::{
    collections::BTreeSet,
    sync::Mutex,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use api::client::VIEWER_ADDRESS;
use domain::{
    member::{Member, Nickname},
    password::{Password, common::CommonPasswords},
};
use local::TABLE;
use members_edit::Edit;
use members_login::Login;
use members_withdraw::Withdraw;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use storage::{
    keys,
    member::Members,
    table::{Item, Table},
};
use tests::{
    fault::Rule,
    function::{self, member_request, post, post_from_address, with_member_id},
    sample, stack, table_with_rule,
};
use uuid::Uuid;

const NEW_PASSWORD: &str = "새비밀번호5678!";
const CLIENT: &str = "203.0.113.7";

async fn joined() -> Member {
    tests::add_member(&sample::hasher(1)).await
}

fn edit(table: Table) -> Edit {
    Edit::new(table, sample::hasher(1), Password::parse)
}

fn withdraw(table: Table) -> Withdraw {
    Withdraw::new(table, sample::hasher(1))
}

fn login(passes: u32) -> Login {
    Login::new(tests::table(), sample::hasher(passes))
}

fn password() -> Value {
    json!({"password": sample::PASSWORD})
}

/// Sends an edit, and returns the body of the response.
async fn send_edit(table: Table, member: &Member, mut fields: Value, status: u16) -> Value {
    fields["password"] = json!(sample::PASSWORD);
    function::json(&function::call(edit(table), member_request(&member.id.to_string(), &fields), status).await)
}

async fn send_withdrawal(table: Table, member: &Member, status: u16) {
    function::call(withdraw(table), member_request(&member.id.to_string(), &password()), status).await;
}

async fn send_login(member: &Member, password: &str, passes: u32, status: u16) -> Value {
    let credentials = json!({"email": member.email.as_str(), "password": password});
    function::json(&function::call(login(passes), post(&credentials), status).await)
}

/// Returns a table on which something happens just before the first transaction.
async fn table_interrupted_by(action: impl Future<Output = ()> + Send + 'static) -> Table {
    let action = Mutex::new(Some(Box::pin(action)));
    let once = move || {
        let action = action.lock().unwrap().take();
        async {
            if let Some(action) = action {
                action.await;
            }
        }
    };
    table_with_rule(Rule::interleaved(once)).await
}

/// Returns the items that contain one of these texts, in keys or attributes.
async fn items_with(texts: &[&str]) -> Vec<Item> {
    let items = stack().dynamodb().scan().table_name(TABLE).into_paginator().items().send();
    let items = items.collect::<Result<Vec<_>, _>>().await.unwrap();
    items.into_iter().filter(|item| texts.iter().any(|text| format!("{item:?}").contains(text))).collect()
}

/// Returns the items of a member.
async fn items_of(member: &Member) -> Vec<Item> {
    let nickname = member.nickname.canonical();
    let email = keys::login(&member.email).attributes()["pk"].as_s().unwrap().clone();
    items_with(&[&member.id.to_string(), &email, &nickname, member.nickname.as_str()]).await
}

fn sort_keys(items: &[Item]) -> Vec<&str> {
    let mut keys: Vec<_> = items.iter().map(|item| item["sk"].as_s().unwrap().as_str()).collect();
    keys.sort_unstable();
    keys
}

#[tokio::test]
async fn edit_leaves_no_old_value() {
    let member = joined().await;
    let nickname = sample::unique();
    let fields = json!({"name": "이영희", "nickname": nickname, "newPassword": NEW_PASSWORD});
    send_edit(tests::table(), &member, fields, 200).await;
    let items = items_of(&member).await;
    assert_eq!(sort_keys(&items), ["EMAIL", "FAILURES", "MEMBER", "NICKNAME"]);
    let text = format!("{items:?}");
    assert!(!text.contains(member.nickname.as_str()) & !text.contains(member.name.as_str()), "{text}");
    let lock = items.iter().find(|item| item["sk"].as_s().unwrap() == "NICKNAME").unwrap();
    assert_eq!(lock["pk"].as_s().unwrap(), &format!("NICKNAME#{nickname}"));
    assert_eq!(lock["member"].as_s().unwrap(), &member.id.to_string());
    send_login(&member, NEW_PASSWORD, 1, 200).await;
}

#[tokio::test]
async fn only_login_item_has_personal_data() {
    let member = joined().await;
    let items = items_of(&member).await;
    assert_eq!(items.len(), 3);
    for (sort, attributes) in [
        ("EMAIL", vec!["email", "id", "name", "nickname", "password", "pk", "sk"]),
        ("MEMBER", vec!["email", "pk", "sk"]),
        ("NICKNAME", vec!["member", "pk", "sk"]),
    ] {
        let item = items.iter().find(|item| item["sk"].as_s().unwrap() == sort).unwrap();
        assert_eq!(item.keys().map(String::as_str).collect::<BTreeSet<_>>(), attributes.into_iter().collect());
    }
}

#[tokio::test]
async fn withdrawal_leaves_only_counters() {
    let member = joined().await;
    let wrong = json!({"password": "wrong"});
    let request = |body| with_member_id(post_from_address(CLIENT, body), &member.id.to_string());
    function::call(edit(tests::table()), request(&wrong), 401).await;
    function::call(withdraw(tests::table()), request(&password()), 204).await;
    let items = items_of(&member).await;
    assert_eq!(sort_keys(&items), ["FAILURES"]);
    let attributes: BTreeSet<_> = items[0].keys().map(String::as_str).collect();
    assert_eq!(attributes, ["clients", "expiresAt", "failures", "pk", "sk"].into());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let expiry = Duration::from_secs(items[0]["expiresAt"].as_n().unwrap().parse().unwrap());
    assert!(expiry <= now + Duration::from_mins(15), "{items:?}");
}

#[tokio::test]
async fn unknown_id_is_not_stored() {
    let id = Uuid::new_v4().to_string();
    function::call(edit(tests::table()), member_request(&id, &password()), 401).await;
    assert_eq!(items_with(&[&id]).await, Vec::<Item>::new());
}

#[tokio::test]
async fn common_new_password_can_be_rejected() {
    let member = joined().await;
    for (policy, status) in [(CommonPasswords::Rejected, 400), (CommonPasswords::Allowed, 200)] {
        let edit = Edit::new(tests::table(), sample::hasher(1), policy.parser());
        let body = json!({"password": sample::PASSWORD, "newPassword": "PassWord1"});
        let response = function::call(edit, member_request(&member.id.to_string(), &body), status).await;
        if status == 400 {
            let errors = &function::json(&response)["errors"];
            assert_eq!(errors.as_array().unwrap().len(), 1);
            assert_eq!([&errors[0]["field"], &errors[0]["value"]], ["newPassword", "PassWord1"]);
        }
    }
    // An existing common password is no obstacle.
    let edit = Edit::new(tests::table(), sample::hasher(1), CommonPasswords::Rejected.parser());
    let body = json!({"password": "PassWord1", "name": "이영희"});
    function::call(edit, member_request(&member.id.to_string(), &body), 200).await;
}

#[tokio::test]
async fn cloudfront_sets_client_address() {
    let member = joined().await;
    let behind = |viewer: &'static str, body: &Value| {
        let mut request = with_member_id(post_from_address("198.51.100.1", body), &member.id.to_string());
        request.headers_mut().insert(VIEWER_ADDRESS, HeaderValue::from_static(viewer));
        request
    };
    let wrong = json!({"password": "wrong"});
    for _ in 0..5 {
        function::call(edit(tests::table()), behind(CLIENT, &wrong), 401).await;
        function::call(withdraw(tests::table()), behind(CLIENT, &wrong), 401).await;
    }
    function::call(edit(tests::table()), behind(CLIENT, &password()), 429).await;
    function::call(withdraw(tests::table()), behind(CLIENT, &password()), 429).await;
    function::call(edit(tests::table()), behind("203.0.113.8", &password()), 200).await;
    function::call(withdraw(tests::table()), behind("203.0.113.8", &password()), 204).await;
}

#[tokio::test]
async fn edit_survives_rehash() {
    let member = joined().await;
    let other = member.clone();
    let rehash = async move { drop(send_login(&other, sample::PASSWORD, 2, 200).await) };
    let table = table_interrupted_by(rehash).await;
    let edited = send_edit(table, &member, json!({"name": "이영희"}), 200).await;
    let logged_in = send_login(&member, sample::PASSWORD, 2, 200).await;
    assert_eq!(edited["data"], logged_in["data"]);
    let login = items_of(&member).await.into_iter().find(|item| item.contains_key("password")).unwrap();
    assert!(login["password"].as_s().unwrap().contains("$m=64,t=2,p=1$"), "the edit restored the old hash");
}

#[tokio::test]
async fn rehash_does_not_revive_old_password() {
    let member = joined().await;
    let members = Members::new(tests::table());
    let stored = members.by_email(&member.email).await.unwrap().unwrap();
    send_edit(tests::table(), &member, json!({"newPassword": NEW_PASSWORD}), 200).await;
    let rehashed = sample::hasher(2).hash(&sample::registration().password).unwrap();
    members.rehash(&stored, &rehashed).await.unwrap();
    send_login(&member, sample::PASSWORD, 1, 401).await;
    send_login(&member, NEW_PASSWORD, 1, 200).await;
}

#[tokio::test]
async fn interrupted_edit_keeps_other_change() {
    let member = joined().await;
    let nickname = sample::unique();
    let (other, fields) = (member.clone(), json!({"nickname": nickname}));
    let change = async move { drop(send_edit(tests::table(), &other, fields, 200).await) };
    let table = table_interrupted_by(change).await;
    let edited = send_edit(table, &member, json!({"name": "이영희"}), 200).await;
    assert_eq!([&edited["data"]["name"], &edited["data"]["nickname"]], ["이영희", &nickname]);
    assert_eq!(send_login(&member, sample::PASSWORD, 1, 200).await["data"], edited["data"]);
}

#[tokio::test]
async fn changed_password_stops_edit_and_withdrawal() {
    for withdraws in [false, true] {
        let member = joined().await;
        let (other, fields) = (member.clone(), json!({"newPassword": NEW_PASSWORD}));
        let change = async move { drop(send_edit(tests::table(), &other, fields, 200).await) };
        let table = table_interrupted_by(change).await;
        if withdraws {
            send_withdrawal(table, &member, 401).await;
        } else {
            send_edit(table, &member, json!({"name": "이영희"}), 401).await;
        }
        let data = send_login(&member, NEW_PASSWORD, 1, 200).await;
        assert_eq!(data["data"]["name"], member.name.as_str());
    }
}

#[tokio::test]
async fn withdrawal_stops_edit() {
    for fields in
        [json!({"name": "이영희"}), json!({"nickname": sample::unique()}), json!({"newPassword": NEW_PASSWORD})]
    {
        let member = joined().await;
        let leaving = member.clone();
        let leave = async move { send_withdrawal(tests::table(), &leaving, 204).await };
        let new_nickname = fields["nickname"].as_str().map(str::to_owned);
        send_edit(table_interrupted_by(leave).await, &member, fields, 401).await;
        assert_eq!(sort_keys(&items_of(&member).await), ["FAILURES"]);
        if let Some(nickname) = new_nickname {
            assert_eq!(items_with(&[&nickname]).await, Vec::<Item>::new(), "a lock without an owner");
        }
    }
}

#[tokio::test]
async fn edit_of_withdrawn_member_spares_successor() {
    for withdraws in [false, true] {
        let member = joined().await;
        let successor = Member { id: Uuid::new_v4(), ..member.clone() };
        let (leaving, joining) = (member.clone(), successor.clone());
        let replace = async move {
            send_withdrawal(tests::table(), &leaving, 204).await;
            let hash = sample::hasher(1).hash(&sample::registration().password).unwrap();
            Members::new(tests::table()).add(&joining, &hash).await.unwrap();
        };
        let table = table_interrupted_by(replace).await;
        if withdraws {
            send_withdrawal(table, &member, 401).await;
        } else {
            send_edit(table, &member, json!({"nickname": sample::unique()}), 401).await;
        }
        let data = send_login(&member, sample::PASSWORD, 1, 200).await;
        assert_eq!(data["data"]["id"], successor.id.to_string());
        assert_eq!(data["data"]["nickname"], member.nickname.as_str());
    }
}

#[tokio::test]
async fn withdrawal_frees_nickname_changed_meanwhile() {
    let member = joined().await;
    let nickname = sample::unique();
    let (other, fields) = (member.clone(), json!({"nickname": nickname}));
    let change = async move { drop(send_edit(tests::table(), &other, fields, 200).await) };
    send_withdrawal(table_interrupted_by(change).await, &member, 204).await;
    assert_eq!(sort_keys(&items_of(&member).await), ["FAILURES"]);
    let changed = Nickname::parse(&nickname).unwrap();
    assert_eq!(items_with(&[&changed.canonical()]).await, Vec::<Item>::new());
}

#[tokio::test]
async fn conflicts_are_retried() {
    let member = joined().await;
    let table = table_with_rule(Rule::conflicts(3)).await;
    send_edit(table, &member, json!({"nickname": sample::unique()}), 200).await;
    send_withdrawal(table_with_rule(Rule::conflicts(3)).await, &member, 204).await;
}
