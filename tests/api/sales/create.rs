//! `POST /api/v1/events/{eventId}/dates/{showId}/sales`

use std::collections::HashSet;
use tests::prelude::*;

use futures_util::future::join_all;

async fn sell_with_key(api: &Api, sale: &Sale, key: &str, body: &Value) -> Response {
    let request = api.manager_request(Method::POST, &sale.path("sales")).header("Idempotency-Key", key);
    Api::send(request.json(body)).await
}

fn order(sale: &Sale, order: &str, seats: &[usize]) -> Value {
    let mut body = sale.seats(seats);
    body["orderId"] = json!(order);
    body
}

#[tokio::test]
async fn free_and_blocked_seats_are_sold() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    sale.block(&api, &[1]).await.check(200, "0");
    let sold = sale.sell(&api, "box-1", &[130, 1, 0]).await.expect(201, "0");
    assert_eq!(sold.header("Location"), sale.path(&format!("holds/{}", sold.id())));
    assert_eq!((&sold.data()["status"], &sold.data()["amount"]), (&json!("CONFIRMED"), &json!(199_000.5)));
    assert_eq!(sale.taken(&api).await, 3);
    let (_, tokens) = api.joined_with_session().await;
    sale.hold(&api, &tokens, &[1]).await.check(409, "H_001");
    sale.get(&api, &tokens, &sold.id()).await.check(404, "H_005");
    sale.confirm(&api, &sold.id(), "box-1", 199_000.5).await.check(200, "0");
    // Afterwards the seats are free, not blocked.
    sale.cancel(&api, &sold.id(), "other").await.check(409, "H_004");
    sale.cancel(&api, &sold.id(), "box-1").await.check(200, "0");
    sale.hold(&api, &tokens, &[0, 1, 130]).await.check(201, "0");
    // An order may have several sales of a show.
    sale.sell(&api, "box-1", &[2]).await.check(201, "0");
    sale.sell(&api, "box-1", &[3]).await.check(201, "0");
}

#[tokio::test]
async fn invalid_requests_are_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let seats = sale.seats(&[0])["seatIds"].clone();
    let requests = [
        json!({"orderId": " ", "seatIds": [], "amount": "1"}),
        json!({"orderId": "주문", "seatIds": [seats[0], seats[0]]}),
        json!({"orderId": "1", "seatIds": vec![sample::UNKNOWN_EVENT; 101]}),
    ];
    assert_snapshot!(outcomes(&requests, |body| sale.sell_with(&api, body)).await, @r#"
    0: 400 C_001 | orderId ‘ ’ 필수 입력값입니다. | seatIds ‘’ 필수 입력값입니다. | amount ‘1’ 숫자여야 합니다.
    1: 400 C_001 | orderId ‘주문’ 주문 번호는 공백이 없는 영문, 숫자, 기호 100자 이하여야 합니다. | seatIds[1] ‘[id1]’ 앞에 입력한 값과 중복됩니다.
    2: 400 C_001 | seatIds ‘["0196a1b2… (1000)’ 100개까지 입력할 수 있습니다.
    "#);
    let unknown = json!({"orderId": "1", "seatIds": [sample::UNKNOWN_EVENT]});
    sale.sell_with(&api, &unknown).await.check(400, "C_001");
    assert_eq!(sale.taken(&api).await, 0);
}

#[tokio::test]
async fn all_seats_or_none_are_sold() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    sale.held(&api, &[0]).await;
    sale.sell(&api, "1", &[1]).await.check(201, "0");
    assert_snapshot!(sale.sell(&api, "2", &[2, 1, 0]).await, @r#"
    409
    {
      "message": "예매할 수 없는 좌석이 있습니다. 다른 좌석을 선택해 주세요.", "code": "H_001",
      "errors": [
        {"field": "seatIds[1]", "value": "[id1]", "reason": "선택할 수 없는 좌석입니다."},
        {"field": "seatIds[2]", "value": "[id2]", "reason": "선택할 수 없는 좌석입니다."}
      ]
    }
    "#);
    // The seats come before the amount.
    let mut wrong = order(&sale, "2", &[2, 0]);
    wrong["amount"] = json!(1);
    sale.sell_with(&api, &wrong).await.check(409, "H_001");
    wrong["seatIds"] = sale.seats(&[2, 3])["seatIds"].clone();
    sale.sell_with(&api, &wrong).await.check(409, "H_004");
    assert_eq!(sale.taken(&api).await, 2);
    for amount in [json!(100_000), json!(null)] {
        wrong["amount"] = amount;
        let sold = sale.sell_with(&api, &wrong).await.expect(201, "0").id();
        sale.cancel(&api, &sold, "2").await.check(200, "0");
    }
}

#[tokio::test]
async fn seats_are_sold_before_ticketing_but_not_after_the_show() {
    let api = Api::new();
    let sale = Sale::open_with(&api, json!({"ticketingOpenTime": "2099-01-01T00:00:00Z"})).await;
    sale.sell(&api, "1", &[0]).await.check(201, "0");
    for (change, status) in [
        (json!({"status": "CANCELLED"}), 409),
        (json!({"status": "POSTPONED"}), 409),
        (json!({"status": "SCHEDULED"}), 201),
        (json!({"datetime": 0}), 409),
    ] {
        api.edit_show(&sale.event, &sale.show, &change).await.check(200, "0");
        let sold = sale.sell(&api, "2", &[1]).await;
        assert_eq!(sold.status, status, "{change}: {sold}");
        if status == 201 {
            sale.cancel(&api, &sold.id(), "2").await.check(200, "0");
        }
    }
}

#[tokio::test]
async fn repeated_sale_returns_the_first() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let body = order(&sale, "1", &[0]);
    let first = sell_with_key(&api, &sale, "key", &body).await.expect(201, "0");
    let again = sell_with_key(&api, &sale, "key", &body).await.expect(201, "0");
    assert_eq!((again.data(), again.header("Location")), (first.data(), first.header("Location")));
    sell_with_key(&api, &sale, "key", &order(&sale, "1", &[1])).await.check(422, "C_011");
    let other = Sale::open(&api).await;
    sell_with_key(&api, &other, "key", &order(&other, "1", &[1])).await.check(201, "0");
}

#[tokio::test]
async fn simultaneous_repetitions_make_one_sale() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    for seat in 0..10 {
        let (key, body) = (seat.to_string(), order(&sale, "1", &[seat]));
        let sold = join_all((0..4).map(|_| sell_with_key(&api, &sale, &key, &body))).await;
        let ids: HashSet<_> = sold.into_iter().map(|sold| sold.expect(201, "0").id()).collect();
        assert_eq!(ids.len(), 1);
    }
}

#[tokio::test]
async fn draft_is_sold_by_its_manager_only() {
    let api = Api::new();
    let sale = Sale::open_with(&api, json!({"published": false})).await;
    sale.sell(&api.by(OTHER_MANAGER), "1", &[0]).await.check(404, "E_002");
    let sold = sale.sell(&api, "1", &[0]).await.expect(201, "0").id();
    sale.cancel(&api, &sold, "1").await.check(200, "0");
}

mod in_process {
    use tests::token::{with, without};

    use super::*;

    #[tokio::test]
    async fn sale_is_two_reads_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        sale.block(&service.other, &[63]).await.check(200, "0");
        assert_snapshot!(service.effect(sale.sell(&service.api, "order-1", &[63, 64])).await, @r#"
        201
        BatchGetItem, BatchGetItem, TransactWriteItems: 7 read, 8 write units
        ~ FENCE#[id1] FENCE {"used": "[n]"}
        + HOLD#[id2] HOLD {
          "amount": 10000000, "event": "[id1]", "order": "order-1", "seats": [63, 64], "show": "[id3]",
          "state": "CONFIRMED", "until": "[in 0 minutes]"
        }
        ~ SEATS#[id3]#00 SEATS#0000 {"63": "sold"}
        + SEATS#[id3]#00 SEATS#0001 {"0": "sold"}
        "#);
        let key = async || sell_with_key(&service.api, &sale, "key", &order(&sale, "1", &[0])).await;
        assert_snapshot!(service.effect(key()).await.usage, @"BatchGetItem, BatchGetItem, TransactWriteItems: 3 read, 8 write units");
        assert_snapshot!(service.effect(key()).await.usage, @"BatchGetItem, BatchGetItem: 4 read, 0 write units");
        service.check_permissions("sales-create");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn hold_in_between_keeps_its_seats() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let hold = async { drop(sale.held(&service.other, &[0]).await) };
        service.interrupted(sale.sell(&service.api, "1", &[0, 1]), hold).await.check(409, "H_001");
        assert_eq!(sale.taken(&service.other).await, 1);
    }

    #[tokio::test]
    async fn order_services_have_keys_of_their_own() {
        let verified = VerifiedService::start().await;
        let sale = Sale::open(&verified.by(MANAGER)).await;
        let claims = with(&verified.issuer.claims("order-service-1"), "roles", "order");
        let sell = async |claims: &Value, seat: usize| {
            let api = verified.api.with_token(&verified.key.token(claims));
            sell_with_key(&api, &sale, "key", &order(&sale, "1", &[seat])).await
        };
        let first = sell(&claims, 0).await.expect(201, "0").id();
        assert_eq!(sell(&claims, 0).await.expect(201, "0").id(), first);
        sell(&claims, 1).await.check(422, "C_011");
        sell(&with(&claims, "sub", "order-service-2"), 1).await.check(201, "0");
        // A token without a subject would share its keys with all others of this kind.
        for subject in [json!(""), json!(null), json!(1)] {
            sell(&with(&claims, "sub", subject), 2).await.check(401, "AM_001");
        }
        sell(&without(&claims, "sub"), 2).await.check(401, "AM_001");
    }

    #[tokio::test]
    async fn failed_calls_sell_nothing_or_all() {
        let open = async |service: &Service| Sale::open(&service.other).await;
        let sell = async |api: &Api, sale: &Sale| sell_with_key(api, sale, "key", &order(sale, "1", &[0, 64])).await;
        assert_snapshot!(faults(open, sell).await, @"
                            once  lost  fails  unknown     ends   ends after
        BatchGetItem        201   201   S_003  S_003       S_003  S_003
        TransactWriteItems  201   201   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
