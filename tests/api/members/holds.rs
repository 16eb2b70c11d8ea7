//! `GET /api/v1/members/{memberId}/holds`

use tests::prelude::*;

fn ids(holds: &Value) -> Vec<&str> {
    holds.as_array().unwrap().iter().map(|hold| hold["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn holds_are_listed_with_their_shows() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    assert_eq!(api.own_holds(&member, &tokens).await.expect(200, "0").data(), json!([]));
    let sale = Sale::open(&api).await;
    let hold = sale.hold(&api, &tokens, &[130, 0]).await.expect(201, "0");
    let listed = api.own_holds(&member, &tokens).await.expect(200, "0");
    assert_eq!(listed.header("Cache-Control"), "no-store");
    let mut expected = hold.data();
    let event = api.event(&sale.event).await.data();
    let names = [("eventTitle", "title"), ("place", "place"), ("thumbnail", "thumbnail")];
    for (name, field) in names {
        expected[name] = event[field].clone();
    }
    expected["datetime"] = event["eventDatetimes"][0]["datetime"].clone();
    assert_eq!(listed.data(), json!([expected]));
    assert_snapshot!(listed.to_string().replace(expected["expiresAt"].as_str().unwrap(), "[time]"), @r#"
    200
    {
      "message": "예매 내역을 조회했습니다.", "code": "0",
      "data": [
        {
          "id": "[id1]", "eventId": "[id2]", "eventDatetimeId": "[id3]", "eventTitle": "봄 콘서트 [text1]",
          "place": "올림픽공원 올림픽홀", "thumbnail": "[id2].png", "datetime": "2100-01-01T10:00:00Z", "status": "HELD",
          "expiresAt": "[time]", "amount": 149000.5,
          "seats": [
            {"id": "[id4]", "areaId": "[id5]", "areaLabel": "2층 B", "price": 99000.5, "row": 1, "number": 1},
            {"id": "[id6]", "areaId": "[id7]", "areaLabel": "1층 A", "price": 50000, "row": 1, "number": 1}
          ]
        }
      ]
    }
    "#);

    api.edit_show(&sale.event, &sale.show, &json!({"status": "POSTPONED", "notice": "연기"})).await.check(200, "0");
    let postponed = api.own_holds(&member, &tokens).await.data();
    assert_eq!([&postponed[0]["showStatus"], &postponed[0]["notice"]], ["POSTPONED", "연기"]);
}

#[tokio::test]
async fn only_current_holds_of_public_events_are_listed() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let (first, second) = (Sale::open(&api).await, Sale::open(&api).await);
    let held = first.hold(&api, &tokens, &[0]).await.id();
    let sold = second.hold(&api, &tokens, &[0]).await.id();
    second.confirm(&api, &sold, "order-1", 50_000.0).await.check(200, "0");
    let released = first.hold(&api, &tokens, &[1]).await.id();
    first.release(&api, &tokens, &released).await.check(204, "0");
    let own = async || api.own_holds(&member, &tokens).await.expect(200, "0").data();
    let listed = own().await;
    let mut listed = ids(&listed);
    listed.sort_unstable();
    let mut expected = [held.as_str(), &sold];
    expected.sort_unstable();
    assert_eq!(listed, expected);

    first.release(&api, &tokens, &held).await.check(204, "0");
    // A show of long ago does not keep the event public.
    api.edit_show(&second.event, &second.show, &json!({"datetime": 0})).await.check(200, "0");
    assert_eq!(ids(&own().await), [&sold]);
    api.edit(&second.event, &json!({"published": false})).await.check(200, "0");
    assert_eq!(own().await, json!([]));
    api.edit(&second.event, &json!({"published": true})).await.check(200, "0");
    assert_eq!(ids(&own().await), [&sold]);
    api.delete(&second.event).await.check(204, "0");
    assert_eq!(own().await, json!([]));
}

#[tokio::test]
async fn cancelled_order_stays_listed() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let sale = Sale::open(&api).await;
    let hold = sale.hold(&api, &tokens, &[0]).await.id();
    sale.confirm(&api, &hold, "order-1", 50_000.0).await.check(200, "0");
    sale.cancel(&api, &hold, "order-1").await.check(200, "0");
    let listed = api.own_holds(&member, &tokens).await.expect(200, "0").data();
    assert_eq!(ids(&listed), [&hold]);
    assert_eq!([&listed[0]["status"], &listed[0]["orderId"]], ["RELEASED", "order-1"]);
    assert_eq!(listed[0]["seats"][0]["number"], 1);
    // It counts for no limit.
    sale.hold(&api, &tokens, &[0, 1, 2, 3]).await.check(201, "0");
}

#[tokio::test]
async fn nobody_else_sees_them() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let (other, _) = api.joined_with_session().await;
    api.own_holds(&other, &tokens).await.check(403, "AS_003");
    api.own_holds(&member, &json!({"accessToken": "x"})).await.check(401, "AS_002");
    api.withdraw(&member, &json!({"password": tests::sample::PASSWORD})).await.check(204, "0");
    api.own_holds(&member, &tokens).await.check(401, "AS_002");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn newest_hold_is_first() {
        let (service, clock) = Service::with_clock().await;
        let sale = Sale::open(&service.other).await;
        let (member, tokens) = service.other.joined_with_session().await;
        let mut held = Vec::new();
        for seat in 0..4 {
            held.insert(0, sale.hold(&service.api, &tokens, &[seat]).await.expect(201, "0").id());
            clock.advance(1);
        }
        assert_eq!(ids(&service.api.own_holds(&member, &tokens).await.data()), held);
    }

    #[tokio::test]
    async fn cancelled_order_is_listed_for_30_days() {
        let (service, clock) = Service::with_clock().await;
        let sale = Sale::open(&service.other).await;
        let (member, tokens) = service.other.joined_with_session().await;
        let hold = sale.hold(&service.api, &tokens, &[0]).await.expect(201, "0").id();
        sale.confirm(&service.api, &hold, "order-1", 50_000.0).await.check(200, "0");
        clock.advance(1_000);
        sale.cancel(&service.api, &hold, "order-1").await.check(200, "0");
        let days = 30 * 24 * 3_600;
        clock.advance(days - 60);
        let tokens = service.api.session(&member).await;
        assert_eq!(ids(&service.api.own_holds(&member, &tokens).await.data()), [&hold]);
        clock.advance(60);
        assert_eq!(service.api.own_holds(&member, &tokens).await.data(), json!([]));
    }

    #[tokio::test]
    async fn list_is_three_reads_and_one_for_each_hall() {
        let service = Service::start().await;
        let (member, tokens) = service.other.joined_with_session().await;
        let list = async || service.effect(service.api.own_holds(&member, &tokens)).await.usage;
        assert_snapshot!(list().await, @"GetItem SIGNING_KEY, Query, BatchGetItem: 3 read, 0 write units");
        for _ in 0..2 {
            let sale = Sale::open(&service.other).await;
            sale.hold(&service.other, &tokens, &[0]).await.check(201, "0");
        }
        assert_snapshot!(list().await, @"Query, BatchGetItem, BatchGetItem, BatchGetItem, BatchGetItem: 8 read, 0 write units");
        service.check_permissions("members-holds");
    }
}
