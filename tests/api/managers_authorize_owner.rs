//! Permissions of managers if managers are verified.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{
    Api, VerifiedService,
    sample::{MANAGER, OTHER_POSTER, thumbnail_form},
};

const ANOTHER: &str = "0b9e7c3a-15d2-4f6e-8a41-7c2d9e5f0a63";

#[tokio::test]
async fn only_owner_may_delete() {
    let verified = VerifiedService::start().await;
    let id = verified.create_event_as(MANAGER).await;
    verified.delete_as(ANOTHER, &id).await.expect(403, "AM_002");
    verified.api.event(&id).await.expect(200, "0");
    assert_eq!(verified.delete_as(&MANAGER.to_uppercase(), &id).await.status, 204);
    for manager in [ANOTHER, MANAGER] {
        verified.delete_as(manager, &id).await.expect(404, "E_002");
    }
}

#[tokio::test]
async fn only_owner_may_edit() {
    let verified = VerifiedService::start().await;
    let id = verified.create_event_as(MANAGER).await;
    let edit = |manager: &str, change: Value| {
        let request = verified.api.edit_request(&id).bearer_auth(verified.token(manager));
        Api::send(request.body(change.to_string()))
    };
    for change in [json!({}), json!({"artist": "잔나비"})] {
        verified.api.edit(&id, &change).await.expect(401, "AM_001");
        edit(ANOTHER, change.clone()).await.expect(403, "AM_002");
        edit(MANAGER, change).await.expect(200, "0");
    }
    edit(ANOTHER, json!({"artist": ""})).await.expect(400, "C_001");
    let request = verified.api.edit_request(&id).bearer_auth(verified.token(ANOTHER)).header("If-Match", "\"x\"");
    Api::send(request.body("{}")).await.expect(403, "AM_002");
    assert_eq!(verified.api.event(&id).await.data()["artist"], "잔나비");
    assert_eq!(verified.delete_as(MANAGER, &id).await.status, 204);
    edit(ANOTHER, json!({})).await.expect(404, "E_002");
}

#[tokio::test]
async fn only_owner_may_replace_poster() {
    let verified = VerifiedService::start().await;
    let id = verified.create_event_as(MANAGER).await;
    let replace = |token: Option<String>, poster: &[u8]| {
        let form = thumbnail_form(poster);
        let request = verified.api.thumbnail_request(&id).header("Content-Type", form.content_type());
        let request = token.into_iter().fold(request, reqwest::RequestBuilder::bearer_auth);
        Api::send(request.body(form.body()))
    };
    let before = verified.api.event(&id).await.data();
    replace(None, OTHER_POSTER).await.expect(401, "AM_001");
    replace(Some(verified.token(ANOTHER)), b"x").await.expect(400, "C_007");
    replace(Some(verified.token(ANOTHER)), OTHER_POSTER).await.expect(403, "AM_002");
    assert_eq!(verified.api.event(&id).await.data(), before);
    replace(Some(verified.token(MANAGER)), OTHER_POSTER).await.expect(200, "0");
    assert_ne!(verified.api.event(&id).await.data()["thumbnail"], before["thumbnail"]);
}

#[tokio::test]
async fn only_owner_may_restore() {
    let verified = VerifiedService::start().await;
    let id = verified.create_event_as(MANAGER).await;
    let restore = |manager: &str| Api::send(verified.api.restore_request(&id).bearer_auth(verified.token(manager)));
    for is_deleted in [false, true] {
        if is_deleted {
            assert_eq!(verified.delete_as(MANAGER, &id).await.status, 204);
        }
        verified.api.restore(&id).await.expect(401, "AM_001");
        restore(ANOTHER).await.expect(403, "AM_002");
        assert_eq!(verified.api.event(&id).await.status, if is_deleted { 404 } else { 200 });
        assert_eq!(restore(MANAGER).await.expect(200, "0").data()["id"], *id);
    }
    let unknown = verified.api.restore_request("0196a1b2-0000-7000-8000-00000000abcd");
    Api::send(unknown.bearer_auth(verified.token(ANOTHER))).await.expect(404, "E_002");
}

#[tokio::test]
async fn one_of_simultaneous_deletes_succeeds() {
    let verified = VerifiedService::start().await;
    let id = verified.create_event_as(MANAGER).await;
    let managers = [MANAGER, ANOTHER, MANAGER, ANOTHER, MANAGER, ANOTHER];
    let responses = join_all(managers.map(|manager| verified.delete_as(manager, &id))).await;
    assert_eq!(responses.iter().filter(|response| response.status == 204).count(), 1);
    for (response, manager) in responses.iter().zip(managers) {
        let allowed: &[u16] = if manager == MANAGER { &[204, 404] } else { &[403, 404] };
        assert!(allowed.contains(&response.status), "{manager}: {}", response.status);
    }
}

#[tokio::test]
async fn other_manager_id_is_forbidden() {
    let verified = VerifiedService::start().await;
    let token = verified.token(MANAGER);
    for other in [ANOTHER, "", "kim"] {
        let creation = verified.create_request().bearer_auth(&token).header("x-api-managerId", other);
        Api::send(creation).await.expect(403, "AM_002");
    }
    let both = verified.create_request().bearer_auth(&token).header("x-api-managerId", MANAGER);
    Api::send(both.header("x-api-managerId", ANOTHER)).await.expect(403, "AM_002");

    let named = verified.create_request().bearer_auth(&token).header("x-api-managerId", MANAGER.to_uppercase());
    let id = Api::send(named).await.expect(201, "0").data()["id"].as_str().unwrap().to_owned();
    let deletion = verified.delete_request(&id).bearer_auth(&token);
    Api::send(deletion.header("x-api-managerId", ANOTHER)).await.expect(403, "AM_002");
    let deletion = verified.delete_request(&id).bearer_auth(&token);
    assert_eq!(Api::send(deletion.header("x-api-managerId", MANAGER)).await.status, 204);
}
