//! `GET /api/v1/events/{eventId}/detail`

use tests::prelude::*;

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

/// The picture of the seats is read as the detail is.
mod in_process {
    use super::*;

    const REPRESENTATIONS: [&str; 2] = ["detail", "seat-map"];

    async fn created(service: &Service, representation: &str) -> String {
        let id = service.other.create(&sample::concert()).await.id();
        format!("/api/v1/events/{id}/{}", representation.replace("-map", "-map.svg"))
    }

    #[tokio::test]
    async fn not_modified_takes_one_read() {
        for representation in REPRESENTATIONS {
            let service = Service::start().await;
            let path = created(&service, representation).await;
            let usage = async |path: &str, tag: &str| {
                let effect = service.effect(service.api.get_unless(path, tag)).await;
                format!("{} {}", effect.response.status, effect.usage)
            };
            let first = service.effect(service.api.get(&path)).await;
            assert_eq!(first.usage.to_string(), "Query: 1 read, 0 write units");
            let tag = first.response.header("ETag");
            assert_eq!(usage(&path, tag).await, "304 GetItem EVENT: 1 read, 0 write units");
            assert_eq!(usage(&path, "\"x\"").await, "200 GetItem EVENT, Query: 2 read, 0 write units");
            let [unknown, invalid] = [sample::UNKNOWN_EVENT, "x"].map(|id| format!("/api/v1/events/{id}/detail"));
            assert_eq!(service.effect(service.api.get(&unknown)).await.usage.calls, ["Query"]);
            assert_eq!(service.effect(service.api.get(&invalid)).await.usage.calls, Vec::<String>::new());
            service.check_permissions(&format!("events-{representation}"));
        }
    }

    #[tokio::test]
    async fn faults_are_503() {
        for representation in REPRESENTATIONS {
            let read = async |api: &Api, (path, tag): &(String, String)| api.get_unless(path, tag).await;
            let changed = async |service: &Service| (created(service, representation).await, "\"x\"".to_owned());
            let unchanged = async |service: &Service| {
                let path = created(service, representation).await;
                let tag = service.other.get(&path).await.header("ETag").to_owned();
                (path, tag)
            };
            let tables = [faults(changed, read).await, faults(unchanged, read).await].concat();
            insta::allow_duplicates!(assert_snapshot!(tables, @r"
                           once  lost  fails  unknown  ends   ends after
            GetItem EVENT  200   200   S_003  S_003    S_003  S_003
            Query          200   200   S_003  S_003    S_003  S_003
                           once  lost  fails  unknown  ends   ends after
            GetItem EVENT  304   304   S_003  S_003    S_003  S_003
            "));
        }
    }
}
