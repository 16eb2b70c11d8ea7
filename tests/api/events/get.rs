//! `GET /api/v1/events/{eventId}`

use tests::prelude::*;

/// Returns a created event without its seats, as lists contain it.
pub fn summary(created: &Value) -> Value {
    let mut summary = created.clone();
    let fields = summary.as_object_mut().unwrap();
    assert!(fields.remove("totalMap").is_some() && fields.remove("areas").is_some());
    summary
}

#[tokio::test]
async fn event_is_returned_without_seats() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0");
    let found = api.event(&created.id()).await;
    assert_snapshot!(found, @r#"
    200
    etag: "summary-1-0"
    cache-control: public, max-age=0, s-maxage=1
    {
      "message": "공연을 조회했습니다.", "code": "0",
      "data": {
        "id": "[id1]", "title": "봄 콘서트 [text1]", "description": "봄밤의 야외 콘서트입니다.\n우천 시에도 진행합니다.",
        "place": "올림픽공원 올림픽홀", "thumbnail": "[id1].png", "artist": "아이유",
        "eventDatetimes": [
          {"id": "[id2]", "datetime": "2025-04-26T05:00:00Z"},
          {"id": "[id3]", "datetime": "2025-04-27T05:00:00Z"}
        ],
        "eventOpenTime": "2025-04-25T05:00:00Z", "ticketingOpenTime": "2025-04-18T05:00:00.500Z"
      }
    }
    "#);
    assert_eq!(found.data(), summary(&created.data()));
    assert_eq!(api.event(&created.id().to_uppercase()).await.text(), found.text());
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn get_is_one_read() {
        let service = Service::start().await;
        let id = service.other.create(&sample::concert()).await.id();
        for (id, calls) in [(&*id, 1), (sample::UNKNOWN_EVENT, 1), ("x", 0)] {
            let usage = service.effect(service.api.event(id)).await.usage.to_string();
            assert_eq!(usage, ["no calls: 0 read, 0 write units", "GetItem EVENT: 1 read, 0 write units"][calls]);
        }
        service.check_permissions("events-get");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let get = async |api: &Api, id: &String| api.event(id).await;
        assert_snapshot!(faults(async |service| service.other.created().await, get).await, @r"
                       once  lost  fails  unknown  ends   ends after
        GetItem EVENT  200   200   S_003  S_003    S_003  S_003
        ");
    }
}
