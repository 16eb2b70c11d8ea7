//! `GET /api/v1/members/{memberId}`

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Api, Response, sample, sample::PASSWORD};

/// Requests a member with this `Authorization` header.
async fn get(api: &Api, member: &Value, authorization: &str) -> Response {
    let path = format!("/api/v1/members/{}", member["id"].as_str().unwrap());
    api.send_with(Method::GET, &path, &[("Authorization", authorization)]).await
}

#[tokio::test]
async fn member_reads_themselves() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    assert_snapshot!(api.profile(&member, &tokens).await, @r#"
    200
    {
      "message": "회원 정보를 조회했습니다.", "code": "0",
      "data": {
        "id": "[id1]", "email": "[text1]@example.com", "emailVerified": false, "name": "김철수",
        "nickname": "닉네임[text1]"
      }
    }
    "#);
    // RFC 9110, 11.1: the scheme in any case.
    let token = tokens["accessToken"].as_str().unwrap();
    for scheme in ["bearer", "BEARER", "Bearer "] {
        get(&api, &member, &format!("{scheme} {token}")).await.check(200, "0");
    }
    let upper = json!({"id": member["id"].as_str().unwrap().to_uppercase()});
    api.profile(&upper, &tokens).await.check(200, "0");
}

/// RFC 6750, 3.
#[tokio::test]
async fn missing_token_is_told() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let token = tokens["accessToken"].as_str().unwrap();
    let path = format!("/api/v1/members/{}", member["id"].as_str().unwrap());
    let missing = api.get(&path).await;
    assert_snapshot!(missing, @r#"
    401
    www-authenticate: Bearer
    {"message": "로그인이 필요합니다.", "code": "AS_002"}
    "#);
    for authorization in [format!("Basic {token}"), token.to_owned(), format!("Bearer{token}")] {
        assert_eq!(get(&api, &member, &authorization).await.to_string(), missing.to_string(), "{authorization}");
    }
    // A token that was sent is invalid, not missing.
    let invalid = get(&api, &member, "Bearer a.b.c").await;
    assert_snapshot!(invalid, @r#"
    401
    www-authenticate: Bearer error="invalid_token"
    {"message": "로그인이 필요합니다.", "code": "AS_002"}
    "#);
    for authorization in ["Bearer", "Bearer ", "Bearer ä", "Bearer a.b.c\td"] {
        assert_eq!(get(&api, &member, authorization).await.to_string(), invalid.to_string(), "{authorization}");
    }
    let bearer = format!("Bearer {token}");
    let twice = [("Authorization", &*bearer), ("Authorization", &*bearer)];
    assert_eq!(api.send_with(Method::GET, &path, &twice).await.to_string(), invalid.to_string());
}

#[tokio::test]
async fn other_members_are_not_found_out() {
    let api = Api::new();
    let (_, tokens) = api.joined_with_session().await;
    let other = api.joined().await;
    let known = api.profile(&other, &tokens).await;
    assert_snapshot!(known, @r#"
    403
    {"message": "다른 회원의 정보에는 접근할 수 없습니다.", "code": "AS_003"}
    "#);
    for unknown in [sample::UNKNOWN_EVENT, "1", "%20", "kim@example.com", &"a".repeat(1_000)] {
        let response = api.profile(&json!({"id": unknown}), &tokens).await;
        assert_eq!(response.to_string(), known.to_string(), "{unknown}");
    }
}

#[tokio::test]
async fn token_of_withdrawn_member_is_invalid() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    api.withdraw(&member, &json!({"password": PASSWORD})).await.check(204, "0");
    // Also if somebody registers with the same address, and for other members.
    let (other, _) = api.joined_with_session().await;
    let joined = api.join(&member).await.expect(201, "0").data();
    for id in [&member, &other, &joined] {
        let response = api.profile(id, &tokens).await;
        response.check(401, "AS_002");
        assert_eq!(response.header("WWW-Authenticate"), r#"Bearer error="invalid_token""#);
    }
}

mod in_process {
    use auth::access_token::SigningKey;
    use functions::auth::keys::Jwk;
    use local::Settings;
    use storage::public_key::Rotation;
    use tests::{
        Service, VerifiedService, faults,
        issuer::{Key, seconds_from_now},
        token::{Jwt, hs256, tampered, unsigned, with, without},
    };

    use super::*;

    #[tokio::test]
    async fn member_is_two_reads() {
        let service = Service::start().await;
        let (member, tokens) = service.other.joined_with_session().await;
        // The first request reads the public key.
        assert_snapshot!(service.effect(service.api.profile(&member, &tokens)).await, @"
        200
        GetItem SIGNING_KEY, GetItem MEMBER, GetItem EMAIL: 3 read, 0 write units
        ");
        assert_snapshot!(service.effect(service.api.profile(&member, &tokens)).await, @"
        200
        GetItem MEMBER, GetItem EMAIL: 2 read, 0 write units
        ");
        let other = json!({"id": sample::UNKNOWN_EVENT});
        assert_snapshot!(service.effect(service.api.profile(&other, &tokens)).await, @"
        403 AS_003 다른 회원의 정보에는 접근할 수 없습니다.
        GetItem MEMBER, GetItem EMAIL: 2 read, 0 write units
        ");
        assert_snapshot!(service.effect(get(&service.api, &member, "Bearer a.b.c")).await, @"
        401 AS_002 로그인이 필요합니다.
        no calls: 0 read, 0 write units
        ");
        service.check_permissions("members-get");
    }

    #[tokio::test]
    async fn faults_are_503() {
        let get = async |api: &Api, (member, tokens): &(Value, Value)| api.profile(member, tokens).await;
        assert_snapshot!(faults(async |service| service.other.joined_with_session().await, get).await, @"
                             once  lost  fails  unknown  ends   ends after
        GetItem SIGNING_KEY  200   200   200    200      S_003  S_003
        GetItem MEMBER       200   200   S_003  S_003    S_003  S_003
        GetItem EMAIL        200   200   S_003  S_003    S_003  S_003
        ");
    }

    /// RFC 9068, 4 and RFC 8725, 3.
    #[tokio::test]
    async fn invalid_tokens_look_alike() {
        let service = Service::start().await;
        let api = &service.api;
        let (member, tokens) = api.joined_with_session().await;
        let valid = tokens["accessToken"].as_str().unwrap();
        let Jwt { header, claims } = Jwt::read(valid);
        let key = service.signing_key();
        let unknown = SigningKey::derive(&"0123456789abcdef0123456789abcdef".parse().unwrap(), Rotation(1));
        let jwk = service.api.get("/.well-known/jwks.json").await.json()["keys"][0].clone();
        let unknown_jwk = json!(Jwk::from(unknown.public()));
        let with_header = |name: &str, value: Value| key.sign(&with(&header, name, value), &claims);
        let with_claim = |name: &str, value: Value| key.sign(&header, &with(&claims, name, value));
        let twice = claims.to_string().replacen('{', r#"{"sub":"0196a1b2-0000-4000-8000-00000000abcd","#, 1);
        let invalid = [
            ("algorithm none", format!("{}.", unsigned(&header, &claims))),
            (
                "algorithm none, with a signature",
                format!("{}.{}", unsigned(&header, &claims), valid.rsplit('.').next().unwrap()),
            ),
            ("HMAC with the public key", hs256(&header, &claims, jwk.to_string().as_bytes())),
            ("HMAC with a coordinate", hs256(&header, &claims, jwk["x"].as_str().unwrap().as_bytes())),
            ("algorithm of another curve", with_header("alg", json!("ES384"))),
            ("algorithm of RSA", with_header("alg", json!("RS256"))),
            ("type of other tokens", with_header("typ", json!("JWT"))),
            ("no type", key.sign(&without(&header, "typ"), &claims)),
            ("unknown key id", with_header("kid", json!(unknown_jwk["kid"]))),
            ("path as key id", with_header("kid", json!("../../etc/passwd"))),
            ("URL as key id", with_header("kid", json!("https://evil.example/key"))),
            ("key id of the table", with_header("kid", json!("SIGNING_KEY#1"))),
            ("empty key id", with_header("kid", json!(""))),
            ("number as key id", with_header("kid", json!(1))),
            ("no key id", key.sign(&without(&header, "kid"), &claims)),
            ("critical header", with_header("crit", json!(["b64"]))),
            ("unknown key", unknown.sign(&with(&header, "kid", unknown_jwk["kid"].clone()), &claims)),
            ("unknown key with the known id", unknown.sign(&header, &claims)),
            ("key in the token", unknown.sign(&with(&header, "jwk", unknown_jwk.clone()), &claims)),
            ("address of keys in the token", unknown.sign(&with(&header, "jku", "https://evil.example/keys"), &claims)),
            ("certificate in the token", unknown.sign(&with(&header, "x5u", "https://evil.example/key"), &claims)),
            ("expired by a second", with_claim("exp", seconds_from_now(-1).into())),
            ("expires now", with_claim("exp", seconds_from_now(0).into())),
            ("expiry as text", with_claim("exp", json!("4000000000"))),
            ("start as text", with_claim("nbf", json!("4000000000"))),
            ("past start as text", with_claim("nbf", json!("1"))),
            ("signature of zeros", format!("{}.{}", unsigned(&header, &claims), "A".repeat(86))),
            ("no expiry", key.sign(&header, &without(&claims, "exp"))),
            ("not yet valid", with_claim("nbf", seconds_from_now(60).into())),
            ("issued in the future", with_claim("iat", seconds_from_now(60).into())),
            ("other issuer", with_claim("iss", json!("https://evil.example"))),
            ("issuer with a slash", with_claim("iss", json!(format!("{}/", claims["iss"].as_str().unwrap())))),
            ("array of issuers", with_claim("iss", json!([claims["iss"]]))),
            ("no issuer", key.sign(&header, &without(&claims, "iss"))),
            ("other audience", with_claim("aud", json!("orders"))),
            ("array of audiences", with_claim("aud", json!(["members"]))),
            ("audience in other case", with_claim("aud", json!("Members"))),
            ("no audience", key.sign(&header, &without(&claims, "aud"))),
            ("subject not an id", with_claim("sub", json!("kim"))),
            ("unknown subject", with_claim("sub", json!(sample::UNKNOWN_EVENT))),
            ("no subject", key.sign(&header, &without(&claims, "sub"))),
            ("changed claims", tampered(valid, &with(&claims, "sub", sample::UNKNOWN_EVENT))),
            ("subject twice", key.sign(&header, &twice)),
            ("claims not an object", key.sign(&header, "[]")),
            ("over 4 KB", with_claim("name", json!("a".repeat(4_096)))),
            ("truncated", valid[..valid.len() - 4].to_owned()),
            ("no signature", valid.rsplit_once('.').unwrap().0.to_owned()),
            ("four parts", format!("{valid}.a")),
            ("padded", format!("{valid}=")),
            ("refresh token", tokens["refreshToken"].as_str().unwrap().to_owned()),
            ("garbage", "a.b.c".to_owned()),
        ];
        let first = get(api, &member, "Bearer a.b.c").await;
        assert_snapshot!(first, @r#"
        401
        www-authenticate: Bearer error="invalid_token"
        {"message": "로그인이 필요합니다.", "code": "AS_002"}
        "#);
        for (case, token) in invalid {
            assert_eq!(get(api, &member, &format!("Bearer {token}")).await.to_string(), first.to_string(), "{case}");
        }
        get(api, &member, &format!("Bearer {valid}")).await.check(200, "0");
    }

    #[tokio::test]
    async fn tokens_of_managers_are_rejected() {
        let verified = VerifiedService::start().await;
        let (member, tokens) = verified.api.joined_with_session().await;
        let Jwt { header, claims } = Jwt::read(tokens["accessToken"].as_str().unwrap());
        let key = &verified.key;
        for (case, token) in [
            ("of the manager", key.token(&verified.issuer.claims(member["id"].as_str().unwrap()))),
            ("claims of a member", key.token(&claims)),
            ("claims and type of a member", key.token_with_header(&with(&key.header(), "typ", "at+jwt"), &claims)),
            ("header and claims of a member", key.token_with_header(&header, &claims)),
            ("of RSA", Key::rs256().token_with_header(&with(&header, "alg", "RS256"), &claims)),
        ] {
            let response = get(&verified.api, &member, &format!("Bearer {token}")).await;
            assert_eq!((response.status, &*response.code()), (401, "AS_002"), "{case}");
        }
    }

    #[tokio::test]
    async fn rotation_logs_nobody_out() {
        let service = Service::start_with(Settings { signing_key_rotation: Rotation(5), ..Settings::default() }).await;
        let (member, tokens) = service.api.joined_with_session().await;
        for (rotation, status) in [(5, 200), (6, 200), (7, 401)] {
            let api = Api::with_url(&service.stack.serve_rotated(Rotation(rotation)).await.unwrap());
            assert_eq!(api.profile(&member, &tokens).await.status, status, "{rotation}");
            // Tokens of the new key are valid where the rotation is not known yet.
            let newer = api.session(&member).await;
            if rotation == 6 {
                service.api.profile(&member, &newer).await.check(200, "0");
            }
            api.profile(&member, &newer).await.check(200, "0");
            api.refresh(&newer).await.check(200, "0");
        }
    }
}
