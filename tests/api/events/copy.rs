//! `POST /api/v1/events/{eventId}/copies`

use serde_json::Map;
use tests::prelude::*;

/// Returns the times of a copy.
fn times() -> Value {
    json!({
        "eventOpenTime": "2100-03-01T09:00:00Z", "ticketingOpenTime": "2100-02-01T09:00:00+09:00",
        "eventDatetimes": ["2100-03-02T10:00:00Z", 4_107_600_000_u64],
    })
}

fn with(fields: Value) -> Value {
    sample::with(times(), fields)
}

async fn copy_with_key(api: &Api, id: &str, key: &str, body: &Value) -> Response {
    let request = api.request(Method::POST, &format!("/api/v1/events/{id}/copies"));
    Api::send(request.header("x-api-managerId", sample::MANAGER).header("Idempotency-Key", key).json(body)).await
}

#[tokio::test]
async fn copy_has_hall_and_poster() {
    let api = Api::new();
    let original = api.create(&sample::event()).await.expect(201, "0");
    let copied = api.copy(&original.id(), &times()).await;
    assert_snapshot!(copied.head(), @"
    201
    location: /api/v1/events/[id1]
    ");
    let id = copied.id();
    assert_eq!(copied.header("Location"), format!("/api/v1/events/{id}"));
    assert_eq!(api.event(&id).await.data(), copied.data());
    assert_eq!(api.find(&copied.data()).await[0], copied.data());

    // Areas and seats are the same, but for their ids.
    let detail = api.event(&format!("{id}/detail")).await.data();
    assert_eq!(named(&detail["areas"].to_string()), named(&original.data()["areas"].to_string()));
    assert_eq!(detail["totalMap"], original.data()["totalMap"]);
    assert_ne!(detail["areas"][0]["id"], original.data()["areas"][0]["id"]);
    let poster = api.poster(&format!("{id}.png")).await;
    assert_eq!((poster.body.as_slice(), poster.header("Content-Type")), (sample::POSTER, "image/png"));
    let first = api.poster(&format!("{}.png", original.id())).await;
    assert_eq!(poster.header("Cache-Control"), first.header("Cache-Control"));
    // The copy lives on without its original.
    api.delete(&original.id()).await.check(204, "0");
    api.event(&format!("{id}/detail")).await.check(200, "0");
}

#[tokio::test]
async fn fields_and_prices_replace_those_of_the_original() {
    let api = Api::new();
    let original = api.create(&sample::concert()).await.expect(201, "0");
    let labels: Vec<_> =
        original.data()["areas"].as_array().unwrap().iter().map(|area| area["label"].clone()).collect();
    let title = format!("부산 {}", sample::unique());
    let fields = json!({
        "title": title, "description": "부산에서도 만나요.", "place": "벡스코", "artist": "잔나비", "genre": null,
        "ageRating": 12, "runningMinutes": " ", "address": "부산광역시 해운대구", "published": false,
        "prices": { labels[0].as_str().unwrap(): 0.5 }, "totalMap": 1, "areas": null, "thumbnail": "x", "other": 1,
    });
    let copied = api.copy(&original.id(), &with(fields)).await.expect(201, "0");
    let data = copied.data();
    let found = ["title", "description", "place", "artist", "address"].map(|field| &data[field]);
    assert_eq!(found, [&*title, "부산에서도 만나요.", "벡스코", "잔나비", "부산광역시 해운대구"]);
    assert_eq!((data.get("genre"), data.get("runningMinutes"), &data["ageRating"]), (None, None, &json!(12)));
    api.event(&copied.id()).await.check(404, "E_002");
    let areas = api.managed_event(&copied.id()).await.expect(200, "0").data()["areas"].take();
    let prices: Vec<_> = areas.as_array().unwrap().iter().map(|area| area["price"].clone()).collect();
    let mut expected: Vec<_> =
        original.data()["areas"].as_array().unwrap().iter().map(|area| area["price"].clone()).collect();
    expected[0] = json!(0.5);
    assert_eq!(prices, expected);
    // A copy of a draft is published by default.
    let again = api.copy(&copied.id(), &with(json!({"title": sample::unique()}))).await.expect(201, "0");
    api.event(&again.id()).await.check(200, "0");
}

#[tokio::test]
async fn invalid_requests_are_rejected() {
    let api = Api::new();
    let id = api.created().await;
    let requests = [
        json!({"title": null, "eventOpenTime": "x", "published": 1, "prices": {"A": null, "B": -1}}),
        with(json!({"prices": 1})),
        with(json!({"prices": {"없는 구역": 1, "또 없는 구역": 2}})),
        with(json!({"prices": (0..501).map(|label| (label.to_string(), json!(1))).collect::<Map<_, _>>()})),
    ];
    assert_snapshot!(outcomes(&requests, |body| api.copy(&id, body)).await, @r#"
    0: 400 C_001 | title ‘’ 필수 입력값입니다. | eventOpenTime ‘x’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요. | ticketingOpenTime ‘’ 필수 입력값입니다. | eventDatetimes ‘’ 필수 입력값입니다. | published ‘1’ true 또는 false여야 합니다. | prices.A ‘’ 필수 입력값입니다. | prices.B ‘-1’ 0 이상 1,000,000,000 이하여야 합니다.
    1: 400 C_001 | prices ‘1’ 객체여야 합니다.
    2: 400 C_001 | prices.또 없는 구역 ‘2’ 이 공연에 없는 구역입니다. | prices.없는 구역 ‘1’ 이 공연에 없는 구역입니다.
    3: 400 C_001 | prices ‘{"0":1,"1"… (1000)’ 500개까지 입력할 수 있습니다.
    "#);
    let duplicate = times().to_string().replacen('{', r#"{"prices": {"A": 1, "A": 2}, "#, 1);
    let request = api.request(Method::POST, &format!("/api/v1/events/{id}/copies"));
    let request = request.header("x-api-managerId", sample::MANAGER).header("Content-Type", "application/json");
    Api::send(request.body(duplicate)).await.check(400, "C_001");
    api.copy(&api.deleted().await, &times()).await.check(404, "E_002");
    api.post(&format!("/api/v1/events/{id}/copies"), times().to_string()).await.check(401, "AM_001");
    let same = json!({"eventOpenTime": 0, "ticketingOpenTime": 0, "eventDatetimes": ["2025-04-26T05:00:00Z"]});
    api.copy(&id, &same).await.check(409, "E_001");
}

#[tokio::test]
async fn repeated_copy_returns_the_first() {
    let api = Api::new();
    let (id, key) = (api.created().await, sample::unique());
    let first = copy_with_key(&api, &id, &key, &times()).await.expect(201, "0");
    let again = copy_with_key(&api, &id, &key, &times()).await.expect(201, "0");
    assert_eq!((again.data(), again.header("Location")), (first.data(), first.header("Location")));
    copy_with_key(&api, &id, &key, &with(json!({"place": "잠실"}))).await.check(422, "C_011");
    // The key belongs to the path, so a registration and a copy of another event may have it too.
    copy_with_key(&api, &api.created().await, &key, &times()).await.check(201, "0");
    api.create_with_key(&key, &sample::form(&sample::event())).await.check(201, "0");
    // The key comes before the original.
    api.delete(&id).await.check(204, "0");
    assert_eq!(copy_with_key(&api, &id, &key, &times()).await.expect(201, "0").data(), first.data());
    // A rejected copy gives its key back.
    let other = sample::unique();
    copy_with_key(&api, &id, &other, &times()).await.check(404, "E_002");
    api.restore(&id).await.check(200, "0");
    copy_with_key(&api, &id, &other, &with(json!({"place": "잠실"}))).await.check(201, "0");
}

#[tokio::test]
async fn seats_of_a_copy_are_free() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, _) = sale.held(&api, &[0]).await;
    let body = with(json!({"ticketingOpenTime": 0}));
    let copied = api.copy(&sale.event, &body).await;
    let copied = Sale::of(&copied);
    assert_eq!(copied.taken(&api).await, 0);
    copied.hold(&api, &tokens, &[0]).await.check(201, "0");
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn copy_costs_as_much_as_a_registration() {
        let service = Service::start().await;
        let id = service.other.created().await;
        assert_snapshot!(service.effect(service.api.copy(&id, &times())).await, @r#"
        201
        Query, PutItem POSTER, PUT poster, TransactWriteItems: 1 read, 12 write units
        + poster [id1].png
        + EVENT#[id1] EVENT {
          "artist": "아이유", "chunks": 1, "description": "봄밤의 야외 콘서트입니다.\\n우천 시에도 진행합니다.", "eventOpenTime": 4107574800,
          "id": "[id1]", "listing": "LIVE", "manager": "[id2]", "place": "올림픽공원 올림픽홀",
          "showNumbers": [2147483648, 2147483649], "showTimes": [4107664800, 4107600000], "thumbnail": "[id1].png",
          "ticketingOpenTime": 4105123200, "title": "봄 콘서트 [text1]", "version": 0
        }
        + EVENT#[id1] MAP#000 {"data": "[245 bytes]"}
        + SHOW#[hash] SHOW#02 {"2100-03-01T16:00:00Z": "[id1]", "2100-03-02T10:00:00Z": "[id1]", "shows": 2}
        "#);
        let place = with(json!({"place": "잠실"}));
        let with_key = copy_with_key(&service.api, &id, "key", &place);
        assert_snapshot!(service.effect(with_key).await.usage, @"PutItem IDEMPOTENCY, Query, PutItem POSTER, PUT poster, TransactWriteItems: 1 read, 15 write units");
        assert_snapshot!(service.effect(copy_with_key(&service.api, &id, "key", &place)).await.usage, @"PutItem IDEMPOTENCY, Query: 1 read, 0 write units");
        service.effect(service.api.copy(&id, &times())).await.response.check(409, "E_001");
        service.check_permissions("events-copy");
        service.contents().await.check();
    }

    #[tokio::test]
    async fn draft_of_another_manager_is_unknown() {
        let api = Api::new();
        let draft = sample::event_with(json!({"published": false}));
        let id = api.by(OTHER_MANAGER).create(&draft).await.expect(201, "0").id();
        api.copy(&id, &times()).await.check(404, "E_002");
        // Everyone may copy a published one, where managers are not verified.
        api.edit(&id, &json!({"published": true})).await.check(200, "0");
        let copied = api.copy(&id, &times()).await.expect(201, "0").id();
        api.managed_event(&copied).await.check(200, "0");
    }

    #[tokio::test]
    async fn failed_calls_leave_nothing() {
        let create = async |service: &Service| service.other.created().await;
        let copy = async |api: &Api, id: &String| copy_with_key(api, id, "key", &times()).await;
        assert_snapshot!(faults(create, copy).await, @"
                             once  lost  fails                 unknown        ends                  ends after
        PutItem IDEMPOTENCY  201   201   S_003                 S_003 +claim   S_003                 S_003 +claim
        Query                201   201   S_003                 S_003          S_003 +claim          S_003 +claim
        PutItem POSTER       201   201   S_003                 S_003          S_003 +claim          S_003 +claim
        PUT poster           201   201   S_002                 S_002 +poster  S_002 +claim          S_002 +claim +poster
        TransactWriteItems   201   201   S_003 +claim +poster  S_003 done     S_003 +claim +poster  S_003 done
        ");
    }
}
