//! `managers-authorize`, which the gateway invokes before each function that only managers may call.

use tests::prelude::*;
use tests::{
    issuer::{Key, seconds_from_now},
    token::{Jwt, hs256, tampered, unsigned, with, without},
};

/// Sends a deletion with a token signed by this key.
pub async fn authorize_with(verified: &VerifiedService, key: &Key) -> Response {
    verified.authorize(&format!("Bearer {}", key.token(&verified.issuer.claims(MANAGER)))).await
}

#[tokio::test]
async fn valid_tokens_are_accepted() {
    let verified = VerifiedService::start().await;
    let (claims, key) = (verified.issuer.claims(MANAGER), &verified.key);
    for scheme in ["Bearer", "bearer"] {
        verified.authorize(&format!("{scheme} {}", Key::rs256().token(&claims))).await.check(404, "E_002");
    }
    for valid in [
        claims.clone(),
        with(&claims, "aud", json!(["other", "tickets"])),
        with(&claims, "sub", MANAGER.to_uppercase()),
        with(&claims, "sub", "google-oauth2|110169484474386276334"),
        with(&claims, "roles", "manager"),
        with(&claims, "roles", "reader manager"),
        with(&claims, "nbf", seconds_from_now(-60)),
        // Clocks may differ by half a minute.
        with(&claims, "nbf", seconds_from_now(20)),
        with(&claims, "exp", seconds_from_now(-5)),
    ] {
        verified.authorize(&format!("Bearer {}", key.token(&valid))).await.check(404, "E_002");
    }
    for other_role in [
        without(&claims, "roles"),
        with(&claims, "roles", json!([])),
        with(&claims, "roles", json!(["reader", "managers"])),
        with(&claims, "roles", "Manager"),
        with(&claims, "roles", json!({"manager": true})),
    ] {
        verified.authorize(&format!("Bearer {}", key.token(&other_role))).await.check(403, "AM_002");
    }
}

#[tokio::test]
async fn invalid_tokens_look_alike() {
    let verified = VerifiedService::start().await;
    let (key, rsa, unknown_key) = (&verified.key, Key::rs256(), Key::es256());
    let (header, claims) = (key.header(), verified.issuer.claims(MANAGER));
    let valid = key.token(&claims);
    let modulus = rsa.public()["n"].as_str().unwrap().to_owned();
    let none = unsigned(&header, &claims);
    let invalid = [
        ("expired", key.token(&with(&claims, "exp", seconds_from_now(-31)))),
        ("not yet valid", key.token(&with(&claims, "nbf", seconds_from_now(3_600)))),
        ("no expiry", key.token(&without(&claims, "exp"))),
        ("expiry not a number", key.token(&with(&claims, "exp", "2100-01-01"))),
        ("start not a number", key.token(&with(&claims, "nbf", "tomorrow"))),
        ("other issuer", key.token(&with(&claims, "iss", "https://id.example"))),
        ("array of issuers", key.token(&with(&claims, "iss", json!([claims["iss"], "https://id.example"])))),
        ("no issuer", key.token(&without(&claims, "iss"))),
        ("other audience", key.token(&with(&claims, "aud", "other"))),
        ("no audience", key.token(&without(&claims, "aud"))),
        ("empty subject", key.token(&with(&claims, "sub", ""))),
        ("no subject", key.token(&without(&claims, "sub"))),
        ("order service with an empty subject", key.token(&with(&with(&claims, "roles", "order"), "sub", ""))),
        ("order service without a subject", key.token(&without(&with(&claims, "roles", "order"), "sub"))),
        (
            "manager and order service without a subject",
            key.token(&without(&with(&claims, "roles", "manager order"), "sub")),
        ),
        ("algorithm none", format!("{none}.")),
        ("algorithm none, with a signature", format!("{none}.{}", valid.rsplit('.').next().unwrap())),
        ("HMAC with the public modulus", hs256(&rsa.header(), &claims, modulus.as_bytes())),
        ("HMAC with the public key", hs256(&header, &claims, key.public().to_string().as_bytes())),
        ("id of the other key", key.token_with_header(&with(&header, "kid", "rsa"), &claims)),
        ("other algorithm", key.token_with_header(&with(&header, "alg", "RS256"), &claims)),
        ("other key and algorithm", key.token_with_header(&rsa.header(), &claims)),
        ("longer algorithm", rsa.token_with_header(&with(&rsa.header(), "alg", "RS512"), &claims)),
        ("unknown algorithm", key.token_with_header(&with(&header, "alg", "XS256"), &claims)),
        ("unknown key id", key.token_with_header(&with(&header, "kid", "unknown"), &claims)),
        ("no key id", key.token_with_header(&without(&header, "kid"), &claims)),
        ("unknown key with a known id", unknown_key.token_with_header(&header, &claims)),
        ("key in the token", unknown_key.token_with_header(&with(&header, "jwk", unknown_key.public()), &claims)),
        ("critical header", key.token_with_header(&with(&header, "crit", json!(["b64"])), &claims)),
        ("changed claims", tampered(&valid, &with(&claims, "sub", OTHER_MANAGER))),
        ("truncated", valid[..valid.len() - 4].to_owned()),
        ("no signature", valid.rsplit_once('.').unwrap().0.to_owned()),
        ("four parts", format!("{valid}.a")),
        ("garbage", "a.b.c".to_owned()),
    ];
    let missing = verified.api.delete("x").await;
    assert_snapshot!(missing, @r#"
    401
    www-authenticate: Bearer
    {"message": "관리자 인증 토큰이 없거나 유효하지 않습니다.", "code": "AM_001"}
    "#);
    for (case, token) in invalid {
        assert_eq!(verified.authorize(&format!("Bearer {token}")).await.to_string(), missing.to_string(), "{case}");
    }
    for authorization in [valid.clone(), format!("Basic {valid}"), "Bearer".to_owned(), String::new()] {
        assert_eq!(verified.authorize(&authorization).await.to_string(), missing.to_string(), "{authorization}");
    }
    let bearer = format!("Bearer {valid}");
    let twice = [("Authorization", &*bearer), ("Authorization", &*bearer)];
    let twice = verified.api.send_with(Method::DELETE, "/api/v1/events/x", &twice).await;
    assert_eq!(twice.to_string(), missing.to_string());
}

#[tokio::test]
async fn manager_is_named_only_by_token() {
    let verified = VerifiedService::start().await;
    let form = sample::form(&sample::event());
    let owner = verified.by(MANAGER);
    let create = async |api: &Api, managers: &[&str]| {
        let request = api.request(Method::POST, "/api/v1/events").header("Content-Type", form.content_type());
        let request = managers.iter().fold(request, |request, id| request.header("x-api-managerId", *id));
        Api::send(request.body(form.body())).await
    };
    for managers in [&[][..], &[MANAGER]] {
        create(&verified.api, managers).await.check(401, "AM_001");
    }
    for managers in [&[OTHER_MANAGER][..], &[""], &["kim"], &[MANAGER, OTHER_MANAGER]] {
        create(&owner, managers).await.check(403, "AM_002");
    }
    let id = create(&owner, &[&MANAGER.to_uppercase()]).await.expect(201, "0").id();
    for (manager, status) in [(OTHER_MANAGER, 403), (MANAGER, 204)] {
        let named = [("x-api-managerId", manager)];
        let deletion = owner.send_with(Method::DELETE, &format!("/api/v1/events/{id}"), &named).await;
        assert_eq!(deletion.status, status);
    }
}

#[tokio::test]
async fn authorization_precedes_validation() {
    let verified = VerifiedService::start().await;
    let unreadable = |api: &Api| api.request(Method::POST, "/api/v1/events").body("x".repeat(4_700_001));
    let owner = verified.by(MANAGER);
    Api::send(unreadable(&verified.api)).await.check(401, "AM_001");
    Api::send(unreadable(&owner).header("x-api-managerId", OTHER_MANAGER)).await.check(403, "AM_002");
    Api::send(unreadable(&owner)).await.check(415, "C_004");
}

#[tokio::test]
async fn other_routes_need_no_token() {
    let verified = VerifiedService::start().await;
    let id = verified.by(MANAGER).created().await;
    for path in ["", &format!("/{id}"), &format!("/{id}/detail"), &format!("/{id}/seat-map.svg")] {
        assert_eq!(verified.api.get(&format!("/api/v1/events{path}")).await.status, 200, "{path}");
    }
    verified.api.join(&sample::member()).await.check(201, "0");
}

/// Tokens of members are none of managers, whoever signed them.
#[tokio::test]
async fn tokens_of_members_are_rejected() {
    let verified = VerifiedService::start().await;
    let (_, tokens) = verified.api.joined_with_session().await;
    let members_key = verified.service.signing_key();
    let (header, claims) = (verified.key.header(), verified.issuer.claims(MANAGER));
    let of_member = Jwt::read(tokens["accessToken"].as_str().unwrap());
    for (case, token) in [
        ("of a member", tokens["accessToken"].as_str().unwrap().to_owned()),
        ("claims of a manager", members_key.sign(&of_member.header, &claims)),
        ("id of the other key", members_key.sign(&header, &claims)),
        ("of a member, with the id of the other key", members_key.sign(&header, &of_member.claims)),
    ] {
        let response = verified.authorize(&format!("Bearer {token}")).await;
        assert_eq!((response.status, &*response.code()), (401, "AM_001"), "{case}");
    }
    // An issuer of managers that signs what a member's token says has given no role.
    let same_issuer = with(&of_member.claims, "iss", verified.issuer.url());
    let same_audience = with(&same_issuer, "aud", claims["aud"].clone());
    for (claims, status) in [(same_issuer, 401), (same_audience, 403)] {
        let token = verified.key.token_with_header(&with(&header, "typ", "at+jwt"), &claims);
        assert_eq!(verified.authorize(&format!("Bearer {token}")).await.status, status);
    }
}
