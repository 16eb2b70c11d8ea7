//! Members in the table.

use std::time::Duration;

use aws_sdk_dynamodb::{Client, config::timeout::TimeoutConfig, types::AttributeValue};
use domain::{error::Error, member::Member, password::common::CommonPasswords};
use local::TABLE;
use serde_json::json;
use storage::{member::Members, table::Table};
use tests::{
    Proxy,
    fault::{Extent, Fault, Rule},
    function, sample, stack, table_with_rule,
};
use uuid::Uuid;

async fn stored_hash(email: &str) -> String {
    let item = stack()
        .dynamodb()
        .get_item()
        .table_name(TABLE)
        .key("pk", AttributeValue::S(format!("EMAIL#{}", email.to_lowercase())))
        .key("sk", AttributeValue::S("EMAIL".to_owned()))
        .send()
        .await
        .unwrap();
    item.item.unwrap()["password"].as_s().unwrap().clone()
}

#[tokio::test]
async fn login_upgrades_old_hash() {
    let member = tests::add_member(&sample::hasher(1)).await;
    let email = member.email.as_str();
    assert!(stored_hash(email).await.contains("$m=64,t=1,p=1$"));

    for _ in 0..2 {
        let login = members_login::Login::new(tests::table(), sample::hasher(2));
        let request = json!({"email": email, "password": sample::PASSWORD});
        function::call(login, function::post(&request), 200).await;
        assert!(stored_hash(email).await.contains("$m=64,t=2,p=1$"));
    }
}

#[tokio::test]
async fn conflict_is_retried() {
    let racing = async || Members::new(table_with_rule(Rule::conflicts(3)).await);
    let registration = sample::registration();
    let hash = sample::hasher(1).hash(&registration.password).unwrap();
    let member = Member::new(Uuid::new_v4(), registration);
    racing().await.add(&member, &hash).await.unwrap();
    assert!(matches!(racing().await.add(&member, &hash).await, Err(Error::EmailTaken)));
}

#[tokio::test]
async fn retries_end_at_timeout() {
    let registration = sample::registration();
    let hash = sample::hasher(1).hash(&registration.password).unwrap();
    let member = Member::new(Uuid::new_v4(), registration);
    let added = async |limit| {
        // The waits between nine tries are at least 2.12 seconds.
        let proxy = Proxy::start(stack(), [Rule::conflicts(8)]).await;
        let config = proxy.dynamodb().config().to_builder();
        let timeouts = TimeoutConfig::builder().operation_timeout(limit).build();
        let client = Client::from_conf(config.timeout_config(timeouts).build());
        Members::new(Table::new(client, TABLE.to_owned())).add(&member, &hash).await
    };
    assert!(matches!(added(Duration::from_millis(500)).await, Err(Error::Database(_))));
    added(Duration::from_mins(1)).await.unwrap();
}

#[tokio::test]
async fn throttling_is_retried() {
    let hash = sample::hasher(1).hash(&sample::registration().password).unwrap();
    let added = async |throttles| {
        let member = Member::new(Uuid::new_v4(), sample::registration());
        let rule = Rule::new("TransactWriteItems", Extent::Tries(throttles), Fault::ThrottledItem);
        Members::new(table_with_rule(rule).await).add(&member, &hash).await
    };
    added(6).await.unwrap();
    assert!(matches!(added(7).await, Err(Error::Database(_))));
}

#[tokio::test]
async fn common_passwords_can_be_rejected() {
    let mut body = sample::member();
    body["password"] = json!("PassWord1");
    for (policy, status) in [(CommonPasswords::Rejected, 400), (CommonPasswords::Allowed, 201)] {
        let join = members_join::Join::new(tests::table(), sample::hasher(1), policy.parser());
        let response = function::json(&function::call(join, function::post(&body), status).await);
        if status == 400 {
            assert_eq!(response["code"], "C_001");
            let errors = json!([{
                "field": "password",
                "value": "PassWord1",
                "reason": "너무 흔한 비밀번호입니다. 다른 비밀번호를 입력해 주세요.",
            }]);
            assert_eq!(response["errors"], errors);
        }
    }
}

#[tokio::test]
async fn only_one_member_item_has_hash() {
    let member = tests::add_member(&sample::hasher(1)).await;
    let items = stack().dynamodb().scan().table_name(TABLE).into_paginator().items().send();
    let items = items.collect::<Result<Vec<_>, _>>().await.unwrap();
    let ours: Vec<_> = items.iter().filter(|item| format!("{item:?}").contains(&member.id.to_string())).collect();
    assert_eq!(ours.len(), 3);
    assert_eq!(ours.iter().filter(|item| format!("{item:?}").contains("argon2")).count(), 1);
}
