//! `GET /.well-known/jwks.json`

use tests::prelude::*;
use tests::token::Jwt;

/// RFC 7517.
#[tokio::test]
async fn keys_are_public() {
    let api = Api::new();
    let response = api.get("/.well-known/jwks.json").await;
    assert_eq!(response.header("Cache-Control"), "public, max-age=3600");
    assert_eq!(response.header("Content-Type"), "application/json");
    let keys = response.json();
    let keys = keys["keys"].as_array().unwrap();
    let is_of_tickets = |key: &Value| key["kid"].as_str().unwrap().starts_with("ticket-");
    assert_eq!(keys.iter().map(is_of_tickets).collect::<Vec<_>>(), [false, false, false, true]);
    for key in keys {
        let mut names: Vec<_> = key.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["alg", "crv", "kid", "kty", "use", "x", "y"]);
        assert_eq!([&key["kty"], &key["crv"], &key["alg"], &key["use"]], ["EC", "P-256", "ES256", "sig"]);
    }
}

/// OpenID Connect Discovery 1.0, 4.3.
#[tokio::test]
async fn configuration_leads_to_keys() {
    let api = Api::new();
    let response = api.get("/.well-known/openid-configuration").await;
    assert_eq!(response.header("Cache-Control"), "public, max-age=3600");
    let configuration = response.json();
    let (_, tokens) = api.joined_with_session().await;
    let token = Jwt::read(tokens["accessToken"].as_str().unwrap());
    assert_eq!(configuration["issuer"], token.claims["iss"]);
    let keys = format!("{}/.well-known/jwks.json", configuration["issuer"].as_str().unwrap());
    assert_eq!(configuration["jwks_uri"], Value::from(keys));
    let documented = api.get("/.well-known/jwks.json").await.json();
    assert_eq!(documented["keys"][0]["kid"], token.header["kid"]);
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn keys_need_no_call() {
        let service = Service::start().await;
        for path in ["jwks.json", "openid-configuration"] {
            let effect = service.effect(service.api.get(&format!("/.well-known/{path}"))).await;
            assert_eq!(effect.usage.to_string(), "no calls: 0 read, 0 write units");
        }
        service.check_permissions("auth-keys");
    }
}
