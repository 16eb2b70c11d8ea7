//! `GET /api/v1/events/{eventId}/dates/{showId}/summary`

use tests::prelude::*;

#[tokio::test]
async fn seats_are_counted_by_state() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    sale.held(&api, &[0]).await;
    let (_, hold) = sale.held(&api, &[1, 131]).await;
    sale.confirm(&api, &hold, "order-1", 149_000.5).await.check(200, "0");
    sale.sell(&api, "order-2", &[130]).await.check(201, "0");
    sale.block(&api, &[5, 6, 7]).await.check(200, "0");
    assert_snapshot!(sale.summary(&api).await, @r#"
    200
    {
      "message": "판매 현황을 조회했습니다.", "code": "0",
      "data": {
        "seats": 133, "free": 126, "held": 1, "sold": 3, "blocked": 3, "revenue": 248001,
        "areas": [
          {
            "id": "[id1]", "label": "1층 A", "price": 50000, "seats": 130, "free": 125, "held": 1, "sold": 1,
            "blocked": 3, "revenue": 50000
          },
          {
            "id": "[id2]", "label": "2층 B", "price": 99000.5, "seats": 3, "free": 1, "held": 0, "sold": 2,
            "blocked": 0, "revenue": 198001
          }
        ]
      }
    }
    "#);
}

#[tokio::test]
async fn only_sellers_may_read_it() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    // Where managers are not verified, any of them may, but of a draft only its own.
    api.by(sample::OTHER_MANAGER).get(&sale.path("summary")).await.check(200, "0");
    api.edit(&sale.event, &json!({"published": false})).await.check(200, "0");
    api.by(sample::OTHER_MANAGER).get(&sale.path("summary")).await.check(404, "E_002");
    sale.summary(&api).await.check(200, "0");
    api.delete(&sale.event).await.check(204, "0");
    sale.summary(&api).await.check(404, "E_002");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn summary_costs_as_much_as_availability() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        sale.block(&service.other, &[0]).await.check(200, "0");
        assert_snapshot!(service.effect(sale.summary(&service.api)).await.usage, @"BatchGetItem, Query: 6 read, 0 write units");
        service.check_permissions("sales-summary");
    }
}
