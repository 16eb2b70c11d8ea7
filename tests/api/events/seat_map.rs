//! `GET /api/v1/events/{eventId}/seat-map.svg`

use local::layouts;
use roxmltree::Document;
use tests::prelude::*;

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
