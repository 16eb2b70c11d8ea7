//! `ETag` and `If-None-Match` on all routes of `openapi.json` that read an event.

use std::collections::BTreeSet;
use tests::prelude::*;

/// Checks that a matching entity tag gets 304, and any other one 200, until the event is deleted; returns its first
/// tag.
async fn check(api: &Api, path: &str, event: &str) -> String {
    let full = api.get(path).await;
    assert_eq!((full.status, full.header("Cache-Control")), (200, "public, max-age=0, s-maxage=1"));
    let etag = full.header("ETag").to_owned();
    for same in [etag.clone(), format!("W/{etag}"), format!("\"a,b\", {etag}"), "*".to_owned()] {
        let response = api.get_unless(path, &same).await;
        assert_eq!((response.status, response.body.len()), (304, 0), "{same}");
        for name in ["ETag", "Cache-Control"] {
            assert_eq!(response.header(name), full.header(name));
        }
        assert_eq!(response.varied(), full.varied());
        assert!(!response.headers.contains_key("Content-Type"));
    }
    for other in ["\"x\"", "W/\"x\", \"y\"", "x", "", "\"*\""] {
        let response = api.get_unless(path, other).await;
        assert_eq!((response.status, &response.body), (200, &full.body), "{other}");
    }
    api.edit(event, &json!({"description": "새 설명"})).await.check(200, "0");
    let edited = api.get_unless(path, &etag).await;
    assert_eq!(edited.status, 200);
    assert_ne!(edited.header("ETag"), etag);
    api.delete(event).await.check(204, "0");
    for tag in [edited.header("ETag"), "*"] {
        api.get_unless(path, tag).await.check(404, "E_002");
    }
    etag
}

#[tokio::test]
async fn etag_is_valid_until_deletion() {
    let api = Api::new();
    let mut tags = BTreeSet::new();
    for operation in Operation::all().into_iter().filter(|operation| operation.method == "GET") {
        // The states of seats have tags of their own, and nobody caches what a manager sees.
        let is_public = operation.path.starts_with("/api/v1/events/{eventId}");
        if is_public && !operation.path.contains("{showId}") {
            assert!(operation.has("If-None-Match"), "{}", operation.path);
            let id = api.created().await;
            let tag = check(&api, &operation.path.replace("{eventId}", &id), &id).await;
            assert!(tags.insert(tag), "two representations have the same tag: {tags:?}");
        }
    }
    assert!(!tags.is_empty());
}
