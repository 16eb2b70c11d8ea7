//! `GET /api/v1/events/{eventId}/detail`

use insta::assert_snapshot;
use serde_json::json;
use tests::{Api, sample};

#[tokio::test]
async fn detail_equals_creation_response() {
    let api = Api::new();
    let mut event = sample::event();
    event["areas"][1]["seats"] = json!([]);
    let created = api.create(&event).await.expect(201, "0");
    let detail = api.event(&format!("{}/detail", created.id())).await.expect(200, "0");
    let data = |text: &str| text.split_once(r#","data":"#).unwrap().1.to_owned();
    assert_eq!(data(&detail.text()), data(&created.text()));
    assert_snapshot!(detail.head(), @r#"
    200
    etag: "detail-2-0"
    cache-control: public, max-age=0, s-maxage=1
    "#);
}

mod in_process {
    use tests::{Service, faults};

    use super::*;

    #[tokio::test]
    async fn not_modified_takes_one_read() {
        let service = Service::start().await;
        let path = format!("/api/v1/events/{}/detail", service.other.create(&sample::concert()).await.id());
        let read = async |tag: &str| service.effect(service.api.get_unless(&path, tag)).await;
        let first = service.effect(service.api.get(&path)).await;
        assert_snapshot!(first.usage, @"Query: 1 read, 0 write units");
        assert_snapshot!(read(first.response.header("ETag")).await, @r"
        304
        GetItem EVENT: 1 read, 0 write units
        ");
        assert_snapshot!(read("\"x\"").await.usage, @"GetItem EVENT, Query: 2 read, 0 write units");
        let unknown = format!("{}/detail", sample::UNKNOWN_EVENT);
        assert_snapshot!(service.effect(service.api.event(&unknown)).await.usage, @"Query: 1 read, 0 write units");
        assert_snapshot!(service.effect(service.api.event("x/detail")).await.usage, @"no calls: 0 read, 0 write units");
        service.check_permissions("events-detail");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let read = async |api: &Api, (path, tag): &(String, String)| api.get_unless(path, tag).await;
        let path = async |service: &Service| format!("/api/v1/events/{}/detail", service.other.created().await);
        let changed = async |service: &Service| (path(service).await, "\"x\"".to_owned());
        assert_snapshot!(faults(changed, read).await, @r"
                       once  lost  fails  unknown  ends   ends after
        GetItem EVENT  200   200   S_003  S_003    S_003  S_003
        Query          200   200   S_003  S_003    S_003  S_003
        ");
        let unchanged = async |service: &Service| {
            let path = path(service).await;
            let tag = service.other.get(&path).await.header("ETag").to_owned();
            (path, tag)
        };
        assert_snapshot!(faults(unchanged, read).await, @r"
                       once  lost  fails  unknown  ends   ends after
        GetItem EVENT  304   304   S_003  S_003    S_003  S_003
        ");
    }
}
