//! Verification of tokens when their issuer changes or fails.

use futures_util::future::join_all;
use tests::{
    Response, VerifiedService,
    issuer::{Document, Key},
    sample::MANAGER,
};

/// Sends a deletion with a token signed by this key.
async fn authorize_with(verified: &VerifiedService, key: &Key) -> Response {
    verified.authorize(&format!("Bearer {}", key.token(&verified.issuer.claims(MANAGER)))).await
}

#[tokio::test]
async fn key_rotation_is_immediate() {
    let verified = VerifiedService::start().await;
    let (old, new) = (&verified.key, Key::es256());
    authorize_with(&verified, old).await.expect(404, "E_002");
    verified.issuer.rotate(&[&new]);
    authorize_with(&verified, &new).await.expect(404, "E_002");
    authorize_with(&verified, old).await.expect(401, "AM_001");
}

#[tokio::test]
async fn keys_are_fetched_only_if_needed() {
    let verified = VerifiedService::start().await;
    assert_eq!(verified.issuer.fetches(), 0);
    let responses = join_all((0..8).map(|_| authorize_with(&verified, &verified.key))).await;
    assert!(responses.iter().all(|response| response.status == 404));
    assert_eq!(verified.issuer.fetches(), 1);

    for unknown_key in [Key::es256(), Key::es256(), Key::es256()] {
        authorize_with(&verified, &unknown_key).await.expect(401, "AM_001");
    }
    assert_eq!(verified.issuer.fetches(), 2);
}

#[tokio::test]
async fn malformed_token_fetches_no_keys() {
    let verified = VerifiedService::start().await;
    for authorization in ["Bearer a.b.c", "Basic YTpi", ""] {
        verified.authorize(authorization).await.expect(401, "AM_001");
    }
    assert_eq!(verified.issuer.fetches(), 0);
}

#[tokio::test]
async fn failed_key_fetch_is_server_error() {
    let none = r#"{"keys": [{"kty": "oct", "kid": "a", "k": "AA"}]}"#;
    for (case, document) in [
        ("failure", Document::Response(503, String::new())),
        ("garbage", Document::Response(200, "<html>".to_owned())),
        ("no keys", Document::Response(200, r#"{"keys": []}"#.to_owned())),
        ("no usable key", Document::Response(200, none.to_owned())),
        ("too many keys", Document::Response(200, format!(r#"{{"keys": [], "a": "{}"}}"#, "a".repeat(300_000)))),
        ("redirect", Document::Redirect),
        ("no response", Document::NoResponse),
    ] {
        let verified = VerifiedService::start().await;
        verified.issuer.set_keys(document);
        let response = authorize_with(&verified, &verified.key).await;
        assert_eq!((response.status, response.code().as_str()), (500, "S_001"), "{case}");
    }
}

#[tokio::test]
async fn failed_key_fetch_is_not_repeated() {
    let verified = VerifiedService::start().await;
    verified.issuer.set_keys(Document::Response(503, String::new()));
    for _ in 0..3 {
        authorize_with(&verified, &verified.key).await.expect(500, "S_001");
    }
    assert_eq!(verified.issuer.fetches(), 1);
}

#[tokio::test]
async fn mismatched_issuer_is_rejected() {
    for (issuer, keys) in [("https://id.example", "URL/keys"), ("URL/", "URL/keys"), ("URL", "http://id.example/keys")]
    {
        let verified = VerifiedService::start().await;
        let [claimed, keys] = [issuer, keys].map(|text| text.replace("URL", verified.issuer.url()));
        verified.issuer.set_metadata(&claimed, &keys);
        authorize_with(&verified, &verified.key).await.expect(500, "S_001");
        assert_eq!(verified.issuer.fetches(), 0, "{issuer}");
    }
    let verified = VerifiedService::start().await;
    verified.issuer.set_discovery(Document::Response(404, String::new()));
    authorize_with(&verified, &verified.key).await.expect(500, "S_001");
    assert_eq!(verified.issuer.fetches(), 0);
}

#[tokio::test]
async fn cached_keys_survive_failure() {
    let verified = VerifiedService::start().await;
    authorize_with(&verified, &verified.key).await.expect(404, "E_002");
    verified.issuer.set_keys(Document::Response(503, String::new()));
    for _ in 0..2 {
        // The key may be valid, since its issuer fails; the failed fetch is not repeated.
        authorize_with(&verified, &Key::es256()).await.expect(500, "S_001");
    }
    assert_eq!(verified.issuer.fetches(), 2);
    authorize_with(&verified, &verified.key).await.expect(404, "E_002");
}
