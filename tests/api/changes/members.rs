//! Changes of members.

use tests::{Changes, mail::mail_token, prelude::*};

#[tokio::test]
async fn members_are_told_without_their_data() {
    let mut changes = Changes::start().await;
    let (member, tokens) = changes.api.joined_with_session().await;
    assert_snapshot!(changes.lines().await, @r#"member.joined members/[id1] {"memberId":"[id1]"}"#);
    let edit = |fields| sample::with(json!({"password": PASSWORD}), fields);
    changes.api.edit_member(&member, &edit(json!({"name": "이영희"}))).await.check(200, "0");
    changes.api.change_nickname(&member, &tokens, &json!({"nickname": sample::unique()})).await.check(200, "0");
    changes.api.edit_member(&member, &edit(json!({"newPassword": PASSWORD}))).await.check(200, "0");
    let told = changes.told().await;
    let types: Vec<_> = told.iter().map(|change| change["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["member.changed"; 3]);
    for change in &told {
        assert_eq!(change["data"], json!({"memberId": member["id"]}));
    }
    changes.api.withdraw(&member, &json!({"password": PASSWORD})).await.check(204, "0");
    assert_eq!(changes.types().await, ["member.withdrawn"]);
    changes.api.join(&member).await.check(201, "0");
    assert_eq!(changes.types().await, ["member.joined"]);
}

#[tokio::test]
async fn links_of_mails_are_told() {
    let mut changes = Changes::start().await;
    let (member, tokens) = changes.api.joined_with_session().await;
    changes.types().await;
    changes.api.request_verification(&tokens).await.check(202, "0");
    changes.api.verify(&mail_token(&changes.stack, &member)).await.check(204, "0");
    assert_eq!(changes.types().await, ["member.changed"]);
    changes.api.forgot(&member["email"]).await.check(202, "0");
    changes.api.reset(&mail_token(&changes.stack, &member), "다른비밀번호1!").await.check(204, "0");
    assert_eq!(changes.types().await, ["member.changed"]);
}

#[tokio::test]
async fn logins_are_not_told() {
    let mut changes = Changes::start().await;
    let (member, tokens) = changes.api.joined_with_session().await;
    assert_eq!(changes.types().await, ["member.joined"]);
    changes.api.login_with(&member, PASSWORD).await.check(200, "0");
    changes.api.login_with(&member, "wrong-password").await.check(401, "AL_001");
    let tokens = changes.api.refresh(&tokens).await.expect(200, "0").data();
    changes.api.logout(&tokens).await.check(204, "0");
    changes.api.forgot(&member["email"]).await.check(202, "0");
    changes.api.edit_member(&member, &json!({"password": PASSWORD})).await.check(200, "0");
    changes.api.join(&member).await.check(409, "AJ_001");
    assert_eq!(changes.types().await, [""; 0]);
}
