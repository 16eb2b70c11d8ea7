//! Unknown routes.

use reqwest::Method;
use tests::Api;

#[tokio::test]
async fn unknown_path_returns_envelope() {
    let api = Api::new();
    for path in
        ["/nothing", "/api", "/api/v1", "/api/v1/members", "/api/v1/events/", "/api/v2/events", "/api/v1/events/a/b"]
    {
        api.get(path).await.expect(404, "C_008");
    }
}

#[tokio::test]
async fn other_method_returns_envelope() {
    let api = Api::new();
    for (method, path) in [
        (Method::GET, "/api/v1/members/join"),
        (Method::PUT, "/api/v1/members/login"),
        (Method::DELETE, "/api/v1/events"),
        (Method::PATCH, "/api/v1/events/x"),
        (Method::POST, "/api/v1/events/x"),
    ] {
        Api::send(api.request(method, path)).await.expect(404, "C_008");
    }
}
