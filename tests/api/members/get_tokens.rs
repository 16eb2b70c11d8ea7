//! Access tokens of `GET /api/v1/members/{memberId}`.

use super::get::get;
use tests::prelude::*;

mod in_process {
    use auth::access_token::AccessKey;
    use base64_simd::URL_SAFE_NO_PAD;
    use functions::auth::keys::Jwk;
    use local::{Settings, issuer::signing_input};
    use storage::members::public_keys::Rotation;
    use tests::{
        issuer::{Key, seconds_from_now},
        token::{Jwt, hs256, tampered, unsigned, with, without},
    };

    use super::*;

    /// RFC 9068, 4 and RFC 8725, 3.
    #[tokio::test]
    async fn invalid_tokens_look_alike() {
        let service = Service::start().await;
        let api = &service.api;
        let (member, tokens) = api.joined_with_session().await;
        let valid = tokens["accessToken"].as_str().unwrap();
        let Jwt { header, claims } = Jwt::read(valid);
        let key = service.signing_key();
        let unknown = AccessKey::derive(&"0123456789abcdef0123456789abcdef".parse().unwrap(), Rotation(1));
        let keys = service.api.get("/.well-known/jwks.json").await.json()["keys"].take();
        let (jwk, ticket_jwk) = (keys[0].clone(), &keys[3]);
        let ticket_key = service.ticket_key();
        let signed_by_ticket_key = |header: &Value| {
            let message = signing_input(header, &claims);
            format!("{message}.{}", URL_SAFE_NO_PAD.encode_to_string(ticket_key.sign(message.as_bytes())))
        };
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
            ("key of tickets", signed_by_ticket_key(&with(&header, "kid", ticket_jwk["kid"].clone()))),
            ("key of tickets with the known id", signed_by_ticket_key(&header)),
            ("id of the key of tickets", with_header("kid", ticket_jwk["kid"].clone())),
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
            ("not yet valid", with_claim("nbf", seconds_from_now(3_600).into())),
            ("issued in the future", with_claim("iat", seconds_from_now(3_600).into())),
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
