//! Authorization of deletions if managers are verified.

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

const OTHER_MANAGER: &str = "0b9e7c3a-15d2-4f6e-8a41-7c2d9e5f0a63";

#[tokio::test]
async fn deletion_requires_authorizer() {
    let delete = || events_delete::Delete::new(tests::table(), Authentication::Required);
    let id = Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    let mut with_manager_header = event_request(&id);
    with_manager_header.headers_mut().insert("x-api-managerId", MANAGER.parse().unwrap());
    let mut requests = vec![event_request(&id), with_manager_header];
    let principals: [Value; 4] = [json!(null), json!(""), json!("anyone"), json!(1)];
    requests.extend(principals.iter().map(|principal| event_request_by(principal, &id)));
    for request in requests {
        function::send(delete(), request).await.expect(401, "AM_001");
    }
    let response = function::send(delete(), event_request_by(&json!(MANAGER), &id)).await;
    assert_eq!(response.status, 204);
}

#[tokio::test]
async fn changed_owner_stops_deletion() {
    let id = Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    let (event, other_manager) = (id.parse().unwrap(), OTHER_MANAGER.parse().unwrap());
    let change_owner = move || async move {
        let update = stack().dynamodb().update_item().table_name(TABLE);
        let update = update.set_key(Some(keys::event(event).attributes()));
        let update = update.update_expression("SET manager = :to");
        update.expression_attribute_values(":to", AttributeValue::S(OTHER_MANAGER.into())).send().await.unwrap();
    };
    let events = Events::new(table_with_rule(Rule::interleaved(change_owner)).await);
    let result = events.delete(event, Some(MANAGER.parse().unwrap())).await;
    assert!(matches!(result, Err(Error::PermissionDenied)), "{result:?}");
    Api::new().event(&id).await.expect(200, "0");
    Events::new(tests::table()).delete(event, Some(other_manager)).await.unwrap();
}
