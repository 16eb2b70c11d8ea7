//! `GET /api/v1/events/{eventId}/seat-map.svg`

use local::layouts;
use serde_json::Value;
use tests::{Api, sample};

use crate::conditional;

fn path(created: &Value) -> String {
    format!("/api/v1/events/{}/seat-map.svg", created["id"].as_str().unwrap())
}

/// Returns the texts of all `title` elements; the first is that of the whole seat map.
fn titles(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let titles = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    titles.map(|title| title.text().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn each_seat_is_drawn_and_named() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0").data();
    let response = api.get(&path(&created)).await;
    assert_eq!((response.status, response.header("Content-Type")), (200, "image/svg+xml"));
    let svg = response.text();
    let titles = titles(&svg);
    assert_eq!(titles[0], created["title"]);
    assert!(titles.iter().any(|title| title.contains("132,000")), "{titles:?}");
    let document = roxmltree::Document::parse(&svg).unwrap();
    for (cx, cy) in [("20", "30.5"), ("40.25", "30.5"), ("200", "150")] {
        let drawn = document.descendants().filter(|node| {
            let attribute = |names: [&str; 2]| names.iter().find_map(|name| node.attribute(*name));
            attribute(["cx", "x"]) == Some(cx) && attribute(["cy", "y"]) == Some(cy)
        });
        assert_eq!(drawn.count(), 1, "{cx}, {cy}");
    }
}

#[tokio::test]
async fn whole_arena_is_drawn() {
    let api = Api::new();
    let arena = layouts::arena();
    let created = api.create(&sample::with_hall(sample::event(), &arena)).await.expect(201, "0").data();
    let response = api.get(&path(&created)).await;
    assert_eq!(response.status, 200);
    let svg = response.text();
    assert!(titles(&svg).len() > arena.seats());
    // Each drawing is an image.
    assert_eq!(svg.matches("href='data:image/svg+xml;base64,").count(), 1 + arena.areas.len());
}

#[tokio::test]
async fn seat_map_is_sandboxed() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    let response = api.get(&path(&created)).await;
    let policy: Vec<_> = response.header("Content-Security-Policy").split("; ").collect();
    assert!(policy.contains(&"sandbox") && policy.contains(&"default-src 'none'"), "{policy:?}");
    assert!(policy.contains(&"img-src data:"), "the drawings are images: {policy:?}");
    assert_eq!(response.header("X-Content-Type-Options"), "nosniff");
}

#[tokio::test]
async fn deleted_or_unknown_is_not_found() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    api.get(&path(&created)).await.expect(404, "E_002");
    for id in ["0196a1b2-0000-7000-8000-00000000abcd", "1", "한국", "%ff"] {
        api.get(&format!("/api/v1/events/{id}/seat-map.svg")).await.expect(404, "E_002");
    }
}

#[tokio::test]
async fn etag_is_valid_until_deletion() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.data();
    let etag = conditional::expect_not_modified(&api, &path(&created)).await;
    assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    conditional::get(&api, &path(&created), &etag).await.expect(404, "E_002");
}
