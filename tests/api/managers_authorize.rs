//! Authorization of requests if managers are verified.

use reqwest::Method;
use ring::hmac;
use serde_json::{Value, json};
use tests::{
    Api, Response, VerifiedService,
    issuer::{Key, seconds_from_now},
    sample::MANAGER,
};

fn set(mut object: Value, name: &str, value: impl Into<Value>) -> Value {
    object[name] = value.into();
    object
}

fn remove(mut object: Value, name: &str) -> Value {
    object.as_object_mut().unwrap().remove(name);
    object
}

fn base64(bytes: &[u8]) -> String {
    base64_simd::URL_SAFE_NO_PAD.encode_to_string(bytes)
}

/// Creates a token signed with a secret.
fn hs256(kid: &Value, claims: &Value, secret: &[u8]) -> String {
    let message = local::issuer::signing_input(&json!({"alg": "HS256", "kid": kid}), claims);
    let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
    format!("{message}.{}", base64(signature.as_ref()))
}

/// Replaces the claims of a token, but keeps its signature.
fn tampered(token: &str, claims: &Value) -> String {
    let [header, _, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!("{token}") };
    format!("{header}.{}.{signature}", base64(claims.to_string().as_bytes()))
}

/// Returns the visible parts of a response, except the request id.
fn content(response: &Response) -> (u16, String, String) {
    (response.status, response.text(), response.header("WWW-Authenticate").to_owned())
}

#[tokio::test]
async fn both_algorithms_are_accepted() {
    let verified = VerifiedService::start().await;
    let claims = verified.issuer.claims(MANAGER);
    for token in [verified.key.token(&claims), Key::rs256().token(&claims)] {
        for scheme in ["Bearer", "bearer"] {
            verified.authorize(&format!("{scheme} {token}")).await.expect(404, "E_002");
        }
    }
}

#[tokio::test]
async fn all_forms_of_claims_are_accepted() {
    let verified = VerifiedService::start().await;
    let claims = verified.issuer.claims(MANAGER);
    for valid in [
        set(claims.clone(), "aud", json!(["other", "tickets"])),
        set(claims.clone(), "sub", MANAGER.to_uppercase()),
        set(claims.clone(), "roles", "manager"),
        set(claims.clone(), "roles", "reader manager"),
        set(claims.clone(), "nbf", seconds_from_now(-60)),
        // Clocks may differ by half a minute.
        set(claims.clone(), "nbf", seconds_from_now(20)),
        set(claims.clone(), "exp", seconds_from_now(-5)),
    ] {
        verified.authorize(&format!("Bearer {}", verified.key.token(&valid))).await.expect(404, "E_002");
    }
}

#[tokio::test]
async fn invalid_tokens_look_alike() {
    let verified = VerifiedService::start().await;
    let (key, rsa, unknown_key) = (&verified.key, Key::rs256(), Key::es256());
    let (header, claims) = (key.header(), verified.issuer.claims(MANAGER));
    let valid = key.token(&claims);
    let modulus = rsa.public()["n"].as_str().unwrap().to_owned();
    let none = local::issuer::signing_input(&set(header.clone(), "alg", "none"), &claims);
    let invalid = [
        ("expired", key.token(&set(claims.clone(), "exp", seconds_from_now(-31)))),
        ("not yet valid", key.token(&set(claims.clone(), "nbf", seconds_from_now(3_600)))),
        ("no expiry", key.token(&remove(claims.clone(), "exp"))),
        ("expiry not a number", key.token(&set(claims.clone(), "exp", "2100-01-01"))),
        ("start not a number", key.token(&set(claims.clone(), "nbf", "tomorrow"))),
        ("other issuer", key.token(&set(claims.clone(), "iss", "https://id.example"))),
        ("array of issuers", key.token(&set(claims.clone(), "iss", json!([claims["iss"], "https://id.example"])))),
        ("no issuer", key.token(&remove(claims.clone(), "iss"))),
        ("other audience", key.token(&set(claims.clone(), "aud", "other"))),
        ("no audience", key.token(&remove(claims.clone(), "aud"))),
        ("subject not an id", key.token(&set(claims.clone(), "sub", "kim"))),
        ("no subject", key.token(&remove(claims.clone(), "sub"))),
        ("algorithm none", format!("{none}.")),
        ("algorithm none, with a signature", format!("{none}.{}", valid.rsplit('.').next().unwrap())),
        ("HMAC with the public modulus", hs256(&rsa.header()["kid"], &claims, modulus.as_bytes())),
        ("HMAC with the public key", hs256(&header["kid"], &claims, key.public().to_string().as_bytes())),
        ("id of the other key", key.token_with_header(&set(header.clone(), "kid", "rsa"), &claims)),
        ("other algorithm", key.token_with_header(&set(header.clone(), "alg", "RS256"), &claims)),
        ("other key and algorithm", key.token_with_header(&rsa.header(), &claims)),
        ("longer algorithm", rsa.token_with_header(&set(rsa.header(), "alg", "RS512"), &claims)),
        ("unknown algorithm", key.token_with_header(&set(header.clone(), "alg", "XS256"), &claims)),
        ("unknown key id", key.token_with_header(&set(header.clone(), "kid", "unknown"), &claims)),
        ("no key id", key.token_with_header(&remove(header.clone(), "kid"), &claims)),
        ("unknown key", unknown_key.token(&claims)),
        ("unknown key with a known id", unknown_key.token_with_header(&header, &claims)),
        ("key in the token", unknown_key.token_with_header(&set(header.clone(), "jwk", unknown_key.public()), &claims)),
        ("critical header", key.token_with_header(&set(header.clone(), "crit", json!(["b64"])), &claims)),
        ("changed claims", tampered(&valid, &set(claims.clone(), "sub", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e12"))),
        ("truncated", valid[..valid.len() - 4].to_owned()),
        ("no signature", valid.rsplit_once('.').unwrap().0.to_owned()),
        ("four parts", format!("{valid}.a")),
        ("garbage", "a.b.c".to_owned()),
        ("single word", "token".to_owned()),
    ];
    let missing = Api::send(verified.delete_request("x")).await.expect(401, "AM_001");
    assert_eq!(missing.header("WWW-Authenticate"), "Bearer");
    for (case, token) in invalid {
        assert_eq!(content(&verified.authorize(&format!("Bearer {token}")).await), content(&missing), "{case}");
    }
    for authorization in [valid.clone(), format!("Basic {valid}"), "Bearer".to_owned(), String::new()] {
        assert_eq!(content(&verified.authorize(&authorization).await), content(&missing), "{authorization}");
    }
    let bearer = format!("Bearer {valid}");
    let twice = verified.delete_request("x").header("Authorization", &bearer).header("Authorization", &bearer);
    assert_eq!(content(&Api::send(twice).await), content(&missing));
}

#[tokio::test]
async fn other_role_is_forbidden() {
    let verified = VerifiedService::start().await;
    let claims = verified.issuer.claims(MANAGER);
    for other in [
        remove(claims.clone(), "roles"),
        set(claims.clone(), "roles", json!([])),
        set(claims.clone(), "roles", json!(["reader", "managers"])),
        set(claims.clone(), "roles", "Manager"),
        set(claims.clone(), "roles", json!({"manager": true})),
    ] {
        verified.authorize(&format!("Bearer {}", verified.key.token(&other))).await.expect(403, "AM_002");
    }
}

#[tokio::test]
async fn create_requires_token() {
    let verified = VerifiedService::start().await;
    let named = verified.create_request().header("x-api-managerId", MANAGER);
    Api::send(named).await.expect(401, "AM_001");
    Api::send(verified.create_request()).await.expect(401, "AM_001");
    assert!(verified.api.get("/api/v1/events").await.ids().is_empty());
}

#[tokio::test]
async fn authorization_precedes_validation() {
    let verified = VerifiedService::start().await;
    let unreadable = || verified.api.request(Method::POST, "/api/v1/events").body("x".repeat(4_700_001));
    Api::send(unreadable()).await.expect(401, "AM_001");
    let token = verified.token(MANAGER);
    let another = unreadable().bearer_auth(&token).header("x-api-managerId", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e12");
    Api::send(another).await.expect(403, "AM_002");
    Api::send(unreadable().bearer_auth(&token)).await.expect(415, "C_004");
}

#[tokio::test]
async fn other_routes_need_no_token() {
    let verified = VerifiedService::start().await;
    let id = verified.create_event_as(MANAGER).await;
    for path in ["", &format!("/{id}"), &format!("/{id}/detail"), &format!("/{id}/seat-map.svg")] {
        assert_eq!(verified.api.get(&format!("/api/v1/events{path}")).await.status, 200, "{path}");
    }
    verified.api.join(&tests::sample::member()).await.expect(201, "0");
    for path in ["/api/v1/events", "/api/v1/events/x"] {
        let preflight = verified
            .api
            .request(Method::OPTIONS, path)
            .header("Origin", "https://tickets.example")
            .header("Access-Control-Request-Method", "DELETE");
        assert_eq!(Api::send(preflight).await.status, 200, "{path}");
    }
}
