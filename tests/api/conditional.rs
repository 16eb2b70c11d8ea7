//! `ETag` and `If-None-Match`, the same on all GET routes.

use reqwest::Method;
use tests::{Api, Response};

/// Sends a GET request with this `If-None-Match`.
pub async fn get(api: &Api, path: &str, if_none_match: &str) -> Response {
    Api::send(api.request(Method::GET, path).header("If-None-Match", if_none_match)).await
}

/// Checks that a matching entity tag gets 304 and any other gets 200; returns the entity tag.
pub async fn expect_not_modified(api: &Api, path: &str) -> String {
    let full = api.get(path).await;
    assert_eq!(full.status, 200, "{path}");
    let etag = full.header("ETag").to_owned();
    assert!(etag.len() > 2 && etag.starts_with('"') && etag.ends_with('"'), "not a strong entity tag: {etag}");
    assert_eq!(api.get(path).await.header("ETag"), etag, "{path}");

    for if_none_match in [etag.clone(), format!("W/{etag}"), format!("\"a,b\", {etag}"), "*".to_owned()] {
        let response = get(api, path, &if_none_match).await;
        assert_eq!((response.status, response.body.len()), (304, 0), "{path} with {if_none_match}");
        assert_eq!(response.header("ETag"), etag);
        assert_eq!(response.header("Cache-Control"), full.header("Cache-Control"));
        let vary = |response: &Response| response.headers.get_all("Vary").iter().cloned().collect::<Vec<_>>();
        assert_eq!(vary(&response), vary(&full));
        assert!(!response.headers.contains_key("Content-Type"));
    }
    for if_none_match in ["\"x\"", "W/\"x\", \"y\"", "x", "", "\"*\""] {
        let response = get(api, path, if_none_match).await;
        assert_eq!((response.status, response.body), (200, full.body.clone()), "{path} with {if_none_match}");
    }
    etag
}
