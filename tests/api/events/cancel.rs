//! `POST /api/v1/events/{eventId}/cancellation`

use tests::prelude::*;

#[tokio::test]
async fn shows_to_come_are_cancelled() {
    let api = Api::new();
    let mut event = Sale::on_sale();
    event["eventDatetimes"].as_array_mut().unwrap().insert(0, json!("2020-01-01T10:00:00Z"));
    let id = api.create(&event).await.expect(201, "0").id();
    let cancelled = api.cancel(&id, &json!({"notice": "태풍으로 취소되었습니다."})).await;
    assert_snapshot!(cancelled.head(), @r#"
    200
    etag: "summary-1-1"
    "#);
    let shows = cancelled.data()["eventDatetimes"].take();
    assert_eq!([0, 1, 2].map(|index| shows[index]["status"].as_str()), [None, Some("CANCELLED"), Some("CANCELLED")]);
    assert_eq!([&shows[1]["notice"], &shows[2]["notice"]], ["태풍으로 취소되었습니다."; 2]);
    let again = api.cancel(&id, &json!({"notice": "태풍으로 취소되었습니다."})).await.expect(200, "0");
    assert_eq!((again.data(), again.header("ETag")), (cancelled.data(), cancelled.header("ETag")));
    let request = api.request(Method::POST, &format!("/api/v1/events/{id}/cancellation"));
    assert_eq!(Api::send(request).await.expect(200, "0").data(), cancelled.data(), "an empty body leaves the notices");
    let without = api.cancel(&id, &json!({"notice": null})).await.expect(200, "0").data();
    assert!(without["eventDatetimes"].as_array().unwrap().iter().all(|show| show.get("notice").is_none()));
}

#[tokio::test]
async fn cancelled_event_sells_nothing() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    api.cancel(&sale.event, &json!({})).await.check(200, "0");
    sale.hold(&api, &tokens, &[1]).await.check(409, "H_003");
    sale.confirm(&api, &hold, "order-1", 50_000.0).await.check(409, "H_004");
    api.event(&sale.event).await.check(200, "0");
}

#[tokio::test]
async fn invalid_requests_are_rejected() {
    let api = Api::new();
    let id = api.created().await;
    let bodies = [json!({"notice": 1}), json!({"notice": "가".repeat(501)})];
    assert_snapshot!(outcomes(&bodies, |body| api.cancel(&id, body)).await, @"
    0: 400 C_001 | notice ‘1’ 문자열이어야 합니다.
    1: 400 C_001 | notice ‘가가가가가가가가가가… (501)’ 500자 이하여야 합니다.
    ");
    let request = api.request(Method::POST, &format!("/api/v1/events/{id}/cancellation"));
    Api::send(request.header("If-Match", "\"summary-1-1\"")).await.check(412, "E_003");
}

#[tokio::test]
async fn notices_of_many_shows_may_be_too_long() {
    let api = Api::new();
    let shows: Vec<_> = (1..=21).map(|day| format!("2100-01-{day:02}T10:00:00Z")).collect();
    let id = api.create(&sample::event_with(json!({ "eventDatetimes": shows }))).await.expect(201, "0").id();
    let cancel = async |length: usize| api.cancel(&id, &json!({"notice": "가".repeat(length)})).await;
    cancel(477).await.check(400, "C_001");
    assert!(api.event(&id).await.data()["eventDatetimes"][0].get("status").is_none());
    cancel(476).await.check(200, "0");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn cancellation_costs_one_read_and_one_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let cancel = async || service.effect(service.api.cancel(&sale.event, &json!({}))).await;
        assert_snapshot!(cancel().await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 149 write units
        ~ EVENT#[id1] EVENT {"showStatuses": ["CANCELLED", "CANCELLED"], "version": 1}
        + FENCE#[id1] FENCE {"edit": 1}
        "#);
        assert_snapshot!(cancel().await, @"
        200
        GetItem EVENT: 1 read, 0 write units
        ");
    }

    #[tokio::test]
    async fn failed_calls_change_nothing() {
        let open = async |service: &Service| Sale::open(&service.other).await;
        let cancel = async |api: &Api, sale: &Sale| api.cancel(&sale.event, &json!({"notice": "취소"})).await;
        assert_snapshot!(faults(open, cancel).await, @"
                            once  lost  fails  unknown     ends   ends after
        GetItem EVENT       200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
