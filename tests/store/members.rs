//! Members in the table.

use aws_sdk_dynamodb::types::AttributeValue;
use lambda_http::Service as _;
use local::TABLE;
use serde_json::json;
use shared::{
    config::Origins,
    domain::{error::Error, member::Member, password::Hasher},
    http::serve,
    store::{member::Members, table::Table},
};
use tests::{conflicting, sample, stack};
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
async fn a_hash_of_old_parameters_is_upgraded_at_the_next_login() {
    let hasher = |params: &str| Hasher::new(params.parse().unwrap()).unwrap();
    let members = Members::new(tests::table());
    let registration = sample::registration();
    let hash = hasher("m=64,t=1,p=1").hash(&registration.password).unwrap();
    let member = Member::new(Uuid::new_v4(), registration);
    members.add(&member, &hash).await.unwrap();
    let email = member.email.as_str();
    assert!(stored_hash(email).await.contains("$m=64,t=1,p=1$"));

    let login = members_login::Login { members, hasher: hasher("m=64,t=2,p=1") };
    let mut login = serve::service(login, &Origins::Any);
    for _ in 0..2 {
        let request = lambda_http::http::Request::post("/api/v1/members/login")
            .header("Content-Type", "application/json")
            .body(json!({"email": email, "password": sample::PASSWORD}).to_string().into());
        let Ok(reply) = login.call(request.unwrap()).await;
        assert_eq!(reply.status(), 200);
        assert!(stored_hash(email).await.contains("$m=64,t=2,p=1$"));
    }
}

#[tokio::test]
async fn a_registration_that_lost_a_race_is_tried_again_until_it_knows() {
    let cheap = Hasher::new("m=64,t=1,p=1".parse().unwrap()).unwrap();
    let racing = async || Members::new(Table::new(conflicting(3).await, TABLE.to_owned()));
    let registration = sample::registration();
    let hash = cheap.hash(&registration.password).unwrap();
    let member = Member::new(Uuid::new_v4(), registration);
    racing().await.add(&member, &hash).await.unwrap();
    assert!(matches!(racing().await.add(&member, &hash).await, Err(Error::EmailTaken)));
}

#[tokio::test]
async fn a_member_is_three_items_and_only_one_of_them_holds_the_hash() {
    let members = Members::new(tests::table());
    let registration = sample::registration();
    let hash = Hasher::new("m=64,t=1,p=1".parse().unwrap()).unwrap().hash(&registration.password).unwrap();
    let member = Member::new(Uuid::new_v4(), registration);
    members.add(&member, &hash).await.unwrap();
    let items = stack().dynamodb().scan().table_name(TABLE).into_paginator().items().send();
    let items = items.collect::<Result<Vec<_>, _>>().await.unwrap();
    let ours: Vec<_> =
        items.iter().filter(|item| format!("{item:?}").contains(&member.id.to_string())).collect();
    assert_eq!(ours.len(), 3);
    assert_eq!(ours.iter().filter(|item| format!("{item:?}").contains("argon2")).count(), 1);
}
