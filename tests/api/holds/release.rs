//! `DELETE /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}`

use tests::prelude::*;

#[tokio::test]
async fn released_seats_are_free_at_once() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0, 1]).await;
    assert_snapshot!(sale.release(&api, &tokens, &hold).await, @"204");
    sale.release(&api, &tokens, &hold).await.check(204, "0");
    assert_eq!(sale.get(&api, &tokens, &hold).await.data()["status"], "RELEASED");
    assert_eq!(sale.taken(&api).await, 0);
    // A later hold of the seat stays.
    sale.held(&api, &[0]).await;
    sale.release(&api, &tokens, &hold).await.check(204, "0");
    assert_eq!(sale.taken(&api).await, 1);
}

#[tokio::test]
async fn confirmed_hold_is_not_released() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    sale.confirm(&api, &hold, "order-1", 50_000.0).await.check(200, "0");
    assert_snapshot!(sale.release(&api, &tokens, &hold).await, @r#"
    409
    {"message": "처리할 수 없는 선점입니다. 선점 상태와 주문 번호, 금액을 확인해 주세요.", "code": "H_004"}
    "#);
    assert_eq!(sale.taken(&api).await, 1);
    sale.cancel(&api, &hold, "order-1").await.check(200, "0");
    sale.release(&api, &tokens, &hold).await.check(204, "0");
}

#[tokio::test]
async fn other_holds_are_unknown() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, hold) = sale.held(&api, &[0]).await;
    let (_, other) = api.joined_with_session().await;
    sale.release(&api, &other, &hold).await.check(404, "H_005");
    assert_eq!(sale.taken(&api).await, 1);
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn release_is_one_read_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (tokens, hold) = sale.held(&service.other, &[63, 64]).await;
        assert_snapshot!(service.effect(sale.release(&service.api, &tokens, &hold)).await, @r#"
        204
        GetItem SIGNING_KEY, BatchGetItem, TransactWriteItems: 8 read, 8 write units
        ~ HOLD#[id1] HOLD {"expiresAt": "[in 30 days]", "state": "RELEASED"}
        ~ HOLDER#[hash] HOLDER#[id2] {"hold [id1]": null, "version": 2}
        ~ SEATS#[id2]#00 SEATS#0000 {"63": null}
        ~ SEATS#[id2]#00 SEATS#0001 {"0": null}
        "#);
        assert_snapshot!(service.effect(sale.release(&service.api, &tokens, &hold)).await, @"
        204
        BatchGetItem: 3 read, 0 write units
        ");
        service.check_permissions("holds-release");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn expired_hold_stays_expired() {
        let (service, clock) = Service::with_clock().await;
        let (api, sale) = (&service.api, Sale::open(&service.other).await);
        let (tokens, hold) = sale.held(api, &[0]).await;
        clock.advance(601);
        sale.held(api, &[0]).await;
        sale.release(api, &tokens, &hold).await.check(204, "0");
        assert_eq!(sale.get(api, &tokens, &hold).await.data()["status"], "EXPIRED");
        assert_eq!(sale.taken(api).await, 1);
    }

    #[tokio::test]
    async fn overtaken_release_leaves_order() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (tokens, hold) = sale.held(&service.other, &[0]).await;
        let confirm = async { sale.confirm(&service.other, &hold, "order-1", 50_000.0).await.check(200, "0") };
        service.interrupted(sale.release(&service.api, &tokens, &hold), confirm).await.check(409, "H_004");
        assert_eq!(sale.taken(&service.api).await, 1);
        service.contents().await.check();
    }

    #[tokio::test]
    async fn faults_release_or_leave_hold() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            let (tokens, hold) = sale.held(&service.other, &[63, 64]).await;
            (sale, tokens, hold)
        };
        let release =
            async |api: &Api, (sale, tokens, hold): &(Sale, Value, String)| sale.release(api, tokens, hold).await;
        assert_snapshot!(faults(prepare, release).await, @"
                             once  lost  fails  unknown     ends   ends after
        GetItem SIGNING_KEY  204   204   204    204         S_003  S_003
        BatchGetItem         204   204   S_003  S_003       S_003  S_003
        TransactWriteItems   204   204   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
