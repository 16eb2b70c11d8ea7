//! Parts of a Lambda response that HTTP hides, and failures of a function.

use std::{
    convert::Infallible,
    sync::atomic::{AtomicUsize, Ordering},
};

use api::{
    cors::Origins,
    envelope::{self, Response},
    error::Error,
    serve::{self, Handler},
};
use domain::manager::Authentication;
use lambda_http::{Body, Request, Service as _, request::LambdaRequest};
use local::TABLE;
use serde_json::json;
use storage::table::Table;
use tests::{Api, dynamodb_at, function, sample};

#[tokio::test]
async fn deletion_has_documented_body() {
    let id = Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    let event: LambdaRequest = serde_json::from_value(json!({
        "resource": "/api/v1/events/{eventId}",
        "path": format!("/api/v1/events/{id}"),
        "httpMethod": "DELETE",
        "headers": {},
        "multiValueHeaders": {},
        "pathParameters": {"eventId": id},
        "requestContext": {"httpMethod": "DELETE", "stage": "api"},
    }))
    .unwrap();
    let response =
        function::call(events_delete::Delete::new(tests::table(), Authentication::Open), Request::from(event), 204)
            .await;
    assert_eq!(response.headers()["Content-Type"], "application/json");
    assert_eq!(function::json(&response), json!({"message": "공연이 삭제되었습니다.", "code": "0"}));
}

/// Handler that panics at every other request.
struct Fragile(AtomicUsize);

impl Handler for Fragile {
    async fn handle(&self, _: Request) -> Result<Response, Error> {
        assert!(!self.0.fetch_add(1, Ordering::Relaxed).is_multiple_of(2), "canary");
        envelope::ok("m", &())
    }
}

#[tokio::test]
async fn service_survives_panic() {
    let mut service = serve::service(Fragile(AtomicUsize::new(0)), &Origins::Any);
    let Ok::<_, Infallible>(panicked) = service.call(Request::new(Body::Empty)).await;
    assert_eq!(panicked.status(), 500);
    assert_eq!(function::json(&panicked)["code"], "S_001");
    assert!(!function::json(&panicked).to_string().contains("canary"));
    assert_eq!(panicked.headers().get_all("Vary").iter().count(), 3);
    let Ok(next) = service.call(Request::new(Body::Empty)).await;
    assert_eq!(next.status(), 200);
}

#[tokio::test]
async fn unreachable_storage_is_503() {
    let table = Table::new(dynamodb_at("http://127.0.0.1:1"), TABLE.to_owned());
    let list = events_list::List::new(table, "0123456789abcdef".parse().unwrap());
    let response = function::call(list, Request::new(Body::Empty), 503).await;
    assert_eq!(function::json(&response)["code"], "S_003");
    assert!(response.headers().contains_key("Retry-After"));
    assert!(!function::json(&response).to_string().contains("127.0.0.1"));
}
