//! `POST /api/v1/events/{eventId}/dates/{showId}/admissions/removal`

use tests::prelude::*;

#[tokio::test]
async fn removed_admission_can_be_repeated() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let [gate, other] = [sale.gate(&api, "남문").await, sale.gate(&api, "북문").await];
    let hold = sale.sold(&api, &[0, 1]).await;
    let code = sale.tickets(&api, &hold).await.data()[0]["code"].as_str().unwrap().to_owned();
    let remove = async |gate: &Value, seat: usize| {
        let response = sale.remove_admission(&api, gate, seat).await.expect(200, "0");
        assert_eq!(response.header("Cache-Control"), "no-store");
        response.data()
    };
    let [yes, no] = [true, false].map(|removed| json!({ "removed": removed }));
    for seat in [0, 1, 2] {
        assert_eq!(remove(&gate, seat).await, no, "not admitted, or not sold");
    }
    assert_eq!(sale.scanned(&api, &gate, &code).await, "ADMITTED");
    assert_eq!(
        (remove(&gate, 1).await, remove(&other, 0).await, remove(&gate, 0).await),
        (no.clone(), yes.clone(), no.clone())
    );
    assert_eq!(sale.scanned(&api, &other, &code).await, "ADMITTED");
    // Also while the show is off, and a seat that is sold to nobody has no admission.
    api.edit_show(&sale.event, &sale.show, &json!({"status": "POSTPONED"})).await.check(200, "0");
    assert_eq!(remove(&gate, 0).await, yes);
    api.edit_show(&sale.event, &sale.show, &json!({"status": "SCHEDULED"})).await.check(200, "0");
    assert_eq!(sale.scanned(&api, &other, &code).await, "ADMITTED");
    sale.cancel(&api, &hold, "box-1").await.check(200, "0");
    assert_eq!(remove(&gate, 0).await, no);
}

#[tokio::test]
async fn malformed_and_unknown_seats_are_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let gate = sale.gate(&api, "남문").await;
    let other = Sale::open(&api).await.seat(0);
    let bodies = [
        json!({}),
        json!({"seatId": null}),
        json!({"seatId": 1}),
        json!({"seatId": ""}),
        json!({"seatId": "x"}),
        json!({"seatId": sample::UNKNOWN_EVENT}),
        json!({"seatId": sale.seat(133)}),
        json!({"seatId": other}),
    ];
    let remove = |body| sale.post_at(&api, &gate, "admissions/removal", body);
    assert_snapshot!(outcomes(&bodies, remove).await, @"
    0: 400 C_001 | seatId ‘’ 필수 입력값입니다.
    1: 400 C_001 | seatId ‘’ 필수 입력값입니다.
    2: 400 C_001 | seatId ‘1’ 문자열이어야 합니다.
    3: 400 C_001 | seatId ‘’ 필수 입력값입니다.
    4: 400 C_001 | seatId ‘x’ 이 공연에 없는 좌석입니다.
    5: 400 C_001 | seatId ‘[id1]’ 이 공연에 없는 좌석입니다.
    6: 400 C_001 | seatId ‘[id1]’ 이 공연에 없는 좌석입니다.
    7: 400 C_001 | seatId ‘[id1]’ 이 공연에 없는 좌석입니다.
    ");
}
