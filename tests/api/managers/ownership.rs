//! Ownership of events, for all routes of `openapi.json` that only managers may call.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;
use tests::{
    Api, Operation, Sale, VerifiedService,
    sample::{self, MANAGER, OTHER_MANAGER},
    token::with,
};

#[tokio::test]
async fn only_owner_may_use_an_event() {
    let verified = VerifiedService::start().await;
    let order_service = with(&verified.issuer.claims("order-service-1"), "roles", "order");
    let order_service = verified.key.token(&order_service);
    let mut of_order_services = Vec::new();
    let of_owner = |operation: &Operation| operation.is_for_managers && operation.path.contains("{eventId}");
    for operation in Operation::all().into_iter().filter(of_owner) {
        let sale = Sale::of(&verified.created_on_sale_by(MANAGER).await);
        let (media_type, body) = operation.valid_body(&sale.event);
        let request = || {
            let path = sample::path(&operation.path, &[("eventId", &sale.event), ("showId", &sale.show)], "x");
            let request = verified.api.request(operation.method.clone(), &path);
            request.header("Content-Type", &media_type).body(body.clone())
        };
        Api::send(request()).await.check(401, "AM_001");
        verified.send_as(OTHER_MANAGER, request()).await.check(403, "AM_002");
        let event = verified.api.event(&sale.event).await;
        assert_eq!((event.status, event.header("ETag")), (200, "\"summary-1-0\""), "{operation:?}");
        let by_service = Api::send(request().bearer_auth(&order_service)).await;
        assert_ne!(by_service.status, 401);
        let own = verified.send_as(MANAGER, request()).await;
        assert!(![401, 403].contains(&own.status), "{}: {own}", operation.slug);
        if by_service.status != 403 {
            of_order_services.push(operation.slug);
        }
    }
    assert_snapshot!(of_order_services.join(" "), @"holds-cancel holds-confirm sales-list sales-create sales-summary");
}

#[tokio::test]
async fn owner_of_a_deleted_event_restores_it() {
    let verified = VerifiedService::start().await;
    let id = verified.created_by(MANAGER).await;
    verified.send_as(MANAGER, verified.delete_request(&id)).await.check(204, "0");
    let restore = || verified.api.request(Method::POST, &format!("/api/v1/events/{id}/restore"));
    verified.api.restore(&id).await.check(401, "AM_001");
    verified.send_as(OTHER_MANAGER, restore()).await.check(403, "AM_002");
    // Only then is the event unknown to others.
    let edit = verified.api.edit_request(&id).body(json!({}).to_string());
    verified.send_as(OTHER_MANAGER, edit).await.check(404, "E_002");
    // It gets another owner between the read and the transaction.
    verified
        .service
        .interrupted(verified.send_as(MANAGER, restore()), verified.change_owner(&id))
        .await
        .check(403, "AM_002");
    verified.send_as(OTHER_MANAGER, restore()).await.check(200, "0");
}
