//! `PATCH /api/v1/events/{eventId}`

use std::collections::HashSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Api, Response, sample};

/// Registers an event, and returns the request and the response data.
async fn registered() -> (Value, Value) {
    let event = sample::event();
    let created = Api::new().create(&event).await.expect(201, "0").data();
    (event, created)
}

fn id(event: &Value) -> &str {
    event["id"].as_str().unwrap()
}

/// Removes what an edit cannot change and a summary does not have.
fn summary(created: &Value) -> Value {
    let mut summary = created.clone();
    let fields = summary.as_object_mut().unwrap();
    fields.remove("totalMap");
    fields.remove("areas");
    summary
}

fn shows(event: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    event["eventDatetimes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|show| (text(&show["datetime"]), text(&show["id"])))
        .collect()
}

/// Returns the fields and values of the errors of a response.
fn errors(response: &Response) -> Vec<(String, String)> {
    response.check(400, "C_001");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let errors = response.json()["errors"].take();
    errors.as_array().unwrap().iter().map(|error| (text(&error["field"]), text(&error["value"]))).collect()
}

#[tokio::test]
async fn optional_fields_are_set_and_removed() {
    let api = Api::new();
    let (_, created) = registered().await;
    let change = json!({"genre": "연극", "ageRating": 15, "runningMinutes": 90, "address": "서울"});
    let edited = api.edit(id(&created), &change).await.expect(200, "0");
    let mut expected = summary(&created);
    expected.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    assert_eq!(edited.data(), expected);
    let same = api.edit(id(&created), &change).await.expect(200, "0");
    assert_eq!(same.header("ETag"), edited.header("ETag"));

    let removed = json!({"genre": null, "ageRating": null, "runningMinutes": "", "address": " "});
    let removed = api.edit(id(&created), &removed).await.expect(200, "0");
    assert_eq!(removed.data(), summary(&created));
    assert_ne!(removed.header("ETag"), edited.header("ETag"));

    let invalid =
        api.edit(id(&created), &json!({"id": 1, "address": 5, "genre": "가".repeat(31), "ageRating": 20})).await;
    assert_eq!(
        errors(&invalid).into_iter().map(|(field, _)| field).collect::<Vec<_>>(),
        ["genre", "ageRating", "address", "id"]
    );
}

#[tokio::test]
async fn every_field_is_edited() {
    let api = Api::new();
    let (_, created) = registered().await;
    let title = format!("여름 콘서트 {}", sample::unique());
    let change = json!({
        "title": title,
        "description": "비가 와도 엽니다.\n우산은 쓸 수 없습니다.",
        "place": "세종문화회관 \"대극장\"",
        "artist": "악동뮤지션",
        "eventOpenTime": "2027-01-01T09:00:00.123456789+09:00",
        "ticketingOpenTime": 1_798_761_600.25,
        "eventDatetimes": ["2027-03-01T10:00:00Z"],
    });
    let edited = api.edit(id(&created), &change).await.expect(200, "0");
    let data = edited.data();
    for (field, expected) in [
        ("id", created["id"].clone()),
        ("title", json!(title)),
        ("description", json!("비가 와도 엽니다.\n우산은 쓸 수 없습니다.")),
        ("place", json!("세종문화회관 \"대극장\"")),
        ("thumbnail", created["thumbnail"].clone()),
        ("artist", json!("악동뮤지션")),
        ("eventOpenTime", json!("2027-01-01T00:00:00.123456789Z")),
        ("ticketingOpenTime", json!("2027-01-01T00:00:00.250Z")),
    ] {
        assert_eq!(data[field], expected, "{field}");
    }
    assert_eq!(data["eventDatetimes"][0]["datetime"], "2027-03-01T10:00:00Z");

    let found = api.event(id(&created)).await.expect(200, "0");
    assert_eq!(found.data(), data);
    assert_eq!(found.header("ETag"), edited.header("ETag"));
    assert_eq!(edited.header("Cache-Control"), "no-store");
    let detail = api.get(&format!("/api/v1/events/{}/detail", id(&created))).await.data();
    assert_eq!(summary(&detail), data);
    assert_eq!((&detail["areas"], &detail["totalMap"]), (&created["areas"], &created["totalMap"]));
    let map = api.get(&format!("/api/v1/events/{}/seat-map.svg", id(&created))).await.text();
    assert!(map.contains(&title));
}

#[tokio::test]
async fn missing_field_is_kept() {
    let api = Api::new();
    let (event, created) = registered().await;
    for (field, value) in [
        ("title", json!(format!("제목 {}", sample::unique()))),
        ("description", json!("새 설명")),
        ("place", json!("블루스퀘어")),
        ("artist", json!("잔나비")),
    ] {
        let before = api.event(id(&created)).await.data();
        let mut expected = before.clone();
        expected[field] = value.clone();
        assert_eq!(api.edit(id(&created), &json!({ field: value })).await.expect(200, "0").data(), expected);
    }
    let mut edited = event;
    edited["title"] = json!("다른 제목");
    let times = json!({"eventOpenTime": 0, "ticketingOpenTime": "2027-01-01T00:00Z"});
    let data = api.edit(id(&created), &times).await.expect(200, "0").data();
    assert_eq!(data["eventOpenTime"], "1970-01-01T00:00:00Z");
    assert_eq!(data["ticketingOpenTime"], "2027-01-01T00:00:00Z");
}

#[tokio::test]
async fn empty_edit_changes_nothing() {
    let api = Api::new();
    let (event, created) = registered().await;
    let found = api.event(id(&created)).await;
    let unchanged = json!({"title": event["title"], "eventDatetimes": event["eventDatetimes"]});
    for change in [json!({}), json!({"other": 1, "Title": null}), unchanged] {
        let edited = api.edit(id(&created), &change).await.expect(200, "0");
        assert_eq!(edited.data(), summary(&created), "{change}");
        assert_eq!(edited.header("ETag"), found.header("ETag"), "{change}");
    }
}

#[tokio::test]
async fn merge_patch_is_accepted() {
    let api = Api::new();
    let (_, created) = registered().await;
    let send = async |media_type: &str| {
        let request = api.request(Method::PATCH, &format!("/api/v1/events/{}", id(&created)));
        let change = json!({"artist": media_type});
        Api::send(request.header("Content-Type", media_type).body(change.to_string())).await
    };
    for media_type in ["application/merge-patch+json", "Application/JSON; charset=utf-8"] {
        assert_eq!(send(media_type).await.expect(200, "0").data()["artist"], media_type);
    }
    for media_type in ["application/json-patch+json", "text/plain", "multipart/form-data; boundary=x"] {
        send(media_type).await.expect(415, "C_004");
    }
}

#[tokio::test]
async fn kept_show_keeps_its_id() {
    let api = Api::new();
    let (_, created) = registered().await;
    let [first, second] = shows(&created).try_into().unwrap();
    let edit =
        async |shows: &[&str]| api.edit(id(&created), &json!({"eventDatetimes": shows})).await.expect(200, "0").data();

    let moved = shows(&edit(&["2027-01-01T10:00:00Z", &second.0]).await);
    assert_eq!(moved[1], second);
    let returned = shows(&edit(&[&first.0, &second.0, "2027-01-01T10:00:00Z"]).await);
    assert_eq!(returned[1..], [second.clone(), moved[0].clone()]);
    let swapped = shows(&edit(&["2027-01-01T10:00:00Z", &first.0]).await);
    assert_eq!(swapped, [returned[2].clone(), returned[0].clone()]);
    let again = shows(&edit(&[&second.0]).await);

    let all = [vec![first, second], moved, returned, swapped, again].concat();
    let ids: HashSet<_> = all.iter().map(|(_, id)| id).collect();
    // Two at the registration, the moved one, the first one again, and the second one again.
    assert_eq!(ids.len(), 5);
}

#[tokio::test]
async fn all_60_shows_move() {
    let api = Api::new();
    let months = |year: usize| {
        (0..60).map(|month| format!("{}-{:02}-01T00:00:00Z", year + month / 12, month % 12 + 1)).collect::<Vec<_>>()
    };
    let mut event = sample::event();
    event["eventDatetimes"] = json!(months(2027));
    let created = api.create(&event).await.expect(201, "0").data();
    let change = json!({"title": format!("이사 {}", sample::unique()), "eventDatetimes": months(2040)});
    let edited = api.edit(id(&created), &change).await.expect(200, "0").data();
    let [before, after] =
        [&created, &edited].map(|event| shows(event).into_iter().map(|(_, id)| id).collect::<HashSet<_>>());
    assert_eq!(after.len(), 60);
    assert!(before.is_disjoint(&after));
    // What it gave up is free.
    api.create(&event).await.check(201, "0");
    event["title"] = change["title"].clone();
    event["eventDatetimes"] = json!([months(2040)[59]]);
    api.create(&event).await.check(409, "E_001");
}

#[tokio::test]
async fn show_of_another_event_is_rejected() {
    let api = Api::new();
    let (event, created) = registered().await;
    let mut other = event.clone();
    other["eventDatetimes"] = json!(["2027-05-01T10:00:00Z", "2027-05-02T10:00:00Z"]);
    let other_id = id(&api.create(&other).await.expect(201, "0").data()).to_owned();
    let before = api.event(id(&created)).await;
    let changes = [
        json!({"eventDatetimes": ["2027-06-01T10:00:00Z", "2027-05-02T10:00:00Z"], "artist": "잔나비"}),
        json!({"eventDatetimes": ["2027-05-01T10:00:00Z"]}),
    ];
    for change in &changes {
        api.edit(id(&created), change).await.expect(409, "E_001");
    }
    let after = api.event(id(&created)).await;
    assert_eq!((after.text(), after.header("ETag")), (before.text(), before.header("ETag")));
    let mut free = event.clone();
    free["eventDatetimes"] = json!(["2027-06-01T10:00:00Z"]);
    let free = api.create(&free).await.expect(201, "0").data();
    assert_eq!(api.delete(id(&free)).await.status, 204);

    assert_eq!(api.delete(&other_id).await.status, 204);
    for change in changes {
        api.edit(id(&created), &change).await.expect(200, "0");
    }
}

#[tokio::test]
async fn taken_title_is_rejected_in_any_case() {
    let api = Api::new();
    let (event, _) = registered().await;
    let mut other = event.clone();
    other["title"] = json!(sample::unique());
    let other = api.create(&other).await.expect(201, "0").data();
    let taken = format!("  {}", event["title"].as_str().unwrap().replace(' ', "　"));
    api.edit(id(&other), &json!({"title": taken})).await.expect(409, "E_001");
    api.edit(id(&other), &json!({"title": taken, "place": "잠실"})).await.expect(200, "0");
    api.edit(id(&other), &json!({"place": event["place"]})).await.expect(409, "E_001");
}

#[tokio::test]
async fn given_up_title_is_free() {
    let api = Api::new();
    let (event, created) = registered().await;
    api.edit(id(&created), &json!({"title": sample::unique()})).await.expect(200, "0");
    let new = api.create(&event).await.expect(201, "0").data();
    api.edit(id(&created), &json!({"title": event["title"]})).await.expect(409, "E_001");
    assert_eq!(api.delete(id(&new)).await.status, 204);
    api.edit(id(&created), &json!({"title": event["title"]})).await.expect(200, "0");
    // The spelling of its own title.
    let wide = event["title"].as_str().unwrap().replace(' ', "　");
    let edited = api.edit(id(&created), &json!({"title": wide})).await.expect(200, "0").data();
    assert_eq!(edited["title"], wide);
    api.create(&event).await.expect(409, "E_001");
}

#[tokio::test]
async fn every_invalid_field_is_listed() {
    let api = Api::new();
    let (event, created) = registered().await;
    let change = json!({
        "areas": event["areas"][0]["seats"][0],
        "totalMap": event["totalMap"],
        "thumbnail": created["thumbnail"],
        "id": created["id"],
        "eventDatetimes": [1_745_643_600, 1_745_643_600, "내일"],
        "ticketingOpenTime": true,
        "eventOpenTime": null,
        "artist": "가".repeat(101),
        "place": "\u{3164}",
        "description": null,
        "title": 7,
    });
    let listed = errors(&api.edit(id(&created), &change).await);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let expected = [
        ("title", "7".to_owned()),
        ("description", String::new()),
        ("place", "\u{3164}".to_owned()),
        ("artist", "가".repeat(101)),
        ("eventOpenTime", String::new()),
        ("ticketingOpenTime", "true".to_owned()),
        ("eventDatetimes[1]", "1745643600".to_owned()),
        ("eventDatetimes[2]", "내일".to_owned()),
        ("id", text(&created["id"])),
        ("thumbnail", text(&created["thumbnail"])),
        ("totalMap", text(&event["totalMap"])),
        ("areas", event["areas"][0]["seats"][0].to_string()),
    ];
    assert_eq!(listed, expected.map(|(field, value)| (field.to_owned(), value)));
    for empty in [json!(null), json!([])] {
        assert_eq!(
            errors(&api.edit(id(&created), &json!({"eventDatetimes": empty})).await),
            [("eventDatetimes".into(), String::new())]
        );
        assert_eq!(errors(&api.edit(id(&created), &json!({"areas": empty})).await), [("areas".into(), String::new())]);
    }
    assert_eq!(api.event(id(&created)).await.data(), summary(&created));
}

#[tokio::test]
async fn limits_are_those_of_creation() {
    let api = Api::new();
    let (_, created) = registered().await;
    let instants = |count: usize| (0..count).map(|day| 1_800_000_000 + 86_400 * day).collect::<Vec<_>>();
    let at_limit = json!({
        "title": format!("{}{}", sample::unique(), "가".repeat(90)), "place": "나".repeat(100), "artist": "🎤".repeat(100),
        "description": "\n".repeat(4_999) + "라", "eventDatetimes": instants(60),
    });
    api.edit(id(&created), &at_limit).await.expect(200, "0");
    let beyond = json!({
        "title": "가".repeat(101), "place": "나".repeat(101), "artist": "🎤".repeat(101),
        "description": "라".repeat(5_001), "eventDatetimes": instants(61),
    });
    let fields: Vec<_> = errors(&api.edit(id(&created), &beyond).await).into_iter().map(|(field, _)| field).collect();
    assert_eq!(fields, ["title", "description", "place", "artist", "eventDatetimes"]);
}

#[tokio::test]
async fn unusable_body_is_rejected() {
    let api = Api::new();
    let (_, created) = registered().await;
    let send = async |body: Vec<u8>| Api::send(api.edit_request(id(&created)).body(body)).await;
    for body in ["", "[]", "null", "{", "{\"title\": \"a\", \"title\": \"b\"}", "{\"title\": \"\\ud800\"}"] {
        send(body.into()).await.expect(400, "C_002");
    }
    send(b"{\"title\": \"\xff\"}".to_vec()).await.expect(400, "C_002");
    let encoded = api.edit_request(id(&created)).header("Content-Encoding", "gzip").body("{}");
    Api::send(encoded).await.expect(415, "C_004");
    let padded = |size: usize| format!("{{}}{}", " ".repeat(size - 2)).into_bytes();
    send(padded(4_700_000)).await.expect(200, "0");
    send(padded(4_700_001)).await.expect(413, "C_005");
}

#[tokio::test]
async fn unknown_event_is_not_found() {
    let api = Api::new();
    let (_, created) = registered().await;
    assert_eq!(api.delete(id(&created)).await.status, 204);
    for id in [id(&created), "0196a1b2-0000-7000-8000-00000000abcd", "x", "%ff"] {
        for change in [json!({}), json!({"artist": "잔나비"})] {
            api.edit(id, &change).await.expect(404, "E_002");
            api.edit_if_match(id, "\"x\"", &change).await.expect(404, "E_002");
        }
        assert_eq!(errors(&api.edit(id, &json!({"artist": ""})).await).len(), 1);
    }
}

#[tokio::test]
async fn if_match_guards_an_edit() {
    let api = Api::new();
    let (_, created) = registered().await;
    let tag = api.event(id(&created)).await.header("ETag").to_owned();
    let artist = |name: &str| json!({"artist": name});
    for other in ["\"x\"", &format!("W/{tag}"), &format!("\"x\", W/{tag}")] {
        api.edit_if_match(id(&created), other, &artist("잔나비")).await.expect(412, "E_003");
        api.edit_if_match(id(&created), other, &json!({})).await.expect(412, "E_003");
    }
    assert_eq!(api.event(id(&created)).await.header("ETag"), tag);
    let unchanged = api.edit_if_match(id(&created), &tag, &json!({})).await.expect(200, "0");
    assert_eq!(unchanged.header("ETag"), tag);

    let edited = api.edit_if_match(id(&created), &format!("\"x\" ,{tag}"), &artist("잔나비")).await.expect(200, "0");
    assert_ne!(edited.header("ETag"), tag);
    api.edit_if_match(id(&created), &tag, &artist("새소년")).await.expect(412, "E_003");
    api.edit_if_match(id(&created), "*", &artist("새소년")).await.expect(200, "0");
    let detail = api.get(&format!("/api/v1/events/{}/detail", id(&created))).await;
    api.edit_if_match(id(&created), detail.header("ETag"), &artist("혁오")).await.expect(412, "E_003");
}

#[tokio::test]
async fn invalid_if_match_is_rejected() {
    let api = Api::new();
    let (_, created) = registered().await;
    for invalid in ["", "x", "\"x", "*, \"x\"", "\"x\" \"y\""] {
        for body in [json!({"artist": "잔나비"}), json!({"artist": null}), json!([])] {
            let rejected = api.edit_if_match(id(&created), invalid, &body).await.expect(400, "C_003");
            let errors = rejected.json()["errors"].take();
            assert_eq!((&errors[0]["field"], &errors[0]["value"]), (&json!("if-match"), &json!(invalid)));
        }
    }
    assert_eq!(api.event(id(&created)).await.data(), summary(&created));
}

#[tokio::test]
async fn entity_tags_follow_an_edit() {
    let api = Api::new();
    let (_, created) = registered().await;
    let paths = ["", "/detail", "/seat-map.svg"].map(|end| format!("/api/v1/events/{}{end}", id(&created)));
    let tags = async || {
        join_all(paths.iter().map(|path| api.get(path)))
            .await
            .into_iter()
            .map(|found| found.header("ETag").to_owned())
            .collect::<Vec<_>>()
    };
    let before = tags().await;
    api.edit(id(&created), &json!({"description": "새 설명"})).await.expect(200, "0");
    let after = tags().await;
    for ((path, before), after) in paths.iter().zip(&before).zip(&after) {
        let conditional = |tag: &str| Api::send(api.request(Method::GET, path).header("If-None-Match", tag));
        assert_eq!((conditional(before).await.status, conditional(after).await.status), (200, 304), "{path}");
    }
}

#[tokio::test]
async fn simultaneous_edits_of_fields_all_count() {
    let api = Api::new();
    let (_, created) = registered().await;
    let title = sample::unique();
    let changes = [
        json!({"title": title}),
        json!({"description": "새 설명"}),
        json!({"place": "잠실"}),
        json!({"artist": "잔나비"}),
        json!({"eventOpenTime": 1}),
        json!({"ticketingOpenTime": 2}),
        json!({"eventDatetimes": ["2027-01-01T00:00:00Z"]}),
    ];
    for response in join_all(changes.iter().map(|change| api.edit(id(&created), change))).await {
        response.check(200, "0");
    }
    let data = api.event(id(&created)).await.data();
    let found = ["title", "description", "place", "artist", "eventOpenTime", "ticketingOpenTime"]
        .map(|field| data[field].as_str().unwrap());
    assert_eq!(found, [&title, "새 설명", "잠실", "잔나비", "1970-01-01T00:00:01Z", "1970-01-01T00:00:02Z"]);
    assert_eq!(shows(&data)[0].0, "2027-01-01T00:00:00Z");
}

#[tokio::test]
async fn one_of_simultaneous_edits_of_a_tag_succeeds() {
    let api = Api::new();
    let (_, created) = registered().await;
    let tag = api.event(id(&created)).await.header("ETag").to_owned();
    let changes: Vec<_> = (0..8).map(|number| json!({"artist": format!("가수 {number}")})).collect();
    let responses = join_all(changes.iter().map(|change| api.edit_if_match(id(&created), &tag, change))).await;
    let count = |status| responses.iter().filter(|response| response.status == status).count();
    assert_eq!((count(200), count(412)), (1, 7));
    let winner = responses.iter().find(|response| response.status == 200).unwrap();
    assert_eq!(api.event(id(&created)).await.data(), winner.data());
}

#[tokio::test]
async fn one_of_simultaneous_events_takes_a_title() {
    let api = Api::new();
    let title = sample::unique();
    let events = join_all((0..6).map(|_| registered())).await;
    let change = json!({"title": title});
    let responses = join_all(events.iter().map(|(_, created)| api.edit(id(created), &change))).await;
    let count = |status| responses.iter().filter(|response| response.status == status).count();
    assert_eq!((count(200), count(409)), (1, 5));
}

#[tokio::test]
async fn repeated_creation_returns_edited_event() {
    let api = Api::new();
    let (key, form) = (sample::unique(), sample::form(&sample::event()));
    let created = api.create_with_key(&key, &form).await.expect(201, "0").data();
    let edited = api.edit(id(&created), &json!({"artist": "잔나비"})).await.expect(200, "0").data();
    let repeated = api.create_with_key(&key, &form).await.expect(201, "0").data();
    assert_eq!(summary(&repeated), edited);
    assert_eq!(repeated["areas"], created["areas"]);
    assert_eq!(api.delete(id(&created)).await.status, 204);
    assert_eq!(summary(&api.create_with_key(&key, &form).await.expect(201, "0").data()), edited);
}

#[tokio::test]
async fn edited_event_stays_in_its_place() {
    let api = Api::new();
    let (_, created) = registered().await;
    let edited = api.edit(id(&created), &json!({"artist": "잔나비"})).await.expect(200, "0").data();
    let page = api.get("/api/v1/events").await.data();
    let listed = page.as_array().unwrap().iter().find(|event| event["id"] == created["id"]).unwrap();
    assert_eq!(*listed, edited);
}
