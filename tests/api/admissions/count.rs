//! `GET /api/v1/events/{eventId}/dates/{showId}/admissions`

use tests::prelude::*;

#[tokio::test]
async fn admissions_are_counted_by_area() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let gate = sale.gate(&api, "남문").await;
    let hold = sale.sold(&api, &[0, 1, 129, 130]).await;
    let tickets = sale.tickets(&api, &hold).await.data();
    sale.sold(&api, &[132]).await;
    sale.held(&api, &[2]).await;
    sale.block(&api, &[3]).await.check(200, "0");
    for ticket in [0, 2, 3] {
        sale.scan(&api, &gate, tickets[ticket]["code"].as_str().unwrap()).await.check(200, "0");
    }
    sale.remove_admission(&api, &gate, 0).await.check(200, "0");
    let response = sale.admissions(&api).await;
    assert_eq!(response.header("Cache-Control"), "no-store");
    assert_snapshot!(response, @r#"
    200
    {
      "message": "입장 현황을 조회했습니다.", "code": "0",
      "data": {
        "sold": 5, "admitted": 2,
        "areas": [
          {"id": "[id1]", "label": "1층 A", "sold": 3, "admitted": 1},
          {"id": "[id2]", "label": "2층 B", "sold": 2, "admitted": 1}
        ]
      }
    }
    "#);
    // An admission counts while its seat is sold to the hold.
    sale.cancel(&api, &hold, "box-1").await.check(200, "0");
    sale.sold(&api, &[0, 130]).await;
    let data = sale.admissions(&api).await.data();
    assert_eq!((&data["sold"], &data["admitted"]), (&json!(3), &json!(0)));
}

#[tokio::test]
async fn only_sellers_may_read_it() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let other = api.by(OTHER_MANAGER);
    sale.admissions(&other).await.check(200, "0");
    api.edit(&sale.event, &json!({"published": false})).await.check(200, "0");
    sale.admissions(&other).await.check(404, "E_002");
    sale.admissions(&api).await.check(200, "0");
    api.delete(&sale.event).await.check(204, "0");
    sale.admissions(&api).await.check(404, "E_002");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn owner_and_order_services_may_read_it() {
        let verified = VerifiedService::start().await;
        let sale = Sale::open(&verified.by(MANAGER)).await;
        sale.admissions(&verified.by(MANAGER)).await.check(200, "0");
        sale.admissions(&verified.with_roles("order-service-1", &["order"])).await.check(200, "0");
        sale.admissions(&verified.by(OTHER_MANAGER)).await.check(403, "AM_002");
        sale.admissions(&verified.api.with_token("a.b.c")).await.check(401, "AM_001");
    }

    #[tokio::test]
    async fn count_costs_as_much_as_availability() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        sale.sold(&service.other, &[0]).await;
        assert_snapshot!(service.effect(sale.admissions(&service.api)).await.usage, @"BatchGetItem, Query: 6 read, 0 write units");
        service.check_permissions("admissions-count");
    }
}
