//! `GET /api/v1/events/{eventId}/seat-map.svg`

use insta::assert_snapshot;
use local::layouts;
use roxmltree::Document;
use tests::{Api, sample};

#[tokio::test]
async fn each_seat_is_drawn_and_named() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0");
    let map = api.event(&format!("{}/seat-map.svg", created.id())).await;
    assert_eq!(map.header("X-Content-Type-Options"), "nosniff");
    assert_snapshot!(map.head(), @r#"
    200
    etag: "seat-map-2-0"
    content-type: image/svg+xml
    content-security-policy: default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox
    cache-control: public, max-age=0, s-maxage=1
    "#);
    assert!(
        map.text().contains("<circle cx='20' cy='30.5' r='8'><title>1층 A 1열 1번 132,000원</title></circle>"),
        "{map}"
    );
}

#[tokio::test]
async fn whole_theatre_is_drawn() {
    let api = Api::new();
    let theatre = layouts::theatre();
    let id = api.create(&sample::with_hall(sample::event(), &theatre)).await.expect(201, "0").id();
    let svg = api.event(&format!("{id}/seat-map.svg")).await.text();
    let document = Document::parse(&svg).unwrap();
    assert!(document.descendants().filter(|node| node.has_tag_name("title")).count() > theatre.seats());
    // Each drawing is an image.
    assert_eq!(svg.matches("href='data:image/svg+xml;base64,").count(), 1 + theatre.areas.len());
}

mod in_process {
    use tests::{Service, faults};

    use super::*;

    #[tokio::test]
    async fn not_modified_takes_one_read() {
        let service = Service::start().await;
        let path = format!("/api/v1/events/{}/seat-map.svg", service.other.create(&sample::concert()).await.id());
        let read = async |tag: &str| service.effect(service.api.get_unless(&path, tag)).await;
        let first = service.effect(service.api.get(&path)).await;
        assert_snapshot!(first.usage, @"Query: 1 read, 0 write units");
        assert_snapshot!(read(first.response.header("ETag")).await, @r"
        304
        GetItem EVENT: 1 read, 0 write units
        ");
        assert_snapshot!(read("\"x\"").await.usage, @"GetItem EVENT, Query: 2 read, 0 write units");
        service.check_permissions("events-seat-map");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let read = async |api: &Api, path: &String| api.get_unless(path, "\"x\"").await;
        let path = async |service: &Service| format!("/api/v1/events/{}/seat-map.svg", service.other.created().await);
        assert_snapshot!(faults(path, read).await, @r"
                       once  lost  fails  unknown  ends   ends after
        GetItem EVENT  200   200   S_003  S_003    S_003  S_003
        Query          200   200   S_003  S_003    S_003  S_003
        ");
    }
}
