//! Simultaneous changes of `PATCH /api/v1/events/{eventId}`, and `If-Match`.

use insta::assert_snapshot;
use serde_json::json;
use tests::{Api, sample, statuses, summaries};

use super::edit::registered;
use crate::events::get::summary;

#[tokio::test]
async fn if_match_guards_an_edit() {
    let api = Api::new();
    let (_, id, _) = registered().await;
    let tag = api.event(&id).await.header("ETag").to_owned();
    let detail = api.event(&format!("{id}/detail")).await.header("ETag").to_owned();
    let others = [
        "\"x\"".to_owned(),
        format!("W/{tag}"),
        format!("\"x\", W/{tag}"),
        detail,
        String::new(),
        "*, \"x\"".to_owned(),
        "\"x\" \"y\"".to_owned(),
    ];
    let change = json!({"artist": "잔나비"});
    let requests = others.iter().map(|other| (other, api.edit_if_match(&id, other, &change)));
    assert_snapshot!(summaries(requests).await, @r#"
    "x": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    W/"summary-1-0": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    "x", W/"summary-1-0": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    "detail-2-0": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    : 400 C_003 | if-match ‘’ 큰따옴표로 묶은 ETag 값의 목록이나 *를 입력해 주세요.
    *, "x": 400 C_003 | if-match ‘*, "x"’ 큰따옴표로 묶은 ETag 값의 목록이나 *를 입력해 주세요.
    "x" "y": 400 C_003 | if-match ‘"x" "y"’ 큰따옴표로 묶은 ETag 값의 목록이나 *를 입력해 주세요.
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
async fn simultaneous_edits_of_fields_all_count() {
    let api = Api::new();
    let (_, id, _) = registered().await;
    let title = sample::unique();
    let changes = [
        json!({"title": title}),
        json!({"description": "새 설명"}),
        json!({"place": "잠실"}),
        json!({"artist": "잔나비"}),
        json!({"eventDatetimes": ["2027-01-01T00:00:00Z"]}),
    ];
    assert_eq!(statuses(changes.iter().map(|change| api.edit(&id, change))).await, [200; 5]);
    let data = api.event(&id).await.data();
    let found = ["title", "description", "place", "artist"].map(|field| &data[field]);
    assert_eq!(found, [&*title, "새 설명", "잠실", "잔나비"]);
    assert_eq!(data["eventDatetimes"][0]["datetime"], "2027-01-01T00:00:00Z");
}

#[tokio::test]
async fn one_of_simultaneous_edits_of_a_tag_succeeds() {
    let api = Api::new();
    let (_, id, _) = registered().await;
    let tag = api.event(&id).await.header("ETag").to_owned();
    let changes: Vec<_> = (0..8).map(|number| json!({"artist": format!("가수 {number}")})).collect();
    let edits = changes.iter().map(|change| api.edit_if_match(&id, &tag, change));
    assert_eq!(statuses(edits).await, [vec![200], vec![412; 7]].concat());
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

    use tests::Service;

    use super::*;

    #[tokio::test]
    async fn overtaken_edit_is_repeated() {
        let service = Service::start().await;
        let id = service.other.created().await;
        let (other, edited) = (service.other.clone(), id.clone());
        let overtake = async move { other.edit(&edited, &json!({"place": "잠실"})).await.check(200, "0") };
        let change = json!({"artist": "잔나비"});
        let data = service.interrupted(service.api.edit(&id, &change), overtake).await.expect(200, "0").data();
        assert_eq!([&data["place"], &data["artist"]], ["잠실", "잔나비"]);
        assert_eq!(service.other.event(&id).await.data(), data);

        let (other, deleted) = (service.other.clone(), id.clone());
        let delete = async move { other.delete(&deleted).await.check(204, "0") };
        let change = json!({"title": sample::unique()});
        service.interrupted(service.api.edit(&id, &change), delete).await.check(404, "E_002");
        service.contents().await.check();
    }
}
