//! `PATCH /api/v1/events/{eventId}`

use crate::events::get::summary;
use tests::prelude::*;

/// Registers an event, and returns the request, its id and the response data.
pub async fn registered() -> (Value, String, Value) {
    let event = sample::event();
    let created = Api::new().create(&event).await.expect(201, "0");
    (event, created.id(), created.data())
}

#[tokio::test]
async fn every_field_is_edited() {
    let api = Api::new();
    let (_, id, created) = registered().await;
    let title = format!("여름 콘서트 {}", sample::unique());
    let change = json!({
        "title": title, "description": "비가 와도 엽니다.\n우산은 쓸 수 없습니다.", "place": "세종문화회관 \"대극장\"",
        "artist": "악동뮤지션", "eventOpenTime": "2027-01-01T09:00:00.123456789+09:00",
        "ticketingOpenTime": 1_798_761_600.25, "eventDatetimes": ["2027-03-01T10:00:00Z"],
        "genre": "연극", "ageRating": 15, "runningMinutes": 90, "address": "서울",
        "ticketingCloseMinutes": 0, "maxSeats": 10,
    });
    let edited = api.edit(&id, &change).await;
    assert_snapshot!(edited, @r#"
    200
    etag: "summary-1-1"
    {
      "message": "공연 정보가 수정되었습니다.", "code": "0",
      "data": {
        "id": "[id1]", "title": "여름 콘서트 [text1]", "description": "비가 와도 엽니다.\n우산은 쓸 수 없습니다.",
        "place": "세종문화회관 \"대극장\"", "thumbnail": "[id1].png", "artist": "악동뮤지션",
        "eventDatetimes": [{"id": "[id2]", "datetime": "2027-03-01T10:00:00Z"}],
        "eventOpenTime": "2027-01-01T00:00:00.123456789Z", "ticketingOpenTime": "2027-01-01T00:00:00.250Z",
        "genre": "연극", "ageRating": 15, "runningMinutes": 90, "address": "서울", "ticketingCloseMinutes": 0,
        "maxSeats": 10
      }
    }
    "#);
    let found = api.event(&id).await;
    assert_eq!((found.data(), found.header("ETag")), (edited.data(), edited.header("ETag")));
    let detail = api.event(&format!("{id}/detail")).await.data();
    assert_eq!(summary(&detail), edited.data());
    assert_eq!((&detail["areas"], &detail["totalMap"]), (&created["areas"], &created["totalMap"]));
    assert!(api.event(&format!("{id}/seat-map.svg")).await.text().contains(&title));
    assert_eq!(api.find(&edited.data()).await, [edited.data()]);
}

#[tokio::test]
async fn missing_field_is_kept() {
    let api = Api::new();
    let (event, id, created) = registered().await;
    let before = api.event(&id).await;
    let unchanged = json!({"title": event["title"], "eventDatetimes": event["eventDatetimes"]});
    for change in [json!({}), json!({"other": 1, "Title": null}), unchanged] {
        let edited = api.edit(&id, &change).await;
        assert_eq!((edited.data(), edited.header("ETag")), (summary(&created), before.header("ETag")), "{change}");
    }
    let mut expected = summary(&created);
    for (field, value) in [
        ("title", json!(sample::unique())),
        ("description", json!("새 설명")),
        ("place", json!("블루스퀘어")),
        ("artist", json!("잔나비")),
        ("eventOpenTime", json!("1970-01-01T00:00:00Z")),
        ("ticketingOpenTime", json!("2027-01-01T00:00:00Z")),
    ] {
        expected[field] = value.clone();
        assert_eq!(api.edit(&id, &json!({ field: value })).await.expect(200, "0").data(), expected);
    }
}

#[tokio::test]
async fn merge_patch_is_accepted() {
    let (_, id, _) = registered().await;
    let types = ["application/merge-patch+json", "application/json-patch+json", "text/plain"];
    let requests = types.map(|media_type| {
        let id = id.clone();
        (media_type, async move {
            let request = Api::new().request(reqwest::Method::PATCH, &format!("/api/v1/events/{id}"));
            Api::send(request.header("Content-Type", media_type).body("{}")).await
        })
    });
    assert_snapshot!(summaries(requests).await, @r"
    application/merge-patch+json: 200
    application/json-patch+json: 415 C_004 Content-Type은 application/json, application/merge-patch+json만 지원합니다.
    text/plain: 415 C_004 Content-Type은 application/json, application/merge-patch+json만 지원합니다.
    ");
    let encoded = Api::new().edit_request(&id).header("Content-Encoding", "gzip").body("{}");
    Api::send(encoded).await.check(415, "C_004");
}

#[tokio::test]
async fn every_invalid_field_is_listed() {
    let api = Api::new();
    let (event, id, created) = registered().await;
    let change = json!({
        "areas": [], "totalMap": event["totalMap"], "thumbnail": created["thumbnail"], "id": created["id"],
        "eventDatetimes": [1_745_643_600, 1_745_643_600, "내일"], "ticketingOpenTime": true, "eventOpenTime": null,
        "artist": "가".repeat(101), "place": "\u{3164}", "description": "라".repeat(5_001), "title": 7,
        "genre": "가".repeat(31), "ageRating": 20, "runningMinutes": -1, "address": 5,
        "ticketingCloseMinutes": 525_601, "maxSeats": 0,
    });
    assert_snapshot!(api.edit(&id, &change).await.summary().replace(" | ", "\n"), @r#"
    400 C_001
    title ‘7’ 문자열이어야 합니다.
    description ‘라라라라라라라라라라… (1000)’ 5,000자 이하여야 합니다.
    place ‘ㅤ’ 필수 입력값입니다.
    artist ‘가가가가가가가가가가… (101)’ 100자 이하여야 합니다.
    eventOpenTime ‘’ 필수 입력값입니다.
    ticketingOpenTime ‘true’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    eventDatetimes[1] ‘1745643600’ 앞에 입력한 값과 중복됩니다.
    eventDatetimes[2] ‘내일’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    genre ‘가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가’ 30자 이하여야 합니다.
    ageRating ‘20’ 0 이상 19 이하여야 합니다.
    runningMinutes ‘-1’ 1 이상 1,440 이하여야 합니다.
    address ‘5’ 문자열이어야 합니다.
    ticketingCloseMinutes ‘525601’ 0 이상 525,600 이하여야 합니다.
    maxSeats ‘0’ 1 이상 10 이하여야 합니다.
    id ‘[id1]’ 수정할 수 없는 항목입니다.
    thumbnail ‘[id1].png’ 수정할 수 없는 항목입니다.
    totalMap ‘<svg xmlns… (100)’ 수정할 수 없는 항목입니다.
    areas ‘’ 수정할 수 없는 항목입니다.
    "#);
    let shows = |count: usize| (0..count).map(|day| 1_800_000_000 + 86_400 * day).collect::<Vec<_>>();
    let longest = json!({
        "title": sample::unique() + &"가".repeat(90), "place": "나".repeat(100), "description": "\n".repeat(4_999) + "라",
        "eventDatetimes": shows(60),
    });
    let changes = [json!({"eventDatetimes": []}), json!({"eventDatetimes": shows(61)}), longest];
    assert_snapshot!(outcomes(&changes, |change| api.edit(&id, change)).await, @"
    0: 400 C_001 | eventDatetimes ‘’ 필수 입력값입니다.
    1: 400 C_001 | eventDatetimes ‘[180000000… (672)’ 60개까지 입력할 수 있습니다.
    2: 200
    ");
    // The id is read after the fields.
    api.edit("x", &json!({"artist": ""})).await.check(400, "C_001");
}

#[tokio::test]
async fn unknown_event_is_not_found() {
    let api = Api::new();
    for id in [&*api.deleted().await, sample::UNKNOWN_EVENT, "x", "%ff"] {
        api.edit(id, &json!({"artist": "잔나비"})).await.check(404, "E_002");
        api.edit_if_match(id, "\"x\"", &json!({})).await.check(404, "E_002");
    }
}

mod in_process {
    use aws_sdk_dynamodb::types::AttributeValue;
    use domain::id::MAX_SHOW_VERSION;
    use tests::sample::OTHER_POSTER;

    use super::*;

    #[tokio::test]
    async fn edit_writes_only_what_changes() {
        let service = Service::start().await;
        let id = service.other.create(&sample::concert()).await.id();
        let edit = async |change: Value| service.effect(service.api.edit(&id, &change)).await;
        assert_snapshot!(edit(json!({"eventOpenTime": 0})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 8 write units
        ~ EVENT#[id1] EVENT {"eventOpenTime": 0, "version": 1}
        "#);
        assert_snapshot!(edit(json!({"artist": "잔나비"})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 9 write units
        ~ EVENT#[id1] EVENT {"artist": "잔나비", "version": 2}
        "#);
        assert_snapshot!(edit(json!({"title": sample::unique()})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 13 write units
        ~ EVENT#[id1] EVENT {"title": "[text1]", "version": 3}
        + SHOW#[hash] SHOW#03 {"2025-04-26T05:00:00Z": "[id1]", "2025-04-27T05:00:00Z": "[id1]", "shows": 2}
        - SHOW#[hash] SHOW#03
        "#);
        // Its lock item also has a show of another event.
        let title = service.other.event(&id).await.data()["title"].clone();
        let other = json!({"title": title, "eventDatetimes": ["2025-04-28T05:00:00Z"]});
        service.other.create(&sample::with(sample::concert(), other)).await.check(201, "0");
        assert_snapshot!(edit(json!({"title": sample::unique()})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems, GetItem EVENT, BatchGetItem, TransactWriteItems: 3 read, 13 write units
        ~ EVENT#[id1] EVENT {"title": "[text1]", "version": 4}
        + SHOW#[hash] SHOW#03 {"2025-04-26T05:00:00Z": "[id1]", "2025-04-27T05:00:00Z": "[id1]", "shows": 2}
        ~ SHOW#[hash] SHOW#03 {"2025-04-26T05:00:00Z": null, "2025-04-27T05:00:00Z": null, "shows": 1}
        "#);
        assert_snapshot!(edit(json!({"eventDatetimes": ["2027-03-01T00:00:00Z", "2027-04-01T00:00:00.5Z"]})).await, @r#"
        200
        GetItem EVENT, BatchGetItem, TransactWriteItems: 73 read, 157 write units
        ~ EVENT#[id1] EVENT {"showNumbers": [2147483968, 2147483969], "showTimes": [1803859200, "2027-04-01T00:00:00.500Z"], "version": 5}
        + FENCE#[id1] FENCE {"edit": 5}
        + SHOW#[hash] SHOW#02 {"2027-03-01T00:00:00Z": "[id1]", "shows": 1}
        ~ SHOW#[hash] SHOW#03 {"2025-04-26T05:00:00Z": null, "2025-04-27T05:00:00Z": null, "2027-04-01T00:00:00.500Z": "[id1]", "shows": 1}
        "#);
        assert_snapshot!(edit(json!({"artist": "잔나비"})).await, @r"
        200
        GetItem EVENT: 1 read, 0 write units
        ");
        for (id, calls) in [(sample::UNKNOWN_EVENT, &["GetItem EVENT"][..]), ("x", &[])] {
            assert_eq!(service.effect(service.api.edit(id, &json!({}))).await.usage.calls, calls);
        }
        let sale = Sale::open(&service.other).await;
        sale.block(&service.other, &[0]).await.check(200, "0");
        let removal = json!({"eventDatetimes": ["2100-01-02T10:00:00Z"]});
        assert_snapshot!(service.effect(service.api.edit(&sale.event, &removal)).await, @"
        409 E_004 선점되거나 판매되었거나 판매를 막아 둔 좌석이 있어 공연을 삭제하거나 비공개로 돌리거나 회차를 뺄 수 없습니다.
        GetItem EVENT, BatchGetItem, Query, Query, GetItem EVENT: 76 read, 0 write units
        ");
        service.check_permissions("events-edit");
    }

    #[tokio::test]
    async fn hold_in_between_sees_the_end_of_its_sale() {
        for (change, code) in [
            (json!({"ticketingOpenTime": "2099-01-01T00:00:00Z"}), "H_003"),
            (json!({"ticketingCloseMinutes": 61}), "H_003"),
            (json!({"maxSeats": 1}), "H_002"),
        ] {
            let service = Service::start().await;
            let mut event = Sale::on_sale();
            event["eventDatetimes"] = json!([now() + 3_600]);
            let sale = Sale::of(&service.other.create(&event).await);
            let (_, tokens) = service.other.joined_with_session().await;
            let edit = async { service.other.edit(&sale.event, &change).await.check(200, "0") };
            service.interrupted(sale.hold(&service.api, &tokens, &[0, 1]), edit).await.check(409, code);
            assert_eq!(sale.taken(&service.other).await, 0, "{change}");
        }
    }

    #[tokio::test]
    async fn show_cannot_be_added_by_the_last_change() {
        let service = Service::start().await;
        let id = service.other.created().await;
        let last = AttributeValue::N(MAX_SHOW_VERSION.to_string());
        set(&service.stack.dynamodb(), &format!("EVENT#{id}"), "EVENT", "version", last).await;
        let shows = json!({"eventDatetimes": ["2100-01-01T10:00:00Z"]});
        assert_snapshot!(service.other.edit(&id, &shows).await.summary(), @r#"400 C_001 | eventDatetimes ‘["2100-01-01T10:00:00Z"]’ 수정 횟수가 한도에 이르러 새 회차를 추가할 수 없습니다. 공연을 복사해 새로 등록해 주세요."#);
        service.other.edit(&id, &json!({"artist": "잔나비"})).await.check(200, "0");
    }

    #[tokio::test]
    async fn attributes_of_other_versions_are_kept() {
        let service = Service::start().await;
        let id = service.other.created().await;
        let later = AttributeValue::S("of a later version".to_owned());
        set(&service.stack.dynamodb(), &format!("EVENT#{id}"), "EVENT", "later", later.clone()).await;
        let api = &service.other;
        api.edit(&id, &json!({"title": sample::unique(), "genre": "연극"})).await.check(200, "0");
        api.edit(&id, &json!({"genre": null})).await.check(200, "0");
        api.replace_thumbnail(&id, OTHER_POSTER).await.check(200, "0");
        api.delete(&id).await.check(204, "0");
        api.restore(&id).await.check(200, "0");
        let contents = service.contents().await;
        let item = contents.of_kind("EVENT").next().unwrap();
        assert_eq!((&item["later"], item.get("genre")), (&later, None));
    }

    #[tokio::test]
    async fn fields_precede_owner_and_owner_precedes_tag() {
        let verified = VerifiedService::start().await;
        let id = verified.by(MANAGER).created().await;
        let other = verified.by(OTHER_MANAGER);
        other.edit_if_match(&id, "\"x\"", &json!({"artist": ""})).await.check(400, "C_001");
        other.edit_if_match(&id, "\"x\"", &json!({})).await.check(403, "AM_002");
    }

    #[tokio::test]
    async fn faults_move_all_shows_or_none() {
        let edit = async |api: &Api, (id, change): &(String, Value)| api.edit(id, change).await;
        // Another title and, with one of its shows, other dates.
        let moved = async |service: &Service| {
            let event = sample::event();
            let change = json!({
                "title": sample::event()["title"],
                "eventDatetimes": ["2027-01-31T10:00:00Z", event["eventDatetimes"][1], "2027-02-01T10:00:00Z"],
            });
            (service.other.create(&event).await.id(), change)
        };
        assert_snapshot!(faults(moved, edit).await, @"
                            once  lost  fails  unknown     ends   ends after
        GetItem EVENT       200   200   S_003  S_003       S_003  S_003
        BatchGetItem        200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
