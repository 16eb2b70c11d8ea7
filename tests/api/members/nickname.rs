//! `PATCH /api/v1/members/{memberId}/nickname`

use tests::prelude::*;

#[tokio::test]
async fn nickname_is_changed() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let nickname = sample::unique();
    assert_snapshot!(api.change_nickname(&member, &tokens, &json!({"nickname": nickname})).await, @r#"
    200
    {"message": "회원 정보가 변경되었습니다.", "code": "0", "data": {"id": "[id1]", "nickname": "[text1]"}}
    "#);
    assert_eq!(api.profile(&member, &tokens).await.data()["nickname"], *nickname);
    assert_eq!(api.login_with(&member, sample::PASSWORD).await.data()["nickname"], *nickname);
    // The old one is free.
    api.join(&sample::member_with("nickname", member["nickname"].clone())).await.check(201, "0");
    api.refresh(&tokens).await.check(200, "0");
}

#[tokio::test]
async fn own_nickname_is_allowed() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let own = member["nickname"].as_str().unwrap();
    for nickname in [own.to_owned(), own.to_uppercase(), format!(" {own} ")] {
        let changed = api.change_nickname(&member, &tokens, &json!({"nickname": nickname})).await.expect(200, "0");
        assert_eq!(changed.data()["nickname"], nickname);
    }
}

#[tokio::test]
async fn taken_and_invalid_nicknames_change_nothing() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let other = api.joined().await;
    let taken = other["nickname"].as_str().unwrap();
    for nickname in [taken.to_owned(), taken.to_uppercase()] {
        api.change_nickname(&member, &tokens, &json!({"nickname": nickname})).await.check(409, "AJ_002");
    }
    let bodies = [json!({}), json!({"nickname": null}), json!({"nickname": "한".repeat(51)}), json!({"nickname": 5})];
    assert_snapshot!(outcomes(&bodies, |body| api.change_nickname(&member, &tokens, body)).await, @"
    0: 400 C_001 | nickname ‘’ 필수 입력값입니다.
    1: 400 C_001 | nickname ‘’ 필수 입력값입니다.
    2: 400 C_001 | nickname ‘한한한한한한한한한한… (51)’ 20자 이하여야 합니다.
    3: 400 C_001 | nickname ‘5’ 문자열이어야 합니다.
    ");
    assert_eq!(api.profile(&member, &tokens).await.data()["nickname"], member["nickname"]);
}

#[tokio::test]
async fn one_of_simultaneous_requests_takes_a_nickname() {
    let api = Api::new();
    let member = sample::member();
    let fields = json!({"nickname": member["nickname"], "password": sample::PASSWORD});
    let (edited, (first, tokens), (second, other)) =
        tokio::join!(api.joined(), api.joined_with_session(), api.joined_with_session());
    let (edit, one, two, join) = tokio::join!(
        api.edit_member(&edited, &fields),
        api.change_nickname(&first, &tokens, &fields),
        api.change_nickname(&second, &other, &fields),
        api.join(&member),
    );
    let mut codes = [edit, one, two, join].map(|response| response.code());
    codes.sort_unstable();
    assert_eq!(codes, ["0", "AJ_002", "AJ_002", "AJ_002"]);
}

#[tokio::test]
async fn token_precedes_body() {
    let api = Api::new();
    let (member, tokens) = api.joined_with_session().await;
    let other = api.joined().await;
    api.change_nickname(&member, &json!({"accessToken": "a.b.c"}), &json!({})).await.check(401, "AS_002");
    api.change_nickname(&other, &tokens, &json!({})).await.check(403, "AS_003");
    let path = format!("/api/v1/members/{}/nickname", member["id"].as_str().unwrap());
    for (token, status) in [(None, 401), (Some(&tokens), 415)] {
        let request = api.request(Method::PATCH, &path).body("{");
        let token = token.map(|tokens: &Value| tokens["accessToken"].as_str().unwrap());
        let request = token.into_iter().fold(request, reqwest::RequestBuilder::bearer_auth);
        assert_eq!(Api::send(request).await.status, status);
    }
}

mod in_process {
    use super::*;

    async fn change(api: &Api, (member, tokens): &(Value, Value)) -> tests::Response {
        api.change_nickname(member, tokens, &json!({"nickname": "새닉네임"})).await
    }

    #[tokio::test]
    async fn change_is_two_reads_and_a_transaction() {
        let service = Service::start().await;
        let (member, tokens) = service.other.joined_with_session().await;
        service.api.change_nickname(&member, &tokens, &json!({})).await.check(400, "C_001");
        let change = async |nickname: &str| {
            let body = json!({"nickname": nickname});
            service.effect(service.api.change_nickname(&member, &tokens, &body)).await
        };
        assert_snapshot!(change("새닉네임").await, @r#"
        200
        GetItem MEMBER, GetItem EMAIL, TransactWriteItems: 2 read, 6 write units
        ~ EMAIL#[text1]@example.com EMAIL {"nickname": "새닉네임"}
        + NICKNAME#새닉네임 NICKNAME {"member": "[id1]"}
        - NICKNAME#닉네임[text1] NICKNAME
        "#);
        assert_snapshot!(change("새닉네임").await, @"
        200
        GetItem MEMBER, GetItem EMAIL: 2 read, 0 write units
        ");
        service.check_permissions("members-nickname");
    }

    #[tokio::test]
    async fn interrupted_change_keeps_other_change() {
        let service = Service::start().await;
        let session = service.other.joined_with_session().await;
        let edit = json!({"password": sample::PASSWORD, "name": "이영희"});
        let edit = async { service.other.edit_member(&session.0, &edit).await.check(200, "0") };
        service.interrupted(change(&service.api, &session), edit).await.check(200, "0");
        let profile = service.other.profile(&session.0, &session.1).await.data();
        assert_eq!([&profile["name"], &profile["nickname"]], ["이영희", "새닉네임"]);
    }

    #[tokio::test]
    async fn withdrawal_stops_change() {
        let service = Service::start().await;
        let session = service.other.joined_with_session().await;
        let password = json!({"password": sample::PASSWORD});
        let withdraw = async { service.other.withdraw(&session.0, &password).await.check(204, "0") };
        service.interrupted(change(&service.api, &session), withdraw).await.check(401, "AS_002");
    }

    #[tokio::test]
    async fn faults_change_nickname_or_nothing() {
        let session = async |service: &Service| service.other.joined_with_session().await;
        assert_snapshot!(faults(session, change).await, @"
                             once  lost  fails  unknown     ends   ends after
        GetItem SIGNING_KEY  200   200   200    200         S_003  S_003
        GetItem MEMBER       200   200   S_003  S_003       S_003  S_003
        GetItem EMAIL        200   200   S_003  S_003       S_003  S_003
        TransactWriteItems   200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
