//! `GET /api/v1/events/{eventId}/dates/{showId}/seat-reservation/detail`

use tests::prelude::*;

#[tokio::test]
async fn seats_are_listed_in_order_of_detail() {
    let api = Api::new();
    let mut event = Sale::on_sale();
    let seats = event["areas"][0]["seats"].as_array().unwrap()[..2].to_vec();
    event["areas"][0]["seats"] = json!(seats);
    event["areas"][1]["seats"].as_array_mut().unwrap().truncate(1);
    let sale = Sale::of(&api.create(&event).await);
    sale.block(&api, &[1]).await.check(200, "0");
    let mut response = api.get(&sale.path("seat-reservation/detail")).await;
    response.headers.remove("ETag");
    assert_snapshot!(response.head(), @"
    200
    cache-control: public, max-age=0, s-maxage=1
    ");
    let data = response.data();
    let seats = data.as_array().unwrap().iter().map(|seat| {
        assert!(["reserverId", "reserverName", "reserverEmail"].iter().all(|name| seat[name].is_null()), "{seat}");
        let [label, row, number, state] = ["areaLabel", "row", "number", "reservationId"].map(|name| &seat[name]);
        format!("{label} {row} {number} {state}\n")
    });
    assert_snapshot!(seats.collect::<String>(), @r#"
    "1층 A" 1 1 null
    "1층 A" 1 2 "taken"
    "2층 B" 1 1 null
    "#);
}

#[tokio::test]
async fn list_is_cached_and_compressed_as_detail() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let path = sale.path("seat-reservation/detail");
    let first = api.get(&path).await;
    assert_eq!(first.header("Cache-Control"), "public, max-age=0, s-maxage=1");
    assert_eq!(api.get_unless(&path, first.header("ETag")).await.status, 304);
    sale.block(&api, &[0]).await.check(200, "0");
    assert_eq!(api.get_unless(&path, first.header("ETag")).await.status, 200);
}

mod in_process {
    use local::layouts;

    use super::*;

    #[tokio::test]
    async fn list_needs_compression_for_a_stadium() {
        let service = Service::start().await;
        let sale = Sale::open_in(&service.other, &layouts::stadium()).await;
        let path = sale.path("seat-reservation/detail");
        service.api.get(&path).await.check(413, "C_005");
        let response = service.api.send_with(reqwest::Method::GET, &path, &[("Accept-Encoding", "gzip")]).await;
        assert_eq!((response.status, response.header("Content-Encoding")), (200, "gzip"));
        let again = [("Accept-Encoding", "gzip"), ("If-None-Match", response.header("ETag"))];
        assert_eq!(service.api.send_with(reqwest::Method::GET, &path, &again).await.status, 304);
        // Either tag, whatever the client accepts.
        assert_eq!(service.api.get_unless(&path, response.header("ETag")).await.status, 304);
        service.check_permissions("seats-list");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let prepare = async |service: &Service| Sale::open(&service.other).await;
        let get = async |api: &Api, sale: &Sale| api.get(&sale.path("seat-reservation/detail")).await;
        assert_snapshot!(faults(prepare, get).await, @"
                      once  lost  fails  unknown  ends   ends after
        BatchGetItem  200   200   S_003  S_003    S_003  S_003
        Query         200   200   S_003  S_003    S_003  S_003
        ");
    }
}
