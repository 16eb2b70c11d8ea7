//! `GET /api/v1/events` with the criteria of a search.

use std::{
    slice,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use reqwest::{Method, Url};
use serde_json::{Value, json};
use tests::{Api, Response, sample};

/// Time of a show or of the ticketing: a day of January 2099, at noon in Korea.
fn day(day: u32) -> String {
    format!("2099-01-{day:02}T12:00:00+09:00")
}

/// Builds an event whose artist nobody else has, and returns it with the artist.
fn event() -> (Value, String) {
    let artist = sample::unique();
    let mut event = sample::event();
    event["artist"] = json!(artist);
    (event, artist)
}

/// Registers an event of an artist, and returns its id.
async fn create(api: &Api, artist: &str, ticketing: &str, shows: &[String]) -> String {
    let mut event = sample::event();
    event["artist"] = json!(artist);
    event["ticketingOpenTime"] = json!(ticketing);
    event["eventDatetimes"] = json!(shows);
    id(&api.create(&event).await.expect(201, "0"))
}

fn id(response: &Response) -> String {
    response.data()["id"].as_str().unwrap().to_owned()
}

fn path(parameters: &[(&str, &str)]) -> String {
    let url = Url::parse_with_params("http://localhost/api/v1/events", parameters).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap())
}

async fn search(api: &Api, parameters: &[(&str, &str)]) -> Vec<String> {
    api.get(&path(parameters)).await.expect(200, "0").ids()
}

#[tokio::test]
async fn genre_is_searched() {
    let api = Api::new();
    let (mut event, artist) = event();
    event["genre"] = json!("뮤지컬");
    let created = id(&api.create(&event).await.expect(201, "0"));
    for genre in ["뮤지", "ㅁㅈㅋ"] {
        assert_eq!(search(&api, &[("q", &format!("{artist} {genre}"))]).await, slice::from_ref(&created), "{genre}");
    }
    api.edit(&created, &json!({"genre": null})).await.check(200, "0");
    assert_eq!(search(&api, &[("q", &format!("{artist} 뮤지"))]).await, Vec::<String>::new());
}

#[tokio::test]
async fn every_word_must_occur() {
    let api = Api::new();
    let (mut event, artist) = event();
    event["title"] = json!(format!("Ａ Résumé 2099 {artist}"));
    event["place"] = json!("올림픽공원 체조\u{200b}경기장");
    let created = api.create(&event).await.expect(201, "0");
    for words in [
        "",
        "résumé",
        "RE\u{301}SUMÉ 체조경기",
        "a 2099\t올림픽공원",
        "\u{3000}픽공\u{3000}",
        "올림픽공원체조경기장",
        "올림\u{200b}픽 \u{feff}",
    ] {
        let response = api.get(&path(&[("q", &format!("{artist} {words}"))])).await.expect(200, "0");
        assert_eq!(response.ids(), [id(&created)], "{words}");
        assert_eq!(response.data()[0], crate::events_get::summary(&created.data()), "{words}");
    }
    for words in ["resume", "2099résumé", "장올림", "설명", "x"] {
        assert!(search(&api, &[("q", &format!("{artist} {words}"))]).await.is_empty(), "{words}");
    }
}

#[tokio::test]
async fn initial_consonants_match_syllables() {
    let api = Api::new();
    let (mut event, artist) = event();
    event["title"] = json!(format!("아이유 콘서트 ㅋㅋㅋ! {artist}"));
    event["place"] = json!("잠실 실내체육관");
    let created = id(&api.create(&event).await.expect(201, "0"));
    for words in ["ㅇㅇㅇ", "ㅋㅅㅌ ㅇㅇ", "ㅅㄴㅊㅇㄱ", "ㅋㅋㅋ", "ㅇㅇ 콘서", "ㅇㅋㅅ", "ㅈㅅㅅ"]
    {
        assert_eq!(search(&api, &[("q", &format!("{artist} {words}"))]).await, [created.as_str()], "{words}");
    }
    for words in ["ㅇㅇㅇㅇ", "ㅋㅋㅋㅋ", "ㅈㅅㅇ", "ㄲ", "ㅏ"] {
        assert!(search(&api, &[("q", &format!("{artist} {words}"))]).await.is_empty(), "{words}");
    }
}

#[tokio::test]
async fn period_has_start_and_no_end() {
    let api = Api::new();
    let artist = sample::unique();
    let event = create(&api, &artist, &day(1), &[day(10), day(20)]).await;
    let found = async |period: &[(&str, &str)]| {
        let found = search(&api, &[&[("q", artist.as_str())], period].concat()).await;
        assert!(found.is_empty() || found == [event.as_str()]);
        !found.is_empty()
    };
    let (ten, twenty) = ("4071697200", "4072561200");
    assert!(found(&[("from", &day(20))]).await);
    assert!(found(&[("from", twenty)]).await);
    assert!(!found(&[("from", "4072561200.000000001")]).await);
    assert!(found(&[("to", "2099-01-10T03:00:00.000000001Z")]).await);
    assert!(!found(&[("to", ten)]).await);
    assert!(found(&[("from", ten), ("to", twenty)]).await);
    assert!(!found(&[("from", &day(11)), ("to", &day(20))]).await);
}

#[tokio::test]
async fn ticketing_selects_state() {
    let api = Api::new();
    let artist = sample::unique();
    let past = "2001-01-01T00:00:00Z".to_owned();
    let upcoming = create(&api, &artist, &day(1), &[day(10)]).await;
    let open = create(&api, &artist, &past, &[past.clone(), day(11)]).await;
    create(&api, &artist, &past, slice::from_ref(&past)).await;
    assert_eq!(search(&api, &[("q", &artist), ("ticketing", "upcoming")]).await, [upcoming]);
    assert_eq!(search(&api, &[("q", &artist), ("ticketing", "open")]).await, [open]);
    assert_eq!(search(&api, &[("q", &artist)]).await.len(), 3);
}

#[tokio::test]
async fn sort_orders_events() {
    let api = Api::new();
    let artist = sample::unique();
    let past = "2001-01-01T00:00:00Z".to_owned();
    let a = create(&api, &artist, &day(3), &[day(30), day(12), past.clone()]).await;
    let b = create(&api, &artist, &day(2), &[day(11), day(29)]).await;
    let c = create(&api, &artist, &day(3), slice::from_ref(&past)).await;
    let sorted = async |criteria: &[(&str, &str)]| search(&api, &[&[("q", artist.as_str())], criteria].concat()).await;
    let all = [&a, &b, &c].map(String::as_str);
    let [a, b, c] = all;
    assert_eq!(sorted(&[]).await, [c, b, a]);
    assert_eq!(sorted(&[("sort", "newest")]).await, [c, b, a]);
    assert_eq!(sorted(&[("sort", "ticketing")]).await, [b, a, c], "ties by id");
    assert_eq!(sorted(&[("sort", "show")]).await, [b, a], "without future shows");
    assert_eq!(sorted(&[("sort", "show"), ("from", &day(12))]).await, [a, b]);
    assert_eq!(sorted(&[("sort", "show"), ("from", "0")]).await, [a, c, b], "ties by id");
}

#[tokio::test]
async fn pages_continue_a_search() {
    let api = Api::new();
    let artist = sample::unique();
    let mut expected = Vec::new();
    for number in 0..5 {
        expected.push(create(&api, &artist, &day(1), &[day(20 - number)]).await);
    }
    expected.reverse();
    let (q, from) = (format!(" {artist}\tㅇㄹㅍ  콘서트"), day(2));
    for sort in ["show", "newest"] {
        let criteria = [("q", q.as_str()), ("from", &from), ("to", "2100-01-01T00:00Z"), ("sort", sort)];
        let mut page = Some(path(&[&criteria[..], &[("ticketing", "upcoming"), ("limit", "2")]].concat()));
        let (mut seen, mut lengths) = (Vec::new(), Vec::new());
        while let Some(path) = page {
            let response = api.get(&path).await.expect(200, "0");
            lengths.push(response.ids().len());
            seen.extend(response.ids());
            page = response.next_page();
        }
        assert_eq!(seen, expected, "{sort}");
        assert_eq!(lengths, [2, 2, 1]);
    }
}

#[tokio::test]
async fn full_last_page_has_no_link() {
    let api = Api::new();
    let artist = sample::unique();
    for number in [1, 2] {
        create(&api, &artist, &day(1), &[day(number)]).await;
    }
    let link = async |limit| api.get(&path(&[("q", &artist), ("limit", limit)])).await.expect(200, "0").next_page();
    assert!(link("1").await.is_some());
    assert_eq!(link("2").await, None);
}

#[tokio::test]
async fn cursor_of_other_criteria_is_rejected() {
    let api = Api::new();
    let artist = sample::unique();
    for number in [1, 2] {
        create(&api, &artist, &day(1), &[day(number)]).await;
    }
    let cursor = async |parameters: &[(&str, &str)]| {
        let response = api.get(&path(&[&[("limit", "1")], parameters].concat())).await.expect(200, "0");
        let next = response.next_page().unwrap();
        next.split_once("cursor=").unwrap().1.to_owned()
    };
    let artist = artist.as_str();
    let searched = cursor(&[("q", artist), ("sort", "show")]).await;
    let listed = cursor(&[]).await;
    let (searched, listed) = (searched.as_str(), listed.as_str());
    for (cursor, criteria) in [
        (searched, &[("q", "other"), ("sort", "show")][..]),
        (searched, &[("q", artist)][..]),
        (searched, &[("q", artist), ("sort", "show"), ("ticketing", "upcoming")][..]),
        (searched, &[("q", artist), ("sort", "show"), ("from", "0")][..]),
        (searched, &[("q", artist), ("sort", "show"), ("to", "9e9")][..]),
        (searched, &[][..]),
        (listed, &[("q", artist)][..]),
        (listed, &[("sort", "show")][..]),
    ] {
        let response = api.get(&path(&[criteria, &[("cursor", cursor)]].concat())).await.expect(400, "C_003");
        assert_eq!(response.errors(), [["cursor", cursor]], "{criteria:?}");
    }
    for (cursor, criteria) in [(searched, &[("q", artist), ("sort", "show")][..]), (listed, &[("sort", "newest")][..])]
    {
        api.get(&path(&[criteria, &[("cursor", cursor), ("limit", "7")]].concat())).await.expect(200, "0");
    }
}

#[tokio::test]
async fn unusable_values_are_rejected() {
    let api = Api::new();
    let long = "가".repeat(51);
    for (name, values) in [
        ("q", &["", " ", "\u{3000}\t", "\u{200b}", long.as_str()][..]),
        (
            "from",
            &["", "-", "-1", "now", "2099-01-01", "2099-01-01T00:00:00", "253402300800", "1.0000000001", "\"1\"", "01"]
                [..],
        ),
        ("to", &["", "x", "1e99", "+1", " 1", "null"][..]),
        ("ticketing", &["", "closed", "Open", "upcoming,open"][..]),
        ("sort", &["", "oldest", "SHOW", "show "][..]),
    ] {
        for &value in values {
            let response = api.get(&path(&[(name, value)])).await.expect(400, "C_003");
            assert_eq!(response.errors(), [[name, value]]);
        }
    }
    for to in ["5", "4", "1970-01-01T00:00:05Z"] {
        let response = api.get(&path(&[("from", "5"), ("to", to)])).await.expect(400, "C_003");
        assert_eq!(response.errors(), [["from", "5"]]);
    }
    let all =
        [("q", " "), ("from", "x"), ("to", "x"), ("ticketing", "x"), ("sort", "x"), ("limit", "0"), ("cursor", "x")];
    let response = api.get(&path(&all)).await.expect(400, "C_003");
    // With other criteria, the cursor may be valid.
    assert_eq!(response.errors(), all.map(|(name, value)| [name, value])[..6]);
}

#[tokio::test]
async fn valid_cursor_is_not_blamed() {
    let api = Api::new();
    for _ in 0..2 {
        api.create(&sample::event()).await.expect(201, "0");
    }
    let next = api.get("/api/v1/events?limit=1").await.next_page().unwrap();
    let (_, cursor) = next.split_once("cursor=").unwrap();
    for (parameters, errors) in [
        ([("sort", "newest"), ("limit", "0"), ("cursor", cursor)], ["limit", "0"]),
        ([("from", "x"), ("limit", "1"), ("cursor", cursor)], ["from", "x"]),
    ] {
        let response = api.get(&path(&parameters)).await.expect(400, "C_003");
        assert_eq!(response.errors(), [errors]);
    }
}

#[tokio::test]
async fn query_of_50_characters_is_accepted() {
    let api = Api::new();
    let (mut event, _) = event();
    let title = format!("{}{}", sample::unique(), "🎫".repeat(40));
    event["title"] = json!(title);
    let created = id(&api.create(&event).await.expect(201, "0"));
    assert_eq!(title.chars().count(), 50);
    assert_eq!(search(&api, &[("q", &title)]).await, [created]);
}

#[tokio::test]
async fn search_follows_edit_and_deletion() {
    let api = Api::new();
    let artist = sample::unique();
    let event = create(&api, &artist, &day(1), &[day(10)]).await;
    let [title, moved] = [sample::unique(), sample::unique()];
    let change = json!({"title": title, "place": "새 공연장", "artist": moved, "eventDatetimes": [day(20)]});
    api.edit(&event, &change).await.expect(200, "0");
    assert!(search(&api, &[("q", &artist)]).await.is_empty());
    assert_eq!(search(&api, &[("q", &format!("{title} {moved} ㄱㅇㅈ"))]).await, [event.as_str()]);
    assert_eq!(search(&api, &[("q", &moved), ("from", &day(11))]).await, [event.as_str()]);
    assert!(search(&api, &[("q", &moved), ("to", &day(11))]).await.is_empty());
    api.edit(&event, &json!({"ticketingOpenTime": 0})).await.expect(200, "0");
    assert!(search(&api, &[("q", &moved), ("ticketing", "upcoming")]).await.is_empty());

    assert_eq!(api.delete(&event).await.status, 204);
    assert!(search(&api, &[("q", &moved)]).await.is_empty());
}

#[tokio::test]
async fn search_has_etag_and_lifetime_of_list() {
    let api = Api::new();
    let artist = sample::unique();
    let event = create(&api, &artist, &day(1), &[day(10)]).await;
    let path = path(&[("q", &artist)]);
    let first = api.get(&path).await.expect(200, "0");
    assert_eq!(first.header("Cache-Control"), "public, max-age=0, s-maxage=1");
    let read = async || Api::send(api.request(Method::GET, &path).header("If-None-Match", first.header("ETag"))).await;
    assert_eq!(read().await.status, 304);
    api.edit(&event, &json!({"description": "바뀐 설명"})).await.expect(200, "0");
    assert_eq!(read().await.expect(200, "0").data()[0]["description"], "바뀐 설명");
}

#[tokio::test]
async fn first_page_sets_time_of_walk() {
    let api = Api::new();
    let artist = sample::unique();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let soon = (now + Duration::from_secs(4)).as_secs();
    // Both begin at the same time, so the second one has come when the second page is read.
    let mut events = Vec::new();
    for _ in 0..2 {
        let mut event = sample::event();
        event["artist"] = json!(artist);
        event["ticketingOpenTime"] = json!(soon);
        event["eventDatetimes"] = json!([soon]);
        events.push(id(&api.create(&event).await.expect(201, "0")));
    }
    let upcoming = [("q", artist.as_str()), ("limit", "1"), ("sort", "ticketing"), ("ticketing", "upcoming")];
    let shows = [("q", artist.as_str()), ("limit", "1"), ("sort", "show")];
    let mut pages = Vec::new();
    for criteria in [&upcoming[..], &shows] {
        let first = api.get(&path(criteria)).await.expect(200, "0");
        assert_eq!(first.ids(), events[..1], "{criteria:?}");
        pages.push((criteria, first.next_page().unwrap()));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    tokio::time::sleep(Duration::from_secs(soon).saturating_sub(now)).await;
    for (criteria, second) in pages {
        assert!(search(&api, criteria).await.is_empty(), "{criteria:?}");
        assert_eq!(api.get(&second).await.expect(200, "0").ids(), events[1..], "{criteria:?}");
    }
}
