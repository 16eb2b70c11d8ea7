//! Title, place and shows of `PATCH /api/v1/events/{eventId}`.

use super::edit::registered;
use tests::prelude::*;

#[tokio::test]
async fn registered_show_is_rejected() {
    let api = Api::new();
    let (event, id, _) = registered().await;
    let other = json!({"eventDatetimes": ["2027-05-01T10:00:00Z", "2027-05-02T10:00:00Z"]});
    let other_id = api.create(&sample::with(event.clone(), other)).await.expect(201, "0").id();
    let before = api.event(&id).await;
    let change = json!({"eventDatetimes": ["2027-06-01T10:00:00Z", "2027-05-02T10:00:00Z"], "artist": "잔나비"});
    assert_snapshot!(api.edit(&id, &change).await, @r#"
    409
    {"message": "제목과 장소가 같고 회차가 겹치는 공연이 이미 등록되어 있습니다.", "code": "E_001"}
    "#);
    let after = api.event(&id).await;
    assert_eq!((after.text(), after.header("ETag")), (before.text(), before.header("ETag")));
    api.delete(&other_id).await.check(204, "0");
    api.edit(&id, &change).await.check(200, "0");
    // What it gave up is free.
    api.create(&event).await.check(201, "0");
}

#[tokio::test]
async fn taken_title_is_rejected_in_any_spelling() {
    let api = Api::new();
    let (event, id, _) = registered().await;
    let other = sample::with(event.clone(), json!({"title": sample::unique()}));
    let other = api.create(&other).await.expect(201, "0").id();
    let wide = event["title"].as_str().unwrap().replace(' ', "　");
    let taken = json!({"title": format!("  {wide}")});
    api.edit(&other, &taken).await.check(409, "E_001");
    // It may change the spelling of its own title.
    assert_eq!(api.edit(&id, &json!({"title": wide})).await.expect(200, "0").data()["title"], wide);
    api.edit(&id, &json!({"title": sample::unique()})).await.check(200, "0");
    api.edit(&other, &taken).await.check(200, "0");
    api.edit(&id, &taken).await.check(409, "E_001");
    api.edit(&id, &json!({"title": wide, "place": "잠실"})).await.check(200, "0");
}

#[tokio::test]
async fn show_with_taken_seats_is_not_removed() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0]).await;
    let second = json!({"eventDatetimes": ["2100-01-02T10:00:00Z"]});
    let moved = json!({"eventDatetimes": ["2100-01-01T10:00:01Z", "2100-01-02T10:00:00Z"]});
    assert_snapshot!(api.edit(&sale.event, &second).await, @r#"
    409
    {"message": "선점되거나 판매되었거나 판매를 막아 둔 좌석이 있어 공연을 삭제하거나 비공개로 돌리거나 회차를 뺄 수 없습니다.", "code": "E_004"}
    "#);
    api.edit(&sale.event, &moved).await.check(409, "E_004");
    // Not another show, nor another field.
    let first = json!({"eventDatetimes": ["2100-01-01T10:00:00Z"], "artist": "악동뮤지션"});
    api.edit(&sale.event, &first).await.check(200, "0");
    api.edit_if_match(&sale.event, "\"x\"", &second).await.check(412, "E_003");
    sale.release(&api, &tokens, &hold).await.check(204, "0");
    api.edit(&sale.event, &second).await.check(200, "0");
    sale.hold(&api, &tokens, &[0]).await.check(404, "E_002");
}

mod in_process {
    use super::*;

    fn months(year: usize) -> Vec<String> {
        (0..60).map(|month| format!("{}-{:02}-01T00:00:00Z", year + month / 12, month % 12 + 1)).collect()
    }

    #[tokio::test]
    async fn all_60_shows_move() {
        let service = Service::start().await;
        let event = sample::event_with(json!({"eventDatetimes": months(2027)}));
        let id = service.other.create(&event).await.expect(201, "0").id();
        let change = json!({"title": sample::unique(), "eventDatetimes": months(2040)});
        let moved = service.effect(service.api.edit(&id, &change)).await;
        assert_eq!(moved.usage.calls, ["GetItem EVENT", "BatchGetItem", "TransactWriteItems"]);
        assert_eq!(moved.response.data()["eventDatetimes"].as_array().unwrap().len(), 60);
        service.contents().await.check();
    }
}
