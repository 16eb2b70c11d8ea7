//! Who is let in where managers are verified.

use reqwest::Method;
use ring::hmac;
use serde_json::{Value, json};
use tests::{
    Api, Response, VerifiedService,
    issuer::{Key, seconds_from_now},
    sample::MANAGER,
};

fn with(mut object: Value, name: &str, value: impl Into<Value>) -> Value {
    object[name] = value.into();
    object
}

fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().unwrap().remove(name);
    object
}

fn base64(bytes: &[u8]) -> String {
    base64_simd::URL_SAFE_NO_PAD.encode_to_string(bytes)
}

/// A token that is signed by a secret.
fn hs256(kid: &Value, claims: &Value, secret: &[u8]) -> String {
    let message = local::issuer::signing_input(&json!({"alg": "HS256", "kid": kid}), claims);
    let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
    format!("{message}.{}", base64(signature.as_ref()))
}

/// The token with other claims under the same signature.
fn tampered(token: &str, claims: &Value) -> String {
    let [header, _, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!("{token}") };
    format!("{header}.{}.{signature}", base64(claims.to_string().as_bytes()))
}

/// What a caller may see of an answer, but for the id of the request.
fn seen(answer: &Response) -> (u16, String, String) {
    (answer.status, answer.text(), answer.header("WWW-Authenticate").to_owned())
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
    for right in [
        with(claims.clone(), "aud", json!(["other", "tickets"])),
        with(claims.clone(), "sub", MANAGER.to_uppercase()),
        with(claims.clone(), "roles", "manager"),
        with(claims.clone(), "roles", "reader manager"),
        with(claims.clone(), "nbf", seconds_from_now(-60)),
        // Clocks may be half a minute apart.
        with(claims.clone(), "nbf", seconds_from_now(20)),
        with(claims.clone(), "exp", seconds_from_now(-5)),
    ] {
        verified.authorize(&format!("Bearer {}", verified.key.token(&right))).await.expect(404, "E_002");
    }
}

#[tokio::test]
async fn invalid_tokens_look_alike() {
    let verified = VerifiedService::start().await;
    let (key, rsa, stranger) = (&verified.key, Key::rs256(), Key::es256());
    let (header, claims) = (key.header(), verified.issuer.claims(MANAGER));
    let right = key.token(&claims);
    let modulus = rsa.public()["n"].as_str().unwrap().to_owned();
    let none = local::issuer::signing_input(&with(header.clone(), "alg", "none"), &claims);
    let wrong = [
        ("expired", key.token(&with(claims.clone(), "exp", seconds_from_now(-31)))),
        ("not yet valid", key.token(&with(claims.clone(), "nbf", seconds_from_now(3_600)))),
        ("never ending", key.token(&without(claims.clone(), "exp"))),
        ("an end that is no number", key.token(&with(claims.clone(), "exp", "2100-01-01"))),
        ("a beginning that is no number", key.token(&with(claims.clone(), "nbf", "tomorrow"))),
        ("of another issuer", key.token(&with(claims.clone(), "iss", "https://id.example"))),
        ("of no issuer", key.token(&without(claims.clone(), "iss"))),
        ("for others", key.token(&with(claims.clone(), "aud", "other"))),
        ("for anyone", key.token(&without(claims.clone(), "aud"))),
        ("of somebody who is no id", key.token(&with(claims.clone(), "sub", "kim"))),
        ("of nobody", key.token(&without(claims.clone(), "sub"))),
        ("unsigned", format!("{none}.")),
        ("unsigned, with a signature", format!("{none}.{}", right.rsplit('.').next().unwrap())),
        ("signed by the modulus in public", hs256(&rsa.header()["kid"], &claims, modulus.as_bytes())),
        ("signed by the key in public", hs256(&header["kid"], &claims, key.public().to_string().as_bytes())),
        ("of the other key", key.token_with_header(&with(header.clone(), "kid", "rsa"), &claims)),
        ("of the other algorithm", key.token_with_header(&with(header.clone(), "alg", "RS256"), &claims)),
        ("of the other key and algorithm", key.token_with_header(&rsa.header(), &claims)),
        ("of a longer algorithm", rsa.token_with_header(&with(rsa.header(), "alg", "RS512"), &claims)),
        ("of an unknown algorithm", key.token_with_header(&with(header.clone(), "alg", "XS256"), &claims)),
        ("of an unknown key", key.token_with_header(&with(header.clone(), "kid", "unknown"), &claims)),
        ("of no key", key.token_with_header(&without(header.clone(), "kid"), &claims)),
        ("of a stranger", stranger.token(&claims)),
        ("of a stranger by a known name", stranger.token_with_header(&header, &claims)),
        (
            "with a key of its own",
            stranger.token_with_header(&with(header.clone(), "jwk", stranger.public()), &claims),
        ),
        ("critical", key.token_with_header(&with(header.clone(), "crit", json!(["b64"])), &claims)),
        (
            "tampered with",
            tampered(&right, &with(claims.clone(), "sub", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e12")),
        ),
        ("cut off", right[..right.len() - 4].to_owned()),
        ("without a signature", right.rsplit_once('.').unwrap().0.to_owned()),
        ("of four parts", format!("{right}.a")),
        ("garbage", "a.b.c".to_owned()),
        ("a word", "token".to_owned()),
    ];
    let nobody = Api::send(verified.delete_request("x")).await.expect(401, "AM_001");
    assert_eq!(nobody.header("WWW-Authenticate"), "Bearer");
    for (what, token) in wrong {
        assert_eq!(seen(&verified.authorize(&format!("Bearer {token}")).await), seen(&nobody), "{what}");
    }
    for authorization in [right.clone(), format!("Basic {right}"), "Bearer".to_owned(), String::new()] {
        assert_eq!(seen(&verified.authorize(&authorization).await), seen(&nobody), "{authorization}");
    }
    let bearer = format!("Bearer {right}");
    let twice =
        verified.delete_request("x").header("Authorization", &bearer).header("Authorization", &bearer);
    assert_eq!(seen(&Api::send(twice).await), seen(&nobody));
}

#[tokio::test]
async fn other_role_is_forbidden() {
    let verified = VerifiedService::start().await;
    let claims = verified.issuer.claims(MANAGER);
    for other in [
        without(claims.clone(), "roles"),
        with(claims.clone(), "roles", json!([])),
        with(claims.clone(), "roles", json!(["reader", "managers"])),
        with(claims.clone(), "roles", "Manager"),
        with(claims.clone(), "roles", json!({"manager": true})),
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
    let unreadable = || verified.api.request(Method::POST, "/api/v1/events").body("x".repeat(5_000_000));
    Api::send(unreadable()).await.expect(401, "AM_001");
    let token = verified.token(MANAGER);
    let another =
        unreadable().bearer_auth(&token).header("x-api-managerId", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e12");
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
