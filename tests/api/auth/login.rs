//! `POST /api/v1/auth/login`

use tests::prelude::*;
use tests::token::Jwt;

async fn log_in(api: &Api, member: &Value, password: &str) -> Response {
    api.start_session(&json!({"email": member["email"], "password": password})).await
}

#[tokio::test]
async fn login_returns_tokens() {
    let api = Api::new();
    assert_snapshot!(log_in(&api, &api.joined().await, PASSWORD).await, @r#"
    200
    {
      "message": "로그인되었습니다.", "code": "0",
      "data": {
        "accessToken": "[access token]", "tokenType": "Bearer", "expiresIn": 3600,
        "refreshToken": "[refresh token]"
      }
    }
    "#);
}

/// RFC 9068, 2.
#[tokio::test]
async fn access_token_names_only_the_member() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let token = Jwt::read(tokens["accessToken"].as_str().unwrap());
    let keys: Value = api.get("/.well-known/jwks.json").await.json();
    let issuer: Value = api.get("/.well-known/openid-configuration").await.json();
    assert_eq!(token.header, json!({"alg": "ES256", "typ": "at+jwt", "kid": keys["keys"][0]["kid"]}));
    let [iat, exp] = ["iat", "exp"].map(|claim| token.claims[claim].as_u64().unwrap());
    assert_eq!(exp - iat, tokens["expiresIn"].as_u64().unwrap());
    let jti = token.claims["jti"].as_str().unwrap();
    let expected = json!({
        "iss": issuer["issuer"], "aud": "members", "sub": member["id"], "client_id": "members",
        "iat": iat, "exp": exp, "jti": jti,
    });
    assert_eq!(token.claims, expected);
    let other = Jwt::read(api.session(&member).await["accessToken"].as_str().unwrap());
    assert_ne!(other.claims["jti"], jti);
}

#[tokio::test]
async fn issuer_is_not_taken_from_request() {
    let api = Api::new();
    let member = api.joined().await;
    let login = json!({"email": member["email"], "password": PASSWORD});
    let request = api.request(reqwest::Method::POST, "/api/v1/auth/login").json(&login);
    let forged = [("X-Forwarded-Host", "evil.example"), ("Forwarded", "host=evil.example")];
    let request = forged.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let tokens = Api::send(request).await.expect(200, "0").data();
    let issuer = |tokens: &Value| Jwt::read(tokens["accessToken"].as_str().unwrap()).claims["iss"].clone();
    assert_eq!(issuer(&tokens), issuer(&api.session(&member).await));
}

#[tokio::test]
async fn refresh_token_says_nothing() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let token = tokens["refreshToken"].as_str().unwrap();
    assert!(token.len() <= 200 && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
    // Nothing is common to two sessions of a member.
    let other = api.session(&member).await;
    let other = other["refreshToken"].as_str().unwrap();
    assert!(!(0..=token.len() - 6).any(|at| other.contains(&token[at..at + 6]) && !token[at..at + 6].contains("AAAA")));
}

/// The failures are those of `members-login`, and both count together.
#[tokio::test]
async fn failures_are_those_of_login_without_session() {
    let api = Api::new();
    let member = api.joined().await;
    let fields = |member: &Value, password: Value| json!({"email": member["email"], "password": password});
    for body in [
        json!({}),
        json!({"email": "kim", "password": 5}),
        json!({"email": "kim@example.com", "password": "한".repeat(51)}),
        fields(&sample::member(), json!(PASSWORD)),
    ] {
        let [session, login] = [api.start_session(&body).await, api.login(&body).await];
        assert_eq!((session.status, session.text()), (login.status, login.text()));
    }
    for _ in 0..5 {
        log_in(&api, &member, "wrong").await.check(401, "AL_001");
        api.login_with(&member, "wrong").await.check(401, "AL_001");
    }
    for response in [log_in(&api, &member, PASSWORD).await, api.login_with(&member, PASSWORD).await] {
        response.check(429, "AL_002");
        assert!((840..=900).contains(&response.header("Retry-After").parse::<u64>().unwrap()));
    }
}

#[tokio::test]
async fn success_resets_failures() {
    let api = Api::new();
    let member = api.joined().await;
    for _ in 0..2 {
        for _ in 0..9 {
            api.login_with(&member, "wrong").await.check(401, "AL_001");
        }
        log_in(&api, &member, PASSWORD).await.check(200, "0");
    }
}

mod in_process {
    use auth::refresh_token::AccessLifetime;
    use local::Settings;

    use super::*;

    #[tokio::test]
    async fn login_stores_session_without_token() {
        let service = Service::start().await.restarted().await;
        let member = service.other.joined().await;
        let effect = service.effect(log_in(&service.api, &member, PASSWORD)).await;
        assert_snapshot!(effect, @r#"
        200
        GetItem EMAIL, UpdateItem FAILURES, UpdateItem FAILURES, PutItem SESSION: 1 read, 3 write units
        + EMAIL#[text1]@example.com FAILURES {"clients": {}, "expiresAt": "[in 15 minutes]", "failures": 0}
        + SESSION#[id1] SESSION {
          "epoch": 0, "expiresAt": "[in 14 days]", "generation": 0, "member": "[id2]", "startedAt": "[now]",
          "used": []
        }
        "#);
        let stored = effect.changes.concat();
        let token = effect.response.data();
        assert!(!stored.contains(&token["refreshToken"].as_str().unwrap()[..20]));
        service.check_permissions("auth-login");
    }

    /// The password was verified before it changed or the member withdrew, so the session has ended when it starts.
    #[tokio::test]
    async fn change_during_login_ends_its_session() {
        let service = Service::start().await;
        for is_withdrawal in [false, true] {
            let member = service.other.joined().await;
            let edit = json!({"password": PASSWORD, "newPassword": PASSWORD});
            let change = async {
                if is_withdrawal {
                    service.other.withdraw(&member, &edit).await.check(204, "0");
                } else {
                    service.other.edit_member(&member, &edit).await.check(200, "0");
                }
            };
            let login = log_in(&service.api, &member, PASSWORD);
            let tokens = service.interrupted_at("PutItem SESSION", 0, login, change).await.expect(200, "0").data();
            service.api.refresh(&tokens).await.check(401, "AS_001");
        }
    }

    #[tokio::test]
    async fn lifetime_audience_and_address_are_settings() {
        let settings = Settings {
            access_lifetime: AccessLifetime::from_seconds(90).unwrap(),
            audience: "orders".to_owned(),
            base_url: Some("https://tickets.example".to_owned()),
            ..Settings::default()
        };
        let service = Service::start_with(settings).await;
        let (member, tokens) = service.api.joined_with_session().await;
        let claims = Jwt::read(tokens["accessToken"].as_str().unwrap()).claims;
        assert_eq!((&claims["aud"], &claims["iss"]), (&json!("orders"), &json!("https://tickets.example")));
        let lifetime = claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap();
        assert_eq!((lifetime, &tokens["expiresIn"]), (90, &json!(90)));
        service.api.profile(&member, &tokens).await.check(200, "0");
    }

    #[tokio::test]
    async fn faults_start_a_session_or_none() {
        let log_in = async |api: &Api, member: &Value| log_in(api, member, PASSWORD).await;
        assert_snapshot!(faults(async |service| service.other.joined().await, log_in).await, @"
                             once  lost  fails  unknown     ends   ends after
        GetItem EMAIL        200   200   S_003  S_003       S_003  S_003
        UpdateItem FAILURES  200   200   S_003  S_003       S_003  S_003
        UpdateItem FAILURES  200   200   200    200         S_003  S_003
        PutItem SESSION      200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
