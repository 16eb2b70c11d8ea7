//! `DELETE /api/v1/events/{eventId}`

use tests::prelude::*;

#[tokio::test]
async fn deleted_event_is_not_found() {
    let api = Api::new();
    let event = sample::event();
    let id = api.create(&event).await.id();
    assert_snapshot!(api.delete(&id).await, @"204");
    assert_snapshot!(api.delete(&id).await, @r#"
    404
    {"message": "해당 공연을 찾을 수 없습니다.", "code": "E_002"}
    "#);
    api.event(&id).await.check(404, "E_002");
    assert!(api.find(&event).await.is_empty());
    // Its title, place and shows are free.
    assert_ne!(api.create(&event).await.expect(201, "0").id(), id);
}

#[tokio::test]
async fn event_with_taken_seats_is_not_deleted() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    assert_snapshot!(api.delete(&sale.event).await, @r#"
    409
    {"message": "선점되거나 판매되었거나 판매를 막아 둔 좌석이 있어 공연을 삭제하거나 비공개로 돌리거나 회차를 뺄 수 없습니다.", "code": "E_004"}
    "#);
    sale.release(&api, &tokens, &hold).await.check(204, "0");
    let (_, sold) = sale.held(&api, &[100]).await;
    sale.confirm(&api, &sold, "order-1", 50_000.0).await.check(200, "0");
    api.delete(&sale.event).await.check(409, "E_004");
    sale.cancel(&api, &sold, "order-1").await.check(200, "0");
    sale.block(&api, &[1]).await.check(200, "0");
    api.delete(&sale.event).await.check(409, "E_004");
    sale.unblock(&api, &[1]).await.check(200, "0");
    api.delete(&sale.event).await.check(204, "0");
    sale.hold(&api, &tokens, &[0]).await.check(404, "E_002");
    sale.get(&api, &tokens, &hold).await.check(404, "E_002");
    // Its seats can be held again once it is restored.
    api.restore(&sale.event).await.check(200, "0");
    sale.hold(&api, &tokens, &[0]).await.check(201, "0");
    api.delete(&sale.event).await.check(409, "E_004");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn deleted_event_is_kept_30_days() {
        let service = Service::start().await;
        let id = service.other.create(&sample::concert()).await.id();
        assert_snapshot!(service.effect(service.api.delete(&id)).await, @r#"
        204
        GetItem EVENT, BatchGetItem, TransactWriteItems: 73 read, 159 write units
        ~ EVENT#[id1] EVENT {"expiresAt": "[in 30 days]", "listing": null, "version": 1}
        + FENCE#[id1] FENCE {"edit": 1}
        ~ EVENT#[id1] MAP#000 {"expiresAt": "[in 30 days]"}
        + POSTER#[id1].png POSTER {"expiresAt": "[in 30 days]"}
        - SHOW#[hash] SHOW#03
        "#);
        assert_snapshot!(service.effect(service.api.delete(&id)).await, @r"
        404 E_002 해당 공연을 찾을 수 없습니다.
        GetItem EVENT: 1 read, 0 write units
        ");
        assert_snapshot!(service.effect(service.api.delete("x")).await, @r"
        404 E_002 해당 공연을 찾을 수 없습니다.
        no calls: 0 read, 0 write units
        ");
        let sale = Sale::open(&service.other).await;
        sale.block(&service.other, &[0]).await.check(200, "0");
        assert_snapshot!(service.effect(service.api.delete(&sale.event)).await, @"
        409 E_004 선점되거나 판매되었거나 판매를 막아 둔 좌석이 있어 공연을 삭제하거나 비공개로 돌리거나 회차를 뺄 수 없습니다.
        GetItem EVENT, BatchGetItem, Query, Query, GetItem EVENT: 76 read, 0 write units
        ");
        service.check_permissions("events-delete");
    }

    #[tokio::test]
    async fn deletion_notices_seat_that_is_taken_meanwhile() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let hold = async { drop(sale.held(&service.other, &[0]).await) };
        service.interrupted(service.api.delete(&sale.event), hold).await.check(409, "E_004");
        // Also an expired hold that is confirmed.
        let (service, clock) = Service::with_clock().await;
        let sale = Sale::open(&service.other).await;
        let (_, hold) = sale.held(&service.other, &[0]).await;
        clock.advance(601);
        let confirm = async { sale.confirm(&service.other, &hold, "order-1", 50_000.0).await.check(200, "0") };
        service.interrupted(service.api.delete(&sale.event), confirm).await.check(409, "E_004");
    }

    #[tokio::test]
    async fn show_that_began_a_day_ago_stops_no_deletion() {
        let (service, clock) = Service::with_clock().await;
        let sale = Sale::open_with(&service.other, json!({"eventDatetimes": [now() + 3_600]})).await;
        sale.block(&service.other, &[0]).await.check(200, "0");
        clock.advance(24 * 60 * 60);
        service.api.delete(&sale.event).await.check(409, "E_004");
        clock.advance(3_700);
        service.api.delete(&sale.event).await.check(204, "0");
    }

    #[tokio::test]
    async fn overtaken_deletion_releases_edited_shows() {
        let service = Service::start().await;
        let event = sample::event();
        let id = service.other.create(&event).await.id();
        let shows = json!({"eventDatetimes": ["2027-03-01T00:00:00Z"]});
        let edit = async { service.other.edit(&id, &shows).await.check(200, "0") };
        service.interrupted(service.api.delete(&id), edit).await.check(204, "0");
        service.contents().await.check();
        service.other.create(&sample::with(event, shows.clone())).await.check(201, "0");
    }

    #[tokio::test]
    async fn only_owner_may_delete() {
        let verified = VerifiedService::start().await;
        let (owner, other) = (verified.by(MANAGER), verified.by(OTHER_MANAGER));
        let id = owner.created().await;
        assert_snapshot!(other.delete(&id).await, @r#"
        403
        {"message": "이 작업을 수행할 권한이 없습니다.", "code": "AM_002"}
        "#);
        // It gets another owner between the read and the transaction.
        verified.service.interrupted(owner.delete(&id), verified.change_owner(&id)).await.check(403, "AM_002");
        verified.by(&OTHER_MANAGER.to_uppercase()).delete(&id).await.check(204, "0");
        for manager in [owner, other] {
            manager.delete(&id).await.check(404, "E_002");
        }
    }

    #[tokio::test]
    async fn faults_leave_event_live_or_deleted() {
        let table = faults(async |service| service.other.created().await, async |api, id| api.delete(id).await).await;
        assert_snapshot!(table, @"
                            once  lost  fails  unknown     ends   ends after
        GetItem EVENT       204   204   S_003  S_003       S_003  S_003
        BatchGetItem        204   204   S_003  S_003       S_003  S_003
        TransactWriteItems  204   204   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
