//! `POST /api/v1/events/{eventId}/dates/{showId}/holds`

use tests::prelude::*;

#[tokio::test]
async fn seats_are_held_in_order_sent() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    let response = sale.hold(&api, &tokens, &[131, 0]).await;
    let time = response.data()["expiresAt"].as_str().unwrap().to_owned();
    assert_snapshot!(response.to_string().replace(&time, "[time]"), @r#"
    201
    location: /api/v1/events/[id1]/dates/[id2]/holds/[id3]
    {
      "message": "좌석을 선점했습니다.", "code": "0",
      "data": {
        "id": "[id3]", "eventId": "[id1]", "eventDatetimeId": "[id2]", "status": "HELD",
        "expiresAt": "[time]", "amount": 149000.5,
        "seats": [
          {"id": "[id4]", "areaId": "[id5]", "areaLabel": "2층 B", "price": 99000.5, "row": 1, "number": 2},
          {"id": "[id6]", "areaId": "[id7]", "areaLabel": "1층 A", "price": 50000, "row": 1, "number": 1}
        ]
      }
    }
    "#);
    let hold = response.id();
    assert_eq!(response.header("Location"), sale.path(&format!("holds/{hold}")));
    assert_eq!(response.header("Cache-Control"), "no-store");
    assert_eq!(sale.taken(&api).await, 2);
}

#[tokio::test]
async fn invalid_fields_are_reported() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    let seat = sale.seat(0);
    let bodies = [
        json!({"seatIds": []}),
        json!({"seatIds": seat}),
        json!({"seatIds": vec![1; 11]}),
        json!({"seatIds": [seat, 1]}),
        json!({"seatIds": ["A-1", seat]}),
        json!({"seatIds": [seat, seat.to_uppercase()]}),
        json!({"seatIds": [seat, sale.seat(133), sample::UNKNOWN_EVENT]}),
    ];
    assert_snapshot!(outcomes(&bodies, |body| sale.hold_with(&api, &tokens, body)).await, @"
    0: 400 C_001 | seatIds ‘’ 필수 입력값입니다.
    1: 400 C_001 | seatIds ‘[id1]’ 배열이어야 합니다.
    2: 400 C_001 | seatIds ‘[1,1,1,1,1,1,1,1,1,1,1]’ 10개까지 입력할 수 있습니다.
    3: 400 C_001 | seatIds[1] ‘1’ 문자열이어야 합니다.
    4: 400 C_001 | seatIds[0] ‘A-1’ 이 공연에 없는 좌석입니다.
    5: 400 C_001 | seatIds[1] ‘[id1]’ 앞에 입력한 값과 중복됩니다.
    6: 400 C_001 | seatIds[1] ‘[id1]’ 이 공연에 없는 좌석입니다. | seatIds[2] ‘[id2]’ 이 공연에 없는 좌석입니다.
    ");
    let response = sale.hold_with(&api, &tokens, &json!({"seatIds": [sale.seat(0), sale.seat(133)]})).await;
    assert_eq!(response.errors(), [["seatIds[1]".to_owned(), sale.seat(133)]]);
    assert_eq!(sale.taken(&api).await, 0);
}

#[tokio::test]
async fn taken_seats_are_named_and_nothing_is_held() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, _) = sale.held(&api, &[1, 64]).await;
    sale.block(&api, &[3]).await.check(200, "0");
    let (_, other) = api.joined_with_session().await;
    assert_snapshot!(sale.hold(&api, &other, &[0, 64, 2, 3]).await, @r#"
    409
    {
      "message": "예매할 수 없는 좌석이 있습니다. 다른 좌석을 선택해 주세요.", "code": "H_001",
      "errors": [
        {"field": "seatIds[1]", "value": "[id1]", "reason": "선택할 수 없는 좌석입니다."},
        {"field": "seatIds[3]", "value": "[id2]", "reason": "선택할 수 없는 좌석입니다."}
      ]
    }
    "#);
    // Also for the member who has it.
    sale.hold(&api, &tokens, &[1]).await.check(409, "H_001");
    assert_eq!(sale.taken(&api).await, 3);
    sale.hold(&api, &other, &[0, 2]).await.check(201, "0");
}

#[tokio::test]
async fn shows_have_own_seats() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let second = api.event(&sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().to_owned();
    let second = Sale { show: second, ..sale.clone() };
    sale.held(&api, &[0]).await;
    second.held(&api, &[0]).await;
    assert_eq!((sale.taken(&api).await, second.taken(&api).await), (1, 1));
}

#[tokio::test]
async fn own_seat_is_named_as_own() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, sold) = sale.held(&api, &[0]).await;
    sale.confirm(&api, &sold, "order-1", 50_000.0).await.check(200, "0");
    sale.hold(&api, &tokens, &[1]).await.check(201, "0");
    let (other, _) = sale.held(&api, &[2]).await;
    let reasons = async |tokens: &Value, seats: &[usize]| {
        let taken = sale.hold(&api, tokens, seats).await.expect(409, "H_001").json();
        let errors = taken["errors"].as_array().unwrap().iter();
        errors.map(|error| format!("{} {}", error["field"], error["reason"])).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(reasons(&tokens, &[2, 1]).await, @r#"
    "seatIds[0]" "선택할 수 없는 좌석입니다."
    "seatIds[1]" "이미 선점하거나 예매한 좌석입니다."
    "#);
    assert_snapshot!(reasons(&tokens, &[0, 3]).await, @r#""seatIds[0]" "이미 선점하거나 예매한 좌석입니다.""#);
    assert_snapshot!(reasons(&other, &[0, 1]).await, @r#"
    "seatIds[0]" "선택할 수 없는 좌석입니다."
    "seatIds[1]" "선택할 수 없는 좌석입니다."
    "#);
}

#[tokio::test]
async fn limit_precedes_taken_seats() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    sale.held(&api, &[0]).await;
    sale.hold(&api, &tokens, &[0, 1, 2, 3, 4]).await.check(409, "H_002");
}

#[tokio::test]
async fn repeated_key_returns_hold() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    let first = sale.hold_with_key(&api, &tokens, "one", &sale.seats(&[0, 1])).await.expect(201, "0");
    let again = sale.hold_with_key(&api, &tokens, "one", &sale.seats(&[0, 1])).await;
    assert_eq!((again.status, again.json()), (201, first.json()));
    assert_eq!(again.header("Location"), first.header("Location"));
    sale.release(&api, &tokens, &first.id()).await.check(204, "0");
    let released = sale.hold_with_key(&api, &tokens, "one", &sale.seats(&[0, 1])).await.expect(201, "0").data();
    assert_eq!(released["status"], "RELEASED");
}

#[tokio::test]
async fn key_with_other_seats_is_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    sale.hold_with_key(&api, &tokens, "one", &sale.seats(&[0, 1])).await.check(201, "0");
    sale.hold_with_key(&api, &tokens, "one", &sale.seats(&[1, 0])).await.check(422, "C_011");
    // Another member has keys of their own.
    let (_, other) = api.joined_with_session().await;
    sale.hold_with_key(&api, &other, "one", &sale.seats(&[2])).await.check(201, "0");
}

#[tokio::test]
async fn failed_hold_leaves_key_free() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    sale.held(&api, &[0]).await;
    sale.hold_with_key(&api, &tokens, "one", &sale.seats(&[0])).await.check(409, "H_001");
    sale.hold_with_key(&api, &tokens, "one", &sale.seats(&[2])).await.check(201, "0");
}

#[tokio::test]
async fn key_with_space_is_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    sale.hold_with_key(&api, &tokens, "a b", &sale.seats(&[3])).await.check(400, "C_003");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn hold_is_two_calls_and_at_most_16_units() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (_, tokens) = service.other.joined_with_session().await;
        // The first request reads the public key and the hall.
        assert_snapshot!(service.effect(sale.hold(&service.api, &tokens, &[0])).await, @r#"
        201
        GetItem SIGNING_KEY, BatchGetItem, TransactWriteItems: 8 read, 8 write units
        ~ FENCE#[id1] FENCE {"used": "[n]"}
        + HOLD#[id2] HOLD {
          "amount": 5000000, "event": "[id1]", "expiresAt": "[in 43210 minutes]", "member": "[id3]", "seats": [0],
          "show": "[id4]", "state": "HELD", "until": "[in 10 minutes]"
        }
        + HOLDER#[hash] HOLDER#[id4] {
          "expiresAt": "[in 43210 minutes]", "hold [id2]": "1 held", "recentCount": 1, "recentSince": "[now]",
          "version": 1
        }
        + SEATS#[id4]#00 SEATS#0000 {"0": "held [in 10 minutes]"}
        "#);
        // Four neighbouring seats in two items, of a member with a key.
        let (_, tokens) = service.other.joined_with_session().await;
        let seats = sale.seats(&[62, 63, 64, 65]);
        let hold = sale.hold_with_key(&service.api, &tokens, "key", &seats);
        assert_snapshot!(service.effect(hold).await, @r#"
        201
        BatchGetItem, TransactWriteItems: 4 read, 12 write units
        ~ FENCE#[id1] FENCE {"used": "[n]"}
        + HOLD#[id2] HOLD {
          "amount": 20000000, "event": "[id1]", "expiresAt": "[in 43210 minutes]", "member": "[id3]",
          "seats": [62, 63, 64, 65], "show": "[id4]", "state": "HELD", "until": "[in 10 minutes]"
        }
        + HOLDER#[hash] HOLDER#[id4] {
          "expiresAt": "[in 43210 minutes]", "hold [id2]": "4 held", "recentCount": 1, "recentSince": "[now]",
          "version": 1
        }
        + IDEMPOTENCY#[id3]#[id4]#key HOLD_KEY {"expiresAt": "[in 1 days]", "fingerprint": "[hash]", "made": "[id2]"}
        ~ SEATS#[id4]#00 SEATS#0000 {"62": "held [in 10 minutes]", "63": "held [in 10 minutes]"}
        + SEATS#[id4]#00 SEATS#0001 {"0": "held [in 10 minutes]", "1": "held [in 10 minutes]"}
        "#);
        assert_snapshot!(service.effect(sale.hold(&service.api, &tokens, &[0])).await, @"
        409 H_002 한 회차에 4석까지만 예매할 수 있습니다.
        BatchGetItem: 3 read, 0 write units
        ");
        let (_, other) = service.other.joined_with_session().await;
        assert_snapshot!(service.effect(sale.hold(&service.api, &other, &[0])).await, @"
        409 H_001 | seatIds[0] ‘[id1]’ 선택할 수 없는 좌석입니다.
        BatchGetItem, TransactWriteItems, BatchGetItem: 4 read, 0 write units
        ");
        service.check_permissions("holds-create");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn simultaneous_holds_never_share_a_seat() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let mut requests = tokio::task::JoinSet::new();
        for first in 0..20 {
            let (api, sale) = (service.api.clone(), sale.clone());
            let (_, tokens) = api.joined_with_session().await;
            requests.spawn(async move { sale.hold(&api, &tokens, &[first % 5, first % 5 + 1]).await });
        }
        let mut held = 0;
        while let Some(response) = requests.join_next().await {
            let response = response.unwrap();
            assert!([201, 409].contains(&response.status), "{response}");
            held += u64::from(response.status == 201) * 2;
        }
        assert_eq!(sale.taken(&service.api).await, held);
        service.contents().await.check();
    }

    #[tokio::test]
    async fn seat_taken_meanwhile_is_named() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (_, tokens) = service.other.joined_with_session().await;
        let action = async { drop(sale.held(&service.other, &[1]).await) };
        let response = service.interrupted(sale.hold(&service.api, &tokens, &[0, 1]), action).await;
        response.check(409, "H_001");
        assert_eq!(response.errors(), [["seatIds[1]".to_owned(), sale.seat(1)]]);
        service.contents().await.check();
    }

    #[tokio::test]
    async fn own_hold_meanwhile_counts_for_limit() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (_, tokens) = service.other.joined_with_session().await;
        let action = async { sale.hold(&service.other, &tokens, &[2, 3, 4]).await.check(201, "0") };
        service.interrupted(sale.hold(&service.api, &tokens, &[5, 6]), action).await.check(409, "H_002");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn event_deleted_or_show_removed_meanwhile_is_not_found() {
        let service = Service::start().await;
        let (_, tokens) = service.other.joined_with_session().await;
        let deleted = Sale::open(&service.other).await;
        let action = async { service.other.delete(&deleted.event).await.check(204, "0") };
        service.interrupted(deleted.hold(&service.api, &tokens, &[0]), action).await.check(404, "E_002");
        let moved = Sale::open(&service.other).await;
        let edit = json!({"eventDatetimes": ["2100-01-02T10:00:00Z"]});
        let action = async { service.other.edit(&moved.event, &edit).await.check(200, "0") };
        service.interrupted(moved.hold(&service.api, &tokens, &[0]), action).await.check(404, "E_002");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn faults_hold_all_seats_or_none() {
        let prepare = async |service: &Service| {
            let sale = Sale::open(&service.other).await;
            let (_, tokens) = service.other.joined_with_session().await;
            (sale, tokens)
        };
        let hold = async |api: &Api, (sale, tokens): &(Sale, Value)| {
            sale.hold_with_key(api, tokens, "key", &sale.seats(&[63, 64])).await
        };
        assert_snapshot!(faults(prepare, hold).await, @"
                             once  lost  fails  unknown  ends   ends after
        GetItem SIGNING_KEY  201   201   201    201      S_003  S_003
        BatchGetItem         201   201   S_003  S_003    S_003  S_003
        TransactWriteItems   201   201   S_003  201      S_003  201
        ");
    }
}
