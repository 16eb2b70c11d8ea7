//! Ownership of events, for all routes of `openapi.json` that only managers may call.

use tests::prelude::*;

#[tokio::test]
async fn only_owner_may_use_an_event() {
    let verified = VerifiedService::start().await;
    let (owner, other) = (verified.by(MANAGER), verified.by(OTHER_MANAGER));
    let order_service = verified.with_roles("order-service-1", &["order"]);
    let mut of_order_services = Vec::new();
    let of_owner = |operation: &Operation| operation.is_for_managers && operation.path.contains("{eventId}");
    for operation in Operation::all().into_iter().filter(of_owner) {
        let sale = Sale::open(&owner).await;
        let (media_type, body) = operation.valid_body(&sale.event);
        let send = async |api: &Api| {
            let path = sample::path(&operation.path, &[("eventId", &sale.event), ("showId", &sale.show)], "x");
            let request = api.request(operation.method.clone(), &path);
            Api::send(request.header("Content-Type", &media_type).body(body.clone())).await
        };
        send(&verified.api).await.check(401, "AM_001");
        send(&other).await.check(403, "AM_002");
        let event = verified.api.event(&sale.event).await;
        assert_eq!((event.status, event.header("ETag")), (200, "\"summary-1-0\""), "{operation:?}");
        let (by_service, own) = (send(&order_service).await, send(&owner).await);
        assert_ne!(by_service.status, 401);
        assert!(![401, 403].contains(&own.status), "{}: {own}", operation.slug);
        if by_service.status != 403 {
            of_order_services.push(operation.slug);
        }
    }
    assert_snapshot!(of_order_services.join(" "), @"admissions-count holds-cancel holds-confirm sales-list sales-create tickets-of-sale sales-summary");
}

#[tokio::test]
async fn owner_of_a_deleted_event_restores_it() {
    let verified = VerifiedService::start().await;
    let (owner, other) = (verified.by(MANAGER), verified.by(OTHER_MANAGER));
    let id = owner.deleted().await;
    verified.api.restore(&id).await.check(401, "AM_001");
    other.restore(&id).await.check(403, "AM_002");
    // Otherwise the event is unknown to others.
    other.edit(&id, &json!({})).await.check(404, "E_002");
    // It gets another owner between the read and the transaction.
    verified.service.interrupted(owner.restore(&id), verified.change_owner(&id)).await.check(403, "AM_002");
    other.restore(&id).await.check(200, "0");
}
