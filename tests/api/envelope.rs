//! Headers of all responses.

use reqwest::Method;
use tests::{Api, Response, sample};

fn assert_common(response: &Response) {
    let varied = response.varied();
    assert_eq!(varied[..3], ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"]);
    // Only the routes of `gzip.rs` have another name, and the preflights that share a function with them.
    assert!(varied[3..].iter().all(|name| *name == "Accept-Encoding"), "{varied:?}");
    assert_eq!(response.header("Access-Control-Allow-Origin"), "*");
    assert!(!response.header("x-request-id").is_empty());
}

#[tokio::test]
async fn all_responses_share_headers() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0");
    let id = created.data()["id"].as_str().unwrap().to_owned();
    let responses = [
        created,
        api.join(&sample::member()).await,
        api.join(&serde_json::json!({})).await,
        api.login(&sample::member()).await,
        api.get("/api/v1/events").await,
        api.get("/api/v1/events?limit=0").await,
        api.event(&id).await,
        api.event("none").await,
        api.delete("none").await,
        api.restore(&id).await,
    ];
    for response in responses {
        assert_common(&response);
        assert_eq!(response.header("Content-Type"), "application/json");
    }
    let deleted = api.delete(&id).await;
    assert_common(&deleted);
}

#[tokio::test]
async fn writes_and_errors_are_no_store() {
    let (api, member) = (Api::new(), sample::member());
    let created = api.create(&sample::event()).await.expect(201, "0");
    let id = created.data()["id"].as_str().unwrap().to_owned();
    let preflight = api
        .request(Method::OPTIONS, "/api/v1/events")
        .header("Origin", "https://tickets.example")
        .header("Access-Control-Request-Method", "POST");
    let responses = [
        created,
        api.join(&member).await.expect(201, "0"),
        api.join(&member).await.expect(409, "AJ_001"),
        api.login(&member).await.expect(200, "0"),
        api.login(&sample::member()).await.expect(401, "AL_001"),
        api.get("/api/v1/events?limit=0").await.expect(400, "C_003"),
        api.event("none").await.expect(404, "E_002"),
        api.delete(&id).await,
        api.delete(&id).await.expect(404, "E_002"),
        api.restore(&id).await.expect(200, "0"),
        Api::send(preflight).await,
    ];
    for response in responses {
        let cache_control: Vec<_> = response.headers.get_all("Cache-Control").iter().collect();
        assert_eq!(cache_control, ["no-store"], "{}", response.status);
    }
}

#[tokio::test]
async fn gateway_response_shares_headers() {
    let response = Api::new().get("/api/v1/nothing").await;
    assert_common(&response);
    assert_eq!(response.header("Cache-Control"), "no-store");
    assert_eq!(response.header("Content-Type"), "application/json");
}

#[tokio::test]
async fn request_ids_are_unique() {
    let api = Api::new();
    let (first, second) = (api.get("/api/v1/events").await, api.get("/api/v1/events").await);
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
}

#[tokio::test]
async fn any_origin_may_read_responses() {
    let request = Api::new().request(Method::GET, "/api/v1/events").header("Origin", "https://tickets.example");
    let response = Api::send(request).await;
    assert_eq!(response.header("Access-Control-Allow-Origin"), "*");
    let exposed = response.header("Access-Control-Expose-Headers").to_ascii_lowercase();
    for name in ["location", "link", "etag", "retry-after", "x-request-id"] {
        assert!(exposed.split(',').any(|exposed| exposed.trim() == name), "{exposed}");
    }
}

#[tokio::test]
async fn preflight_lists_allowed_headers() {
    for (path, method) in [("/api/v1/events", "POST"), ("/api/v1/members/join", "POST"), ("/api/v1/events/x", "DELETE")]
    {
        let request = Api::new()
            .request(Method::OPTIONS, path)
            .header("Origin", "https://tickets.example")
            .header("Access-Control-Request-Method", method)
            .header("Access-Control-Request-Headers", "x-api-managerid");
        let response = Api::send(request).await;
        assert!((200..300).contains(&response.status), "{}", response.status);
        assert_common(&response);
        assert!(response.header("Access-Control-Allow-Methods").contains(method));
        let allowed = response.header("Access-Control-Allow-Headers").to_ascii_lowercase();
        for name in ["content-type", "authorization", "x-api-managerid", "idempotency-key", "if-none-match", "if-match"]
        {
            assert!(allowed.split(',').any(|allowed| allowed.trim() == name), "{allowed}");
        }
    }
}
