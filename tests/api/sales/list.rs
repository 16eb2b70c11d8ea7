//! `GET /api/v1/events/{eventId}/dates/{showId}/sales`

use tests::prelude::*;

/// Returns the orders on all pages, and the number of pages.
async fn walk(api: &Api, sale: &Sale, limit: usize) -> (Vec<String>, usize) {
    let (mut orders, mut pages, mut page) = (Vec::new(), 0, Some(sale.path(&format!("sales?limit={limit}"))));
    while let Some(path) = page {
        let response = api.get_as_manager(&path).await.expect(200, "0");
        let order = |sale: &Value| sale["orderId"].as_str().unwrap().to_owned();
        orders.extend(response.data().as_array().unwrap().iter().map(order));
        pages += 1;
        page = response.next_page();
    }
    (orders, pages)
}

async fn csv(api: &Api, sale: &Sale, accept: &str) -> Response {
    let request = api.request(Method::GET, &sale.path("sales?limit=0&cursor=x")).header("Accept", accept);
    Api::send(request.header("x-api-managerId", sample::MANAGER)).await
}

#[tokio::test]
async fn sales_are_listed_by_their_first_seat() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    assert_eq!(sale.sales(&api, "").await.expect(200, "0").data(), json!([]));
    let (member, tokens) = api.joined_with_session().await;
    let hold = sale.hold(&api, &tokens, &[131, 2]).await.id();
    sale.confirm(&api, &hold, "order-1", 149_000.5).await.check(200, "0");
    sale.sell(&api, "box-1", &[130]).await.check(201, "0");
    sale.held(&api, &[0]).await;
    sale.block(&api, &[1]).await.check(200, "0");
    let listed = sale.sales(&api, "").await;
    assert_eq!(listed.header("Cache-Control"), "no-store");
    assert_eq!(listed.data()[0]["memberId"], member["id"]);
    assert_snapshot!(listed, @r#"
    200
    {
      "message": "판매 내역을 조회했습니다.", "code": "0",
      "data": [
        {
          "id": "[id1]", "orderId": "order-1", "memberId": "[id2]", "amount": 149000.5,
          "seats": [
            {"id": "[id3]", "areaId": "[id4]", "areaLabel": "2층 B", "price": 99000.5, "row": 1, "number": 2},
            {"id": "[id5]", "areaId": "[id6]", "areaLabel": "1층 A", "price": 50000, "row": 1, "number": 3}
          ]
        },
        {
          "id": "[id7]", "orderId": "box-1", "memberId": null, "amount": 99000.5,
          "seats": [{"id": "[id8]", "areaId": "[id4]", "areaLabel": "2층 B", "price": 99000.5, "row": 1, "number": 1}]
        }
      ]
    }
    "#);
    sale.cancel(&api, &hold, "order-1").await.check(200, "0");
    assert_eq!(walk(&api, &sale, 100).await.0, ["box-1"]);
}

#[tokio::test]
async fn walk_lists_each_sale_once() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let mut expected = Vec::new();
    for seat in (0..20).rev() {
        let order = format!("order-{seat:02}");
        // Its first seat in the hall counts, not its first one in the request.
        sale.sell(&api, &order, &[100 - seat, seat]).await.check(201, "0");
        expected.insert(0, order);
    }
    for limit in [1, 3, 10, 20, 500] {
        let (orders, pages) = walk(&api, &sale, limit).await;
        assert_eq!((orders, pages), (expected.clone(), 20_usize.div_ceil(limit)), "{limit}");
    }
    // A sale that is cancelled, and one that is made, between two pages.
    let first = sale.sales(&api, "?limit=5").await.expect(200, "0");
    let id = first.data()[4]["id"].as_str().unwrap().to_owned();
    sale.cancel(&api, &id, "order-04").await.check(200, "0");
    sale.sell(&api, "new", &[4]).await.check(201, "0");
    let next = api.get_as_manager(&first.next_page().unwrap()).await.expect(200, "0").data();
    assert_eq!(next[0]["orderId"], "order-05");
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let api = Api::new();
    let (sale, other) = (Sale::open(&api).await, Sale::open(&api).await);
    for seat in 0..2 {
        other.sell(&api, "1", &[seat]).await.check(201, "0");
    }
    let next = other.sales(&api, "?limit=1").await.next_page().unwrap();
    let cursor = next.split("cursor=").nth(1).unwrap();
    let queries = ["?limit=0", "?limit=501", "?cursor=x", &format!("?cursor={cursor}")];
    for query in queries {
        sale.sales(&api, query).await.check(400, "C_003");
    }
}

#[tokio::test]
async fn sales_are_downloaded_as_csv() {
    let api = Api::new();
    let mut event = Sale::on_sale();
    event["areas"][1]["label"] = json!("－1층, \"가\"");
    let sale = Sale::of(&api.create(&event).await);
    let (member, tokens) = api.joined_with_session().await;
    let hold = sale.hold(&api, &tokens, &[131, 2]).await.id();
    sale.confirm(&api, &hold, "=1+1", 149_000.5).await.check(200, "0");
    let box_office = sale.sell(&api, "order,2", &[130]).await.id();
    let downloaded = csv(&api, &sale, "text/csv").await;
    assert_eq!(downloaded.status, 200);
    assert_eq!(downloaded.header("Content-Type"), "text/csv; charset=utf-8");
    let file = format!("attachment; filename=\"sales-{}.csv\"", sale.show);
    assert_eq!(downloaded.header("Content-Disposition"), file);
    let expected = [
        "\u{feff}order,area,row,number,price,hold,member".to_owned(),
        format!("'=1+1,\"'－1층, \"\"가\"\"\",1,2,99000.5,{hold},{}", member["id"].as_str().unwrap()),
        format!("'=1+1,1층 A,1,3,50000,{hold},{}", member["id"].as_str().unwrap()),
        format!("\"order,2\",\"'－1층, \"\"가\"\"\",1,1,99000.5,{box_office},"),
    ];
    assert_eq!(downloaded.text(), expected.map(|line| line + "\r\n").concat());
    for (accept, is_csv) in [
        ("text/csv, application/json", true),
        ("text/html, TEXT/CSV;q=0.5", true),
        ("text/csv;q=0.0, application/json", false),
        ("application/json, text/csv", false),
        ("*/*, text/csv", false),
    ] {
        let response = csv(&api, &sale, accept).await;
        // JSON has pages, so the parameters count.
        assert_eq!(response.status == 200, is_csv, "{accept}");
    }
    let failed = api.request(Method::GET, &sale.path("sales")).header("Accept", "text/csv");
    Api::send(failed).await.check(401, "AM_001");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn page_reads_a_part_and_its_holds() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let list = async || service.effect(sale.sales(&service.api, "")).await.usage;
        assert_snapshot!(list().await, @"BatchGetItem, Query: 6 read, 0 write units");
        for seat in 0..3 {
            sale.sell(&service.other, "1", &[seat]).await.check(201, "0");
        }
        assert_snapshot!(list().await, @"BatchGetItem, Query, BatchGetItem: 5 read, 0 write units");
        // A page reads one hold more than it lists, to know if there is a next one.
        let page = service.effect(sale.sales(&service.api, "?limit=1")).await.usage;
        assert_snapshot!(page, @"BatchGetItem, Query, BatchGetItem: 4 read, 0 write units");
        service.check_permissions("sales-list");
    }
}
