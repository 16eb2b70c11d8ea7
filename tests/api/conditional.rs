//! `ETag` and `If-None-Match`, which are the same on every route that can be read.

use reqwest::Method;
use tests::{Api, Response};

/// Reads from a path as somebody who has what the entity tags stand for.
pub async fn get(api: &Api, path: &str, held: &str) -> Response {
    Api::send(api.request(Method::GET, path).header("If-None-Match", held)).await
}

/// Checks that who has what is at a path is answered 304, and who has something else is answered
/// as ever; gives the entity tag.
pub async fn expect_not_modified(api: &Api, path: &str) -> String {
    let full = api.get(path).await;
    assert_eq!(full.status, 200, "{path}");
    let etag = full.header("ETag").to_owned();
    assert!(etag.len() > 2 && etag.starts_with('"') && etag.ends_with('"'), "a strong tag: {etag}");
    assert_eq!(api.get(path).await.header("ETag"), etag, "{path}");

    for held in [etag.clone(), format!("W/{etag}"), format!("\"a,b\", {etag}"), "*".to_owned()] {
        let answer = get(api, path, &held).await;
        assert_eq!((answer.status, answer.body.len()), (304, 0), "{path} with {held}");
        assert_eq!(answer.header("ETag"), etag);
        assert_eq!(answer.header("Cache-Control"), full.header("Cache-Control"));
        let vary = |answer: &Response| answer.headers.get_all("Vary").iter().cloned().collect::<Vec<_>>();
        assert_eq!(vary(&answer), vary(&full));
        assert!(!answer.headers.contains_key("Content-Type"));
    }
    for held in ["\"x\"", "W/\"x\", \"y\"", "x", "", "\"*\""] {
        let answer = get(api, path, held).await;
        assert_eq!((answer.status, answer.body), (200, full.body.clone()), "{path} with {held}");
    }
    etag
}
