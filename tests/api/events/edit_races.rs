//! Simultaneous changes of `PATCH /api/v1/events/{eventId}`, and `If-Match`.

use super::edit::registered;
use crate::events::get::summary;
use tests::prelude::*;

#[tokio::test]
async fn if_match_guards_an_edit() {
    let api = Api::new();
    let (_, id, _) = registered().await;
    let tag = api.event(&id).await.header("ETag").to_owned();
    let detail = api.event(&format!("{id}/detail")).await.header("ETag").to_owned();
    let others = ["\"x\"".to_owned(), format!("W/{tag}"), detail];
    let change = json!({"artist": "잔나비"});
    let requests = others.iter().map(|other| (other, api.edit_if_match(&id, other, &change)));
    assert_snapshot!(summaries(requests).await, @r#"
    "x": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    W/"summary-1-0": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    "detail-2-0": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    "#);
    // The precondition is read before the body, and checked for an edit without a change.
    api.edit_if_match(&id, "x", &json!([])).await.check(400, "C_003");
    api.edit_if_match(&id, "\"x\"", &json!({})).await.check(412, "E_003");
    assert_eq!(api.edit_if_match(&id, &tag, &json!({})).await.expect(200, "0").header("ETag"), tag);

    let edited = api.edit_if_match(&id, &format!("\"x\" ,{tag}"), &json!({"artist": "잔나비"})).await.expect(200, "0");
    assert_ne!(edited.header("ETag"), tag);
    api.edit_if_match(&id, &tag, &json!({"artist": "새소년"})).await.check(412, "E_003");
    api.edit_if_match(&id, "*", &json!({"artist": "새소년"})).await.check(200, "0");
}

#[tokio::test]
async fn repeated_creation_returns_edited_event() {
    let api = Api::new();
    let (key, form) = (sample::unique(), sample::form(&sample::event()));
    let id = api.create_with_key(&key, &form).await.expect(201, "0").id();
    let edited = api.edit(&id, &json!({"artist": "잔나비"})).await.expect(200, "0").data();
    assert_eq!(summary(&api.create_with_key(&key, &form).await.expect(201, "0").data()), edited);
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn overtaken_edit_is_repeated() {
        let service = Service::start().await;
        let id = service.other.created().await;
        let overtake = async { service.other.edit(&id, &json!({"place": "잠실"})).await.check(200, "0") };
        let change = json!({"artist": "잔나비"});
        let data = service.interrupted(service.api.edit(&id, &change), overtake).await.expect(200, "0").data();
        assert_eq!([&data["place"], &data["artist"]], ["잠실", "잔나비"]);
        assert_eq!(service.other.event(&id).await.data(), data);

        let delete = async { service.other.delete(&id).await.check(204, "0") };
        let change = json!({"title": sample::unique()});
        service.interrupted(service.api.edit(&id, &change), delete).await.check(404, "E_002");
        service.contents().await.check();
    }
}
