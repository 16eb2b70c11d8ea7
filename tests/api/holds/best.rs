//! `POST /api/v1/events/{eventId}/dates/{showId}/holds` for the best seats.

use futures_util::future::join_all;
use tests::prelude::*;

/// Returns an event whose first area has rows of ten seats, and whose second one has three places in one spot.
fn event(rows: u32) -> Value {
    let mut event = Sale::on_sale();
    let seat = |index: u32| {
        let (row, number) = (1 + index / 10, 1 + index % 10);
        json!({"cx": 10 * number, "cy": 10 * row, "row": row, "number": number})
    };
    event["areas"][0]["seats"] = (0..10 * rows).map(seat).collect();
    event["areas"][1]["seats"] = (1..=3).map(|number| json!({"cx": 5, "cy": 5, "row": 1, "number": number})).collect();
    event
}

struct Hall {
    sale: Sale,
    areas: Value,
}

impl Hall {
    async fn open(api: &Api, rows: u32) -> Self {
        let created = api.create(&event(rows)).await;
        let areas = created.data()["areas"].as_array().unwrap().iter().map(|area| area["id"].clone()).collect();
        Self { sale: Sale::of(&created), areas }
    }

    async fn best(&self, api: &Api, tokens: &Value, body: Value) -> Response {
        self.sale.hold_with(api, tokens, &body).await
    }
}

/// Returns the row and the numbers of the seats of a hold.
fn seats(hold: &Response) -> Vec<(u64, u64)> {
    hold.check(201, "0");
    let hold = hold.data();
    let number = |seat: &Value, name: &str| seat[name].as_u64().unwrap();
    hold["seats"].as_array().unwrap().iter().map(|seat| (number(seat, "row"), number(seat, "number"))).collect()
}

#[tokio::test]
async fn seats_are_together_in_front() {
    let api = Api::new();
    let hall = Hall::open(&api, 2).await;
    let (_, tokens) = api.joined_with_session().await;
    let held = hall.best(&api, &tokens, json!({"count": 3, "areaIds": [hall.areas[0]]})).await;
    let seats = seats(&held);
    let first = seats[0].1;
    // One of the best eight: the first row has so many, and the end of a row leaves no single seat.
    assert_eq!(seats, [(1, first), (1, first + 1), (1, first + 2)]);
    assert_eq!(held.data()["amount"], 150_000);
    assert_eq!(hall.sale.taken(&api).await, 3);
    hall.best(&api, &tokens, json!({"count": 2, "areaIds": [hall.areas[0]]})).await.check(409, "H_002");
}

#[tokio::test]
async fn first_area_with_such_seats_wins() {
    let api = Api::new();
    let hall = Hall::open(&api, 1).await;
    let block = async |seats: &[usize]| hall.sale.block(&api, seats).await.check(200, "0");
    block(&[1, 3, 5, 7, 9]).await;
    let (_, tokens) = api.joined_with_session().await;
    let (first, second) = (&hall.areas[0], &hall.areas[1]);
    let both = hall.best(&api, &tokens, json!({"count": 2, "areaIds": [first, second]})).await.expect(201, "0");
    assert_eq!(both.data()["seats"][0]["areaId"], *second);
    // Not together, they are as near as possible.
    let (_, other) = api.joined_with_session().await;
    let near = hall.best(&api, &other, json!({"count": 2, "areaIds": [first], "adjacent": false})).await;
    let numbers: Vec<_> = seats(&near).iter().map(|(_, number)| *number).collect();
    assert_eq!(numbers[1] - numbers[0], 2, "{numbers:?}");
    let none = hall.best(&api, &other, json!({"count": 2, "areaIds": [first, second]})).await;
    assert_snapshot!(none, @r#"
    409
    {"message": "선택한 구역에 조건에 맞는 빈 좌석이 없습니다. 구역이나 매수를 바꿔 다시 시도해 주세요.", "code": "H_006"}
    "#);
    hall.best(&api, &other, json!({"count": 1, "areaIds": [second]})).await.check(201, "0");
    hall.best(&api, &other, json!({"count": 1, "areaIds": [second]})).await.check(409, "H_006");
}

#[tokio::test]
async fn invalid_requests_are_rejected() {
    let api = Api::new();
    let hall = Hall::open(&api, 1).await;
    let (_, tokens) = api.joined_with_session().await;
    let area = &hall.areas[0];
    let seat = hall.sale.seat(0);
    let requests = [
        json!({"adjacent": true}),
        json!({"count": 1}),
        json!({"areaIds": [area]}),
        json!({"seatIds": [seat], "count": 1, "areaIds": [area]}),
        json!({"seatIds": [], "count": 1, "areaIds": [area]}),
        json!({"count": 0, "areaIds": [], "adjacent": "yes"}),
        json!({"count": 11, "areaIds": [area, area]}),
        json!({"count": 1.5, "areaIds": [area, "x", 1]}),
        json!({"count": 1, "areaIds": [area, sample::UNKNOWN_EVENT, seat]}),
    ];
    let found = outcomes(&requests, |body| hall.best(&api, &tokens, body.clone())).await;
    assert_snapshot!(found.replace(&seat, "[seat]").replace(area.as_str().unwrap(), "[area]"), @r#"
    0: 400 C_001 | seatIds ‘’ 필수 입력값입니다.
    1: 400 C_001 | areaIds ‘’ 필수 입력값입니다.
    2: 400 C_001 | count ‘’ 필수 입력값입니다.
    3: 400 C_001 | seatIds ‘["[id1]"]’ seatIds와 count, areaIds는 함께 보낼 수 없습니다.
    4: 400 C_001 | seatIds ‘’ seatIds와 count, areaIds는 함께 보낼 수 없습니다.
    5: 400 C_001 | count ‘0’ 1 이상 10 이하여야 합니다. | areaIds ‘’ 필수 입력값입니다. | adjacent ‘yes’ true 또는 false여야 합니다.
    6: 400 C_001 | count ‘11’ 1 이상 10 이하여야 합니다. | areaIds[1] ‘[id1]’ 앞에 입력한 값과 중복됩니다.
    7: 400 C_001 | count ‘1.5’ 정수여야 합니다. | areaIds[1] ‘x’ 이 공연에 없는 구역입니다. | areaIds[2] ‘1’ 문자열이어야 합니다.
    8: 400 C_001 | areaIds[1] ‘[id1]’ 이 공연에 없는 구역입니다. | areaIds[2] ‘[id2]’ 이 공연에 없는 구역입니다.
    "#);
    hall.best(&api, &tokens, json!({"count": 1, "areaIds": vec![area; 51]})).await.check(400, "C_001");
    assert_eq!(hall.sale.taken(&api).await, 0);
}

#[tokio::test]
async fn repetition_shows_the_first_choice() {
    let api = Api::new();
    let hall = Hall::open(&api, 2).await;
    let (_, tokens) = api.joined_with_session().await;
    let body = json!({"count": 2, "areaIds": [hall.areas[0]]});
    let hold = async || hall.sale.hold_with_key(&api, &tokens, "key", &body).await;
    let first = hold().await.expect(201, "0");
    assert_eq!(hold().await.expect(201, "0").data(), first.data());
    assert_eq!(hall.sale.taken(&api).await, 2);
}

#[tokio::test]
async fn simultaneous_buyers_fill_the_area() {
    let api = Api::new();
    let hall = Hall::open(&api, 4).await;
    let buyers = join_all((0..20).map(|_| api.joined_with_session())).await;
    let body = json!({"count": 2, "areaIds": [hall.areas[0]], "adjacent": false});
    let holds = join_all(buyers.iter().map(|(_, tokens)| hall.best(&api, tokens, body.clone()))).await;
    let mut all: Vec<_> = holds.iter().flat_map(seats).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 40, "no seat twice, and all of them");
    let (_, tokens) = api.joined_with_session().await;
    hall.best(&api, &tokens, body).await.check(409, "H_006");
}

mod in_process {
    use tests::fault::{Extent, Fault, Rule, TRANSACTION};

    use super::*;

    #[tokio::test]
    async fn best_seats_read_the_area_once_in_a_second() {
        let service = Service::start().await;
        let hall = Hall::open(&service.other, 20).await;
        let (_, tokens) = service.other.joined_with_session().await;
        let body = json!({"count": 2, "areaIds": [hall.areas[0]]});
        let held = service.effect(hall.best(&service.api, &tokens, body)).await;
        assert_eq!(held.usage.calls, ["GetItem SIGNING_KEY", "BatchGetItem", "BatchGetItem", "TransactWriteItems"]);
        let (_, tokens) = service.other.joined_with_session().await;
        let none = json!({"count": 4, "areaIds": [hall.areas[1]]});
        let rejected = service.effect(hall.best(&service.api, &tokens, none)).await;
        rejected.response.check(409, "H_006");
        assert_eq!(rejected.usage.calls, ["BatchGetItem", "BatchGetItem"]);
        service.contents().await.check();
    }

    #[tokio::test]
    async fn simultaneous_write_of_a_seat_leads_to_other_seats() {
        let service = Service::start().await;
        let hall = Hall::open(&service.other, 20).await;
        let (_, tokens) = service.other.joined_with_session().await;
        let body = json!({"count": 2, "areaIds": [hall.areas[0]]});
        // The writes before the seats are those of a fence, the holder and the hold.
        let rule = Rule::new(TRANSACTION, Extent::Tries(1), Fault::Conflict(3));
        let interrupted = service.with_rule(rule, hall.best(&service.api, &tokens, body.clone()));
        let held = service.effect(interrupted).await;
        held.response.check(201, "0");
        let reads = held.usage.calls.iter().filter(|call| *call == "BatchGetItem");
        assert_eq!(reads.count(), 4, "the area is read again");

        let rule = Rule::new(TRANSACTION, Extent::Tries(1), Fault::Conflict(0));
        service.with_rule(rule, hall.best(&service.api, &tokens, body)).await.check(201, "0");
        service.contents().await.check();
    }
}
