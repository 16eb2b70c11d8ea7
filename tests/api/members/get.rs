//! `GET /api/v1/members/{memberId}`

use tests::prelude::*;

/// Requests a member with this `Authorization` header.
pub async fn get(api: &Api, member: &Value, authorization: &str) -> Response {
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
}
