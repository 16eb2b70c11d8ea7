//! Keys of the issuer, which `managers-authorize` fetches.

use futures_util::future::join_all;
use tests::issuer::{Document, Key};
use tests::prelude::*;

use super::authorize::authorize_with;

#[tokio::test]
async fn keys_are_fetched_only_if_needed() {
    let verified = VerifiedService::start().await;
    for malformed in ["Bearer a.b.c", "Basic YTpi", ""] {
        verified.authorize(malformed).await.check(401, "AM_001");
    }
    assert_eq!(verified.issuer.fetches(), 0);
    let responses = join_all((0..8).map(|_| authorize_with(&verified, &verified.key))).await;
    assert!(responses.iter().all(|response| response.status == 404));
    assert_eq!(verified.issuer.fetches(), 1);
    for unknown_key in [Key::es256(), Key::es256(), Key::es256()] {
        authorize_with(&verified, &unknown_key).await.check(401, "AM_001");
    }
    assert_eq!(verified.issuer.fetches(), 2);
}

#[tokio::test]
async fn key_rotation_is_immediate() {
    let verified = VerifiedService::start().await;
    let (old, new) = (&verified.key, Key::es256());
    authorize_with(&verified, old).await.check(404, "E_002");
    verified.issuer.rotate(&[&new]);
    authorize_with(&verified, &new).await.check(404, "E_002");
    authorize_with(&verified, old).await.check(401, "AM_001");
}

#[tokio::test]
async fn failed_key_fetch_is_server_error() {
    let no_usable = r#"{"keys": [{"kty": "oct", "kid": "a", "k": "AA"}]}"#;
    for (case, document) in [
        ("failure", Document::Response(503, String::new())),
        ("garbage", Document::Response(200, "<html>".to_owned())),
        ("no usable key", Document::Response(200, no_usable.to_owned())),
        ("too many keys", Document::Response(200, format!(r#"{{"keys": [], "a": "{}"}}"#, "a".repeat(300_000)))),
        ("redirect", Document::Redirect),
        ("no response", Document::NoResponse),
    ] {
        let verified = VerifiedService::start().await;
        verified.issuer.set_keys(document);
        // The failed fetch is not repeated.
        for _ in 0..2 {
            let response = authorize_with(&verified, &verified.key).await;
            assert_eq!((response.status, &*response.code()), (500, "S_001"), "{case}");
        }
        assert!(verified.issuer.fetches() <= 1, "{case}");
    }
}

#[tokio::test]
async fn cached_keys_survive_failure() {
    let verified = VerifiedService::start().await;
    authorize_with(&verified, &verified.key).await.check(404, "E_002");
    verified.issuer.set_keys(Document::Response(503, String::new()));
    for _ in 0..2 {
        // The key may be valid, since its issuer fails; the failed fetch is not repeated.
        authorize_with(&verified, &Key::es256()).await.check(500, "S_001");
    }
    assert_eq!(verified.issuer.fetches(), 2);
    authorize_with(&verified, &verified.key).await.check(404, "E_002");
}

#[tokio::test]
async fn mismatched_issuer_is_rejected() {
    let no_metadata = Document::Response(404, String::new());
    let verified = VerifiedService::start().await;
    verified.issuer.set_discovery(no_metadata);
    authorize_with(&verified, &verified.key).await.check(500, "S_001");
    for (issuer, keys) in [("https://id.example", "URL/keys"), ("URL/", "URL/keys"), ("URL", "http://id.example/keys")]
    {
        let verified = VerifiedService::start().await;
        let [claimed, keys] = [issuer, keys].map(|text| text.replace("URL", verified.issuer.url()));
        verified.issuer.set_metadata(&claimed, &keys);
        authorize_with(&verified, &verified.key).await.check(500, "S_001");
        assert_eq!(verified.issuer.fetches(), 0, "{issuer}");
    }
}
