//! `POST /api/v1/events/{eventId}/dates/{showId}/holds/{holdId}/confirmation`

use tests::prelude::*;

async fn confirm_with(api: &Api, sale: &Sale, hold: &str, body: &Value) -> Response {
    api.post_as_manager(&sale.path(&format!("holds/{hold}/confirmation")), body).await
}

#[tokio::test]
async fn order_gets_the_seats() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0, 130]).await;
    let confirmed = sale.confirm(&api, &hold, "order-1", 149_000.5).await.expect(200, "0").data();
    assert_eq!((&confirmed["status"], &confirmed["amount"]), (&json!("CONFIRMED"), &json!(149_000.5)));
    // The same order again.
    sale.confirm(&api, &hold, "order-1", 149_000.5).await.check(200, "0");
    assert_eq!(sale.get(&api, &tokens, &hold).await.data()["orderId"], "order-1");
    assert_eq!(sale.taken(&api).await, 2);
}

#[tokio::test]
async fn other_order_or_amount_is_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, hold) = sale.held(&api, &[0]).await;
    let expected = "409 H_004 처리할 수 없는 선점입니다. 선점 상태와 주문 번호, 금액을 확인해 주세요.";
    for amount in ["49999.99", "50000.001", "-50000", "1e400"] {
        let body = format!(r#"{{"orderId": "order-1", "amount": {amount}}}"#);
        let path = sale.path(&format!("holds/{hold}/confirmation"));
        let request = api.request(reqwest::Method::POST, &path).header("x-api-managerId", sample::MANAGER);
        let response = Api::send(request.header("Content-Type", "application/json").body(body)).await;
        assert_eq!(response.summary(), expected, "{amount}");
    }
    confirm_with(&api, &sale, &hold, &json!({"orderId": "order-1", "amount": 5e4})).await.check(200, "0");
    assert_eq!(sale.confirm(&api, &hold, "order-2", 50_000.0).await.summary(), expected);
    assert_eq!(sale.confirm(&api, &hold, "order-1", 50_001.0).await.summary(), expected);
    sale.cancel(&api, &hold, "order-1").await.check(200, "0");
    assert_eq!(sale.confirm(&api, &hold, "order-1", 50_000.0).await.summary(), expected);
}

#[tokio::test]
async fn invalid_fields_are_reported() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, hold) = sale.held(&api, &[0]).await;
    let bodies =
        [json!({}), json!({"orderId": 1, "amount": "50000"}), json!({"orderId": "a".repeat(101), "amount": 50_000})];
    assert_snapshot!(outcomes(&bodies, |body| confirm_with(&api, &sale, &hold, body)).await, @"
    0: 400 C_001 | orderId ‘’ 필수 입력값입니다. | amount ‘’ 필수 입력값입니다.
    1: 400 C_001 | orderId ‘1’ 문자열이어야 합니다. | amount ‘50000’ 숫자여야 합니다.
    2: 400 C_001 | orderId ‘aaaaaaaaaa… (101)’ 주문 번호는 공백이 없는 영문, 숫자, 기호 100자 이하여야 합니다.
    ");
    let order = "!".repeat(100);
    sale.confirm(&api, &hold, &order, 50_000.0).await.check(200, "0");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn confirmation_is_one_read_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (_, hold) = sale.held(&service.other, &[63, 64]).await;
        let (_, second) = sale.held(&service.other, &[0]).await;
        sale.confirm(&service.api, &second, "order-1", 50_000.0).await.check(200, "0");
        let confirm = || sale.confirm(&service.api, &hold, "order-2", 100_000.0);
        assert_snapshot!(service.effect(confirm()).await, @r#"
        200
        BatchGetItem, TransactWriteItems: 2 read, 10 write units
        ~ FENCE#[id1] FENCE {"used": "[n]"}
        ~ HOLD#[id2] HOLD {"expiresAt": null, "order": "order-2", "state": "CONFIRMED"}
        ~ HOLDER#[hash] HOLDER#[id3] {"expiresAt": null, "hold [id2]": "2 sold", "version": 2}
        ~ SEATS#[id3]#00 SEATS#0000 {"63": "sold"}
        ~ SEATS#[id3]#00 SEATS#0001 {"0": "sold"}
        "#);
        assert_snapshot!(service.effect(confirm()).await, @"
        200
        BatchGetItem: 2 read, 0 write units
        ");
        service.check_permissions("holds-confirm");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn expired_hold_is_confirmed_if_its_seats_are_free() {
        let (service, clock) = Service::with_clock().await;
        let (api, sale) = (&service.api, Sale::open(&service.other).await);
        let (tokens, hold) = sale.held(api, &[0, 1, 2, 3]).await;
        let (_, lost) = sale.held(api, &[10, 11]).await;
        clock.advance(601);
        // Meanwhile the member holds as many others, and another member one of the second hold.
        sale.hold(api, &tokens, &[4, 5, 6, 7]).await.check(201, "0");
        sale.held(api, &[11]).await;
        sale.confirm(api, &hold, "order-1", 200_000.0).await.check(200, "0");
        sale.confirm(api, &lost, "order-2", 100_000.0).await.check(409, "H_004");
        assert_eq!(sale.taken(api).await, 9);
        sale.hold(api, &tokens, &[8]).await.check(409, "H_002");
        clock.advance(100 * 24 * 60 * 60);
        assert_eq!(sale.taken(api).await, 4);
        assert_eq!(sale.get(api, &tokens, &hold).await.data()["status"], "CONFIRMED");
    }

    #[tokio::test]
    async fn confirmation_after_deletion_finds_no_event() {
        let (service, clock) = Service::with_clock().await;
        let sale = Sale::open(&service.other).await;
        let (_, hold) = sale.held(&service.other, &[0]).await;
        clock.advance(601);
        let delete = async { service.other.delete(&sale.event).await.check(204, "0") };
        let confirm = sale.confirm(&service.api, &hold, "order-1", 50_000.0);
        service.interrupted(confirm, delete).await.check(404, "E_002");
    }

    #[tokio::test]
    async fn overtaken_confirmation_sees_release() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (tokens, hold) = sale.held(&service.other, &[0]).await;
        let release = async { sale.release(&service.other, &tokens, &hold).await.check(204, "0") };
        let confirm = sale.confirm(&service.api, &hold, "order-1", 50_000.0);
        service.interrupted(confirm, release).await.check(409, "H_004");
        assert_eq!(sale.taken(&service.api).await, 0);
        service.contents().await.check();
    }

    #[tokio::test]
    async fn owner_and_order_services_may_confirm() {
        let verified = VerifiedService::start().await;
        let sale = Sale::open(&verified.by(MANAGER)).await;
        let (_, hold) = sale.held(&verified.api, &[0]).await;
        let confirm = async |api: &Api| sale.confirm(api, &hold, "order-1", 50_000.0).await;
        confirm(&verified.api).await.check(401, "AM_001");
        confirm(&verified.by(OTHER_MANAGER)).await.check(403, "AM_002");
        confirm(&verified.with_roles(OTHER_MANAGER, &["orders"])).await.check(403, "AM_002");
        // Any subject, and both roles.
        let order_service = verified.with_roles("order-service-1", &["order"]);
        confirm(&order_service).await.check(200, "0");
        confirm(&verified.with_roles(OTHER_MANAGER, &["manager", "order"])).await.check(200, "0");
        confirm(&verified.by(MANAGER)).await.check(200, "0");
        // An order service is no manager.
        order_service.delete(&sale.event).await.check(403, "AM_002");
    }

    #[tokio::test]
    async fn faults_confirm_all_seats_or_none() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            let (_, hold) = sale.held(&service.other, &[63, 64]).await;
            (sale, hold)
        };
        let confirm =
            async |api: &Api, (sale, hold): &(Sale, String)| sale.confirm(api, hold, "order-1", 100_000.0).await;
        assert_snapshot!(faults(prepare, confirm).await, @"
                            once  lost  fails  unknown     ends   ends after
        BatchGetItem        200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
