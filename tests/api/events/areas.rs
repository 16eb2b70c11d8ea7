//! `GET /api/v1/events/{eventId}/areas`

use insta::assert_snapshot;
use tests::{Api, Sale, sample};

#[tokio::test]
async fn areas_are_listed_without_seats() {
    let api = Api::new();
    let created = api.create(&Sale::on_sale()).await;
    let listed = api.event(&format!("{}/areas", created.id())).await;
    assert_snapshot!(listed, @r#"
    200
    etag: "areas-1-0"
    cache-control: public, max-age=0, s-maxage=1
    {
      "message": "구역 목록을 조회했습니다.", "code": "0",
      "data": [
        {"id": "[id1]", "label": "1층 A", "price": 50000, "seats": 130},
        {"id": "[id2]", "label": "2층 B", "price": 99000.5, "seats": 3}
      ]
    }
    "#);
    let detail = created.data();
    let ids =
        |areas: &serde_json::Value| areas.as_array().unwrap().iter().map(|area| area["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&listed.data()), ids(&detail["areas"]));
}

mod in_process {
    use local::layouts;
    use tests::{Service, faults};

    use super::*;

    #[tokio::test]
    async fn not_modified_takes_one_read() {
        let service = Service::start().await;
        let path = format!("/api/v1/events/{}/areas", service.other.created().await);
        let read = async |tag: &str| service.effect(service.api.get_unless(&path, tag)).await;
        let first = service.effect(service.api.get(&path)).await;
        assert_snapshot!(first.usage, @"Query: 1 read, 0 write units");
        assert_snapshot!(read(first.response.header("ETag")).await, @"
        304
        GetItem EVENT: 1 read, 0 write units
        ");
        let unknown = format!("{}/areas", sample::UNKNOWN_EVENT);
        assert_snapshot!(service.effect(service.api.event(&unknown)).await, @"
        404 E_002 해당 공연을 찾을 수 없습니다.
        Query: 1 read, 0 write units
        ");
        service.check_permissions("events-areas");
    }

    #[tokio::test]
    async fn areas_of_a_stadium_are_small() {
        let service = Service::start().await;
        let sale = Sale::open_in(&service.other, &layouts::stadium()).await;
        let listed = service.other.event(&format!("{}/areas", sale.event)).await.expect(200, "0");
        let seats = listed.data().as_array().unwrap().iter().map(|area| area["seats"].as_u64().unwrap()).sum::<u64>();
        assert_eq!(seats, layouts::stadium().seats() as u64);
        assert!(listed.body.len() < 100_000, "{} bytes", listed.body.len());
    }

    #[tokio::test]
    async fn faults_are_503() {
        let read = async |api: &Api, path: &String| api.get(path).await;
        let path = async |service: &Service| format!("/api/v1/events/{}/areas", service.other.created().await);
        assert_snapshot!(faults(path, read).await, @"
               once  lost  fails  unknown  ends   ends after
        Query  200   200   S_003  S_003    S_003  S_003
        ");
    }
}
