//! `POST /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/cancellation`

use tests::prelude::*;

#[tokio::test]
async fn seats_of_cancelled_order_are_free() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    sale.confirm(&api, &hold, "order-1", 50_000.0).await.check(200, "0");
    let cancelled = sale.cancel(&api, &hold, "order-1").await.expect(200, "0").data();
    assert_eq!([&cancelled["status"], &cancelled["orderId"]], ["RELEASED", "order-1"]);
    assert_eq!(sale.taken(&api).await, 0);
    sale.held(&api, &[0]).await;
    sale.cancel(&api, &hold, "order-1").await.check(200, "0");
    assert_eq!(sale.taken(&api).await, 1);
    assert_eq!(sale.get(&api, &tokens, &hold).await.data()["status"], "RELEASED");
}

#[tokio::test]
async fn only_the_order_can_be_cancelled() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, hold) = sale.held(&api, &[0]).await;
    let expected = "409 H_004 처리할 수 없는 선점입니다. 선점 상태와 주문 번호, 금액을 확인해 주세요.";
    assert_eq!(sale.cancel(&api, &hold, "order-1").await.summary(), expected);
    sale.confirm(&api, &hold, "order-1", 50_000.0).await.check(200, "0");
    assert_eq!(sale.cancel(&api, &hold, "order-2").await.summary(), expected);
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn cancellation_is_one_read_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (_, hold) = sale.held(&service.other, &[63, 64]).await;
        sale.confirm(&service.other, &hold, "order-1", 100_000.0).await.check(200, "0");
        sale.cancel(&service.api, &hold, "order-2").await.check(409, "H_004");
        assert_snapshot!(service.effect(sale.cancel(&service.api, &hold, "order-1")).await, @r#"
        200
        BatchGetItem, BatchGetItem, TransactWriteItems: 3 read, 8 write units
        ~ HOLD#[id1] HOLD {"expiresAt": "[in 30 days]", "state": "RELEASED"}
        ~ HOLDER#[hash] HOLDER#[id2] {"expiresAt": "[in 30 days]", "hold [id1]": "0 held", "version": 3}
        ~ SEATS#[id2]#00 SEATS#0000 {"63": null}
        ~ SEATS#[id2]#00 SEATS#0001 {"0": null}
        "#);
        assert_snapshot!(service.effect(sale.cancel(&service.api, &hold, "order-1")).await, @"
        200
        BatchGetItem: 2 read, 0 write units
        ");
        service.check_permissions("holds-cancel");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn faults_cancel_or_leave_order() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            let (_, hold) = sale.held(&service.other, &[63, 64]).await;
            sale.confirm(&service.other, &hold, "order-1", 100_000.0).await.check(200, "0");
            (sale, hold)
        };
        let cancel = async |api: &Api, (sale, hold): &(Sale, String)| sale.cancel(api, hold, "order-1").await;
        assert_snapshot!(faults(prepare, cancel).await, @"
                            once  lost  fails  unknown     ends   ends after
        BatchGetItem        200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
