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
    assert_snapshot!(map, @r#"
    200
    etag: "seat-map-2-0"
    content-type: image/svg+xml
    content-security-policy: default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox
    cache-control: public, max-age=0, s-maxage=1
    <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400 340' font-family='sans-serif'><title>봄 콘서트 [text1]</title><rect x='0' y='0' width='400' height='340' fill='#ffffff'/><image x='0' y='0' width='400' height='300' href='data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHhtbG5zOnhsaW5rPSdodHRwOi8vd3d3LnczLm9yZy8xOTk5L3hsaW5rJyB2aWV3Qm94PScwIDAgNDAwIDMwMCcgZm9udC1mYW1pbHk9J3NhbnMtc2VyaWYnPjxnIHhtbG5zPSJodHRwOi8vd3d3LnczLm9yZy8yMDAwL3N2ZyIgdmlld0JveD0iMCAwIDQwMCAzMDAiPjxyZWN0IHdpZHRoPSI0MDAiIGhlaWdodD0iMzAwIi8+PC9nPjwvc3ZnPg=='/><image x='0' y='0' width='400' height='300' href='data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHhtbG5zOnhsaW5rPSdodHRwOi8vd3d3LnczLm9yZy8xOTk5L3hsaW5rJyB2aWV3Qm94PScwIDAgNDAwIDMwMCcgZm9udC1mYW1pbHk9J3NhbnMtc2VyaWYnPjxnIHN0eWxlPSJmaWxsOiNmMDYiPjxwYXRoIGNsYXNzPSJhcmVhLWRhdGEiIGQ9Ik0xMCAxMGg4MHY2MGgtODB6Ii8+PC9nPjwvc3ZnPg=='/><g stroke='#ffffff' stroke-width='1.333' paint-order='stroke'><g class='area' fill='#880330'><title>1층 A 132,000원</title><circle cx='20' cy='30.5' r='8'><title>1층 A 1열 1번 132,000원</title></circle><circle cx='40.25' cy='30.5' r='8'><title>1층 A 1열 2번 132,000원</title></circle></g><g class='area' fill='#0ba682'><title>2층 B 99,000.5원</title><circle cx='200' cy='150' r='8'><title>2층 B 1열 1번 99,000.5원</title></circle></g></g><g class='legend' transform='translate(0 300) scale(1.3333333333333333)' font-size='9'><rect width='300' height='30' fill='#f1f5f9'/><rect x='59' y='11' width='8' height='8' rx='3' fill='#880330'/><text x='71' y='18' fill='#0f172a' font-weight='bold'>132,000원 <tspan fill='#475569' font-weight='normal'>2석</tspan></text><rect x='157' y='11' width='8' height='8' rx='3' fill='#0ba682'/><text x='169' y='18' fill='#0f172a' font-weight='bold'>99,000.5원 <tspan fill='#475569' font-weight='normal'>1석</tspan></text></g></svg>
    "#);
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
