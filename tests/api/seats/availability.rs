//! `GET /api/v1/events/{eventId}/dates/{showId}/availability`

use base64_simd::STANDARD;
use tests::prelude::*;

#[tokio::test]
async fn each_seat_has_a_bit() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    sale.block(&api, &[0, 9, 129, 132]).await.check(200, "0");
    let mut response = sale.availability(&api).await;
    response.headers.remove("ETag");
    assert_snapshot!(response, @r#"
    200
    cache-control: public, max-age=0, s-maxage=1
    {
      "message": "좌석 현황을 조회했습니다.", "code": "0",
      "data": {
        "areas": [
          {"id": "[id1]", "seats": 130, "free": 127, "taken": "gEAAAAAAAAAAAAAAAAAAAEA="},
          {"id": "[id2]", "seats": 3, "free": 2, "taken": "IA=="}
        ]
      }
    }
    "#);
    let taken = response.data()["areas"][0]["taken"].as_str().unwrap().to_owned();
    let bytes = STANDARD.decode_to_vec(taken).unwrap();
    let expected = [&[0b1000_0000, 0b0100_0000][..], &[0; 14], &[0b0100_0000]].concat();
    assert_eq!(bytes, expected);
    assert_eq!(response.data()["areas"][1]["taken"], STANDARD.encode_to_string([0b0010_0000]));
}

#[tokio::test]
async fn area_without_seats_has_no_bits() {
    let api = Api::new();
    let mut areas = Sale::on_sale()["areas"].take();
    areas[1]["seats"] = json!([]);
    let sale = Sale::open_with(&api, json!({ "areas": areas })).await;
    let area = sale.availability(&api).await.data()["areas"][1].clone();
    assert_eq!((&area["seats"], &area["free"], &area["taken"]), (&0.into(), &0.into(), &"".into()));
}

#[tokio::test]
async fn unchanged_availability_is_not_sent_again() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let first = sale.availability(&api).await;
    assert_eq!(first.header("Cache-Control"), "public, max-age=0, s-maxage=1");
    let again = async || api.get_unless(&sale.path("availability"), first.header("ETag")).await;
    assert_eq!(again().await.status, 304);
    sale.block(&api, &[0]).await.check(200, "0");
    assert_eq!(again().await.status, 200);
}

mod in_process {
    use local::layouts;

    use super::*;

    #[tokio::test]
    async fn availability_is_a_read_and_a_query_for_2048_seats() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        sale.block(&service.other, &[0]).await.check(200, "0");
        assert_snapshot!(service.effect(sale.availability(&service.api)).await, @"
        200
        BatchGetItem, Query: 6 read, 0 write units
        ");
        assert_snapshot!(service.effect(sale.availability(&service.api)).await, @"
        200
        BatchGetItem, Query: 2 read, 0 write units
        ");
        service.check_permissions("seats-availability");
    }

    /// Arena with all 10,106 seats taken, and stadium with a tenth of 66,000 in all items.
    #[tokio::test]
    async fn units_and_bytes_of_large_halls_are_limited() {
        let service = Service::start().await;
        for (hall, step, max_units, max_bytes) in
            [(layouts::arena(), 1, 100.0, 24_000), (layouts::main_stadium(), 10, 500.0, 24_000)]
        {
            let sale = Sale::open_in(&service.other, &hall).await;
            let seats = service.other.get(&sale.path("availability")).await.data()["areas"].take();
            let count: u64 = seats.as_array().unwrap().iter().map(|area| area["seats"].as_u64().unwrap()).sum();
            let all: Vec<_> = (0..usize::try_from(count).unwrap()).step_by(step).collect();
            for seats in all.chunks(500) {
                sale.block(&service.other, seats).await.check(200, "0");
            }
            let effect = service.effect(sale.availability(&service.api)).await;
            let (units, bytes) = (effect.usage.read_units, effect.response.body.len());
            println!("{count} seats: {units} units, {bytes} bytes");
            assert!(units <= max_units && bytes <= max_bytes, "{count} seats: {units} units, {bytes} bytes");
        }
    }

    #[tokio::test]
    async fn faults_are_503() {
        let prepare = async |service: &Service| Sale::open(&service.other).await;
        let get = async |api: &Api, sale: &Sale| sale.availability(api).await;
        assert_snapshot!(faults(prepare, get).await, @"
                      once  lost  fails  unknown  ends   ends after
        BatchGetItem  200   200   S_003  S_003    S_003  S_003
        Query         200   200   S_003  S_003    S_003  S_003
        ");
    }
}
