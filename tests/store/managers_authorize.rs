//! Whose events a function deletes where managers are verified.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{error::Error, manager::Authentication};
use local::TABLE;
use serde_json::{Value, json};
use storage::{event::Events, keys};
use tests::{
    Api,
    fault::Rule,
    function::{self, event_request, event_request_by},
    sample::{self, MANAGER},
    stack, table_with_rule,
};

const ANOTHER: &str = "0b9e7c3a-15d2-4f6e-8a41-7c2d9e5f0a63";

#[tokio::test]
async fn deletion_requires_authorizer() {
    let delete = || events_delete::Delete::new(tests::table(), Authentication::Required);
    let id = Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    let mut named = event_request(&id);
    named.headers_mut().insert("x-api-managerId", MANAGER.parse().unwrap());
    let mut requests = vec![event_request(&id), named];
    let principals: [Value; 4] = [json!(null), json!(""), json!("anyone"), json!(1)];
    requests.extend(principals.iter().map(|principal| event_request_by(principal, &id)));
    for request in requests {
        function::send(delete(), request).await.expect(401, "AM_001");
    }
    let answer = function::send(delete(), event_request_by(&json!(MANAGER), &id)).await;
    assert_eq!(answer.status, 204);
}

#[tokio::test]
async fn changed_owner_stops_deletion() {
    let id = Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    let (event, another) = (id.parse().unwrap(), ANOTHER.parse().unwrap());
    let hand_over = move || async move {
        let update = stack().dynamodb().update_item().table_name(TABLE);
        let update = update.set_key(Some(keys::event(event).attributes()));
        let update = update.update_expression("SET manager = :to");
        update.expression_attribute_values(":to", AttributeValue::S(ANOTHER.into())).send().await.unwrap();
    };
    let meanwhile = Events::new(table_with_rule(Rule::interleaved(hand_over)).await);
    let refused = meanwhile.delete(event, Some(MANAGER.parse().unwrap())).await;
    assert!(matches!(refused, Err(Error::NoSuchEvent)), "{refused:?}");
    Api::new().event(&id).await.expect(200, "0");
    Events::new(tests::table()).delete(event, Some(another)).await.unwrap();
}
