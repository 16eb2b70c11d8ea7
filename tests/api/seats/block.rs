//! `POST /api/v1/events/{eventId}/dates/{showId}/blocks`, and the same path with `/removal`

use local::layouts;
use tests::prelude::*;

#[tokio::test]
async fn blocked_seats_cannot_be_held() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    assert_snapshot!(sale.block(&api, &[0, 1, 132]).await, @r#"
    200
    {"message": "좌석 판매를 막았습니다.", "code": "0", "data": {"blocked": 3}}
    "#);
    // Those that are blocked already stay blocked.
    sale.block(&api, &[1, 2]).await.check(200, "0");
    let (_, tokens) = api.joined_with_session().await;
    sale.hold(&api, &tokens, &[1]).await.check(409, "H_001");
    assert_eq!(sale.taken(&api).await, 4);
    assert_snapshot!(sale.unblock(&api, &[1, 2, 3]).await, @r#"
    200
    {"message": "막아 둔 좌석의 판매를 다시 열었습니다.", "code": "0", "data": {"free": 2}}
    "#);
    assert_eq!(sale.taken(&api).await, 2);
    sale.hold(&api, &tokens, &[1]).await.check(201, "0");
}

#[tokio::test]
async fn held_and_sold_seats_are_not_blocked() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    sale.held(&api, &[1]).await;
    let (_, hold) = sale.held(&api, &[100]).await;
    sale.confirm(&api, &hold, "order-1", 50_000.0).await.check(200, "0");
    assert_snapshot!(sale.block(&api, &[0, 1, 100]).await, @r#"
    409
    {
      "message": "예매할 수 없는 좌석이 있습니다. 다른 좌석을 선택해 주세요.", "code": "H_001",
      "errors": [
        {"field": "seatIds[1]", "value": "[id1]", "reason": "선택할 수 없는 좌석입니다."},
        {"field": "seatIds[2]", "value": "[id2]", "reason": "선택할 수 없는 좌석입니다."}
      ]
    }
    "#);
    assert_eq!(sale.unblock(&api, &[0, 1, 100]).await.data()["free"], 0);
    assert_eq!(sale.taken(&api).await, 2);
}

#[tokio::test]
async fn blocks_before_ticketing_and_up_to_500_seats() {
    let api = Api::new();
    let mut event = sample::with(Sale::on_sale(), json!({"ticketingOpenTime": "2099-01-01T00:00:00Z"}));
    let seat = |number: u32| json!({"cx": number, "cy": 10, "row": 1, "number": number});
    event["areas"][0]["seats"] = (1..=501).map(seat).collect();
    let sale = Sale::of(&api.create(&event).await);
    let all: Vec<_> = (0..501).collect();
    sale.block(&api, &all).await.check(400, "C_001");
    assert_eq!(sale.block(&api, &all[..500]).await.data()["blocked"], 500);
    assert_eq!(sale.unblock(&api, &all[1..]).await.data()["free"], 499);
}

#[tokio::test]
async fn unknown_seat_is_named() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    for response in [sale.block(&api, &[0, 133]).await, sale.unblock(&api, &[0, 133]).await] {
        response.check(400, "C_001");
        assert_eq!(response.errors(), [["seatIds[1]".to_owned(), sale.seat(133)]]);
    }
}

#[tokio::test]
async fn scattered_seats_are_blocked_by_area() {
    let api = Api::new();
    let sale = Sale::open_in(&api, &layouts::arena()).await;
    let scattered: Vec<_> = (0..99).map(|item| item * 64).collect();
    let response = sale.block(&api, &scattered).await;
    response.check(400, "C_001");
    let [[field, value]] = response.errors().try_into().unwrap();
    assert_eq!((field.as_str(), value.chars().count()), ("seatIds", 1_000));
    assert_eq!(sale.taken(&api).await, 0);
    assert_eq!(sale.block(&api, &scattered[..98]).await.data()["blocked"], 98);
    assert_eq!(sale.block(&api, &scattered[98..]).await.data()["blocked"], 1);
    assert_eq!(sale.unblock(&api, &scattered).await.data()["free"], 99);
}

#[tokio::test]
async fn racing_blocks_leave_only_acknowledged_ones() {
    let api = Api::new();
    let sale = Sale::open_in(&api, &layouts::arena()).await;
    let scattered: Vec<_> = (0..98).map(|item| item * 64).collect();
    let ends = [0, 97 * 64];
    for _ in 0..4 {
        let (_, tokens) = api.joined_with_session().await;
        let (one, two, hold, ends_freed) = tokio::join!(
            sale.block(&api, &scattered),
            sale.block(&api, &scattered),
            sale.hold(&api, &tokens, &[50 * 64]),
            sale.unblock(&api, &ends),
        );
        let blocks = [&one, &two].map(|block| block.status);
        // A hold keeps both blocks away; without one, all seats are blocked, but those that were freed since.
        let taken = if hold.status == 201 {
            assert_eq!(blocks, [409, 409]);
            1
        } else {
            assert!(blocks.contains(&200));
            98
        };
        let freed = ends_freed.expect(200, "0").data()["free"].as_u64().unwrap();
        let now = sale.taken(&api).await;
        assert!(now == taken || taken == 98 && now == 98 - freed, "{now} taken, {freed} freed, {blocks:?}");
        sale.unblock(&api, &scattered).await.check(200, "0");
        if hold.status == 201 {
            sale.release(&api, &tokens, &hold.id()).await.check(204, "0");
        }
        assert_eq!(sale.taken(&api).await, 0);
    }
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn block_is_two_reads_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        assert_snapshot!(service.effect(sale.block(&service.api, &[63, 64])).await, @r#"
        200
        BatchGetItem, BatchGetItem, TransactWriteItems: 7 read, 6 write units
        ~ FENCE#[id1] FENCE {"used": "[n]"}
        + SEATS#[id2]#00 SEATS#0000 {"63": "blocked"}
        + SEATS#[id2]#00 SEATS#0001 {"0": "blocked"}
        "#);
        assert_snapshot!(service.effect(sale.block(&service.api, &[63, 64])).await, @r#"
        200
        BatchGetItem, BatchGetItem, TransactWriteItems: 3 read, 6 write units
        ~ FENCE#[id1] FENCE {"used": "[n]"}
        "#);
        assert_snapshot!(service.effect(sale.unblock(&service.api, &[64, 65])).await, @r#"
        200
        BatchGetItem, BatchGetItem, TransactWriteItems: 6 read, 2 write units
        ~ SEATS#[id1]#00 SEATS#0001 {"0": null}
        "#);
    }

    #[tokio::test]
    async fn seats_of_many_items_are_blocked_together_or_not() {
        let service = Service::start().await;
        let sale = Sale::open_in(&service.other, &layouts::main_stadium()).await;
        let scattered: Vec<_> = (0..500).map(|row| row * 13).collect();
        let (tokens, hold) = sale.held(&service.other, &[400 * 13]).await;
        sale.block(&service.api, &scattered[..470]).await.check(409, "H_001");
        assert_eq!(sale.taken(&service.api).await, 1);
        // A seat is taken while the others are being blocked.
        sale.release(&service.other, &tokens, &hold).await.check(204, "0");
        let hold = async { drop(sale.held(&service.other, &[400 * 13]).await) };
        service.interrupted(sale.block(&service.api, &scattered[..470]), hold).await.check(409, "H_001");
        assert_eq!(sale.taken(&service.api).await, 1);
        assert_eq!(sale.block(&service.api, &scattered[..400]).await.data()["blocked"], 400);
        assert_eq!(sale.unblock(&service.api, &scattered).await.data()["free"], 400);
    }

    #[tokio::test]
    async fn faults_block_all_seats_or_none() {
        let prepare = async |service: &Service| Sale::open(&service.other).await;
        let block = async |api: &Api, sale: &Sale| sale.block(api, &[63, 64]).await;
        assert_snapshot!(faults(prepare, block).await, @"
                            once  lost  fails  unknown     ends   ends after
        BatchGetItem        200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
