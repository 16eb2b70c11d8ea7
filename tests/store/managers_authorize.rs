//! Authorization of deletions and restorations if managers are verified.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{error::Error, manager::Authentication};
use lambda_http::Request;
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
use uuid::Uuid;

const OTHER_MANAGER: &str = "0b9e7c3a-15d2-4f6e-8a41-7c2d9e5f0a63";

async fn registered() -> Uuid {
    Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().parse().unwrap()
}

/// Builds requests for an event without a manager from the authorizer.
fn unauthorized_requests(id: &str) -> Vec<Request> {
    let mut with_manager_header = event_request(id);
    with_manager_header.headers_mut().insert("x-api-managerId", MANAGER.parse().unwrap());
    let mut requests = vec![event_request(id), with_manager_header];
    let principals: [Value; 4] = [json!(null), json!(""), json!("anyone"), json!(1)];
    requests.extend(principals.iter().map(|principal| event_request_by(principal, id)));
    requests
}

#[tokio::test]
async fn deletion_requires_authorizer() {
    let delete = || events_delete::Delete::new(tests::table(), Authentication::Required);
    let id = registered().await.to_string();
    for request in unauthorized_requests(&id) {
        function::send(delete(), request).await.expect(401, "AM_001");
    }
    let response = function::send(delete(), event_request_by(&json!(MANAGER), &id)).await;
    assert_eq!(response.status, 204);
}

#[tokio::test]
async fn restoration_requires_authorizer() {
    let restore = || events_restore::Restore::new(tests::table(), Authentication::Required);
    let id = registered().await.to_string();
    assert_eq!(Api::new().delete(&id).await.status, 204);
    for request in unauthorized_requests(&id) {
        function::send(restore(), request).await.expect(401, "AM_001");
    }
    Api::new().event(&id).await.expect(404, "E_002");
    function::send(restore(), event_request_by(&json!(MANAGER), &id)).await.expect(200, "0");
}

/// Builds the events in a database where an event gets another owner between a read and a transaction.
async fn with_changed_owner(event: Uuid) -> Events {
    let change_owner = move || async move {
        let update = stack().dynamodb().update_item().table_name(TABLE);
        let update = update.set_key(Some(keys::event(event).attributes()));
        let update = update.update_expression("SET manager = :to");
        update.expression_attribute_values(":to", AttributeValue::S(OTHER_MANAGER.into())).send().await.unwrap();
    };
    Events::new(table_with_rule(Rule::interleaved(change_owner)).await)
}

#[tokio::test]
async fn changed_owner_stops_deletion() {
    let event = registered().await;
    let result = with_changed_owner(event).await.delete(event, Some(MANAGER.parse().unwrap())).await;
    assert!(matches!(result, Err(Error::PermissionDenied)), "{result:?}");
    Api::new().event(&event.to_string()).await.expect(200, "0");
    Events::new(tests::table()).delete(event, Some(OTHER_MANAGER.parse().unwrap())).await.unwrap();
}

#[tokio::test]
async fn changed_owner_stops_restoration() {
    let event = registered().await;
    assert_eq!(Api::new().delete(&event.to_string()).await.status, 204);
    let result = with_changed_owner(event).await.restore(event, Some(MANAGER.parse().unwrap())).await;
    assert!(matches!(result, Err(Error::PermissionDenied)), "{result:?}");
    Api::new().event(&event.to_string()).await.expect(404, "E_002");
    Events::new(tests::table()).restore(event, Some(OTHER_MANAGER.parse().unwrap())).await.unwrap();
}
