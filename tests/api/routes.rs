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

/// A page could not read the 404 without a preflight and without its header.
#[tokio::test]
async fn unknown_path_has_preflight() {
    let api = Api::new();
    for path in ["/", "/nothing", "/api/v1/members", "/api/v1/events/a/b"] {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let preflight = api
                .request(Method::OPTIONS, path)
                .header("Origin", "https://tickets.example")
                .header("Access-Control-Request-Method", method)
                .header("Access-Control-Request-Headers", "content-type");
            let response = Api::send(preflight).await;
            assert_eq!((response.status, response.header("Access-Control-Allow-Origin")), (200, "*"), "{path}");
            assert!(response.header("Access-Control-Allow-Methods").split(',').any(|allowed| allowed == method));
            assert!(response.header("Access-Control-Allow-Headers").contains("content-type"));
        }
        let request = api.request(Method::PUT, path).header("Origin", "https://tickets.example");
        let response = Api::send(request).await.expect(404, "C_008");
        assert_eq!(response.header("Access-Control-Allow-Origin"), "*");
    }
}

#[tokio::test]
async fn other_method_returns_envelope() {
    let api = Api::new();
    for (method, path) in [
        (Method::GET, "/api/v1/members/join"),
        (Method::PUT, "/api/v1/members/login"),
        (Method::DELETE, "/api/v1/events"),
        (Method::PATCH, "/api/v1/events"),
        (Method::POST, "/api/v1/events/x"),
        (Method::GET, "/api/v1/events/x/restore"),
    ] {
        Api::send(api.request(method, path)).await.expect(404, "C_008");
    }
}
