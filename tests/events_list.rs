//! `GET /api/v1/events`

use std::slice;

use insta::assert_snapshot;
use reqwest::Url;
use serde_json::{Value, json};
use tests::{Api, sample, summaries};

use crate::events_get::summary;

/// Time of a show or of the ticketing: a day of January 2099, at noon in Korea.
fn day(day: u32) -> String {
    format!("2099-01-{day:02}T12:00:00+09:00")
}

/// Builds an event of an artist.
fn event_of(artist: &str) -> Value {
    let mut event = sample::event();
    event["artist"] = json!(artist);
    event
}

/// Registers an event of an artist, and returns its id.
async fn create(api: &Api, artist: &str, ticketing: &str, shows: &[String]) -> String {
    let mut event = event_of(artist);
    event["ticketingOpenTime"] = json!(ticketing);
    event["eventDatetimes"] = json!(shows);
    api.create(&event).await.expect(201, "0").id()
}

fn path(parameters: &[(&str, &str)]) -> String {
    let url = Url::parse_with_params("http://localhost/api/v1/events", parameters).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap())
}

async fn search(api: &Api, parameters: &[(&str, &str)]) -> Vec<String> {
    api.get(&path(parameters)).await.expect(200, "0").ids()
}

/// Reads all pages, and returns the events with the lengths of the pages.
async fn walk(api: &Api, first: String) -> (Vec<Value>, Vec<usize>) {
    let (mut events, mut lengths, mut page) = (Vec::new(), Vec::new(), Some(first));
    while let Some(path) = page {
        let response = api.get(&path).await.expect(200, "0");
        let data = response.data();
        events.extend(data.as_array().unwrap().iter().cloned());
        lengths.push(data.as_array().unwrap().len());
        page = response.next_page();
    }
    (events, lengths)
}

#[tokio::test]
async fn events_are_listed_newest_first() {
    let api = Api::new();
    let artist = sample::unique();
    let mut ours = Vec::new();
    for _ in 0..3 {
        ours.insert(0, summary(&api.create(&event_of(&artist)).await.expect(201, "0").data()));
    }
    let (listed, lengths) = walk(&api, "/api/v1/events?limit=2".to_owned()).await;
    assert!(lengths.iter().rev().skip(1).all(|length| *length == 2), "{lengths:?}");
    let listed: Vec<_> = listed.into_iter().filter(|event| event["artist"] == *artist).collect();
    assert_eq!(listed, ours);
    // The cursor is valid if its event is deleted.
    let first = api.get(&path(&[("q", &artist), ("limit", "1")])).await;
    let [next, tag] = [first.next_page().unwrap(), first.header("ETag").to_owned()];
    let shown = first.to_string().replace(next.rsplit('=').next().unwrap(), "[cursor]").replace(&tag, "[tag]");
    assert_snapshot!(shown, @r#"
    200
    link: </api/v1/events?limit=1&q=[text1]&cursor=[cursor]>; rel="next"
    etag: [tag]
    cache-control: public, max-age=0, s-maxage=1
    {
      "message": "공연 목록을 조회했습니다.", "code": "0",
      "data": [
        {
          "id": "[id1]", "title": "봄 콘서트 [text2]", "description": "봄밤의 야외 콘서트입니다.\n우천 시에도 진행합니다.",
          "place": "올림픽공원 올림픽홀", "thumbnail": "[id1].png", "artist": "[text1]",
          "eventDatetimes": [
            {"id": "[id2]", "datetime": "2025-04-26T05:00:00Z"},
            {"id": "[id3]", "datetime": "2025-04-27T05:00:00Z"}
          ],
          "eventOpenTime": "2025-04-25T05:00:00Z", "ticketingOpenTime": "2025-04-18T05:00:00.500Z"
        }
      ]
    }
    "#);
    api.delete(&first.ids()[0]).await.check(204, "0");
    assert_eq!(api.get(&first.next_page().unwrap()).await.data()[0], ours[1]);
}

#[tokio::test]
async fn page_is_not_sent_again_until_it_changes() {
    let api = Api::new();
    let artist = sample::unique();
    let id = create(&api, &artist, &day(1), &[day(10)]).await;
    let path = path(&[("q", &artist)]);
    let tag = api.get(&path).await.header("ETag").to_owned();
    assert_eq!(api.get_unless(&path, &tag).await.status, 304);
    api.edit(&id, &json!({"description": "바뀐 설명"})).await.check(200, "0");
    let changed = api.get_unless(&path, &tag).await.expect(200, "0");
    assert_eq!(changed.data()[0]["description"], "바뀐 설명");
    api.delete(&id).await.check(204, "0");
    api.get_unless(&path, changed.header("ETag")).await.check(200, "0");
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let long = "가".repeat(51);
    let parameters = [
        vec![("limit", "0"), ("cursor", "x")],
        vec![("limit", "101")],
        vec![("limit", "+5")],
        vec![("limit", "")],
        vec![("cursor", "")],
        vec![("q", "")],
        vec![("q", "\u{3000}\t\u{200b}")],
        vec![("q", &*long)],
        vec![("from", "2099-01-01T00:00:00"), ("to", "1e99"), ("ticketing", "Open"), ("sort", "oldest")],
        vec![("from", ""), ("to", ""), ("ticketing", ""), ("sort", "")],
        vec![("from", "5"), ("to", "1970-01-01T00:00:05Z")],
        // With other criteria, the cursor may be valid.
        vec![("q", " "), ("limit", "x"), ("cursor", "x")],
    ];
    let requests = parameters.iter().map(|parameters| {
        (format!("{parameters:?}").replace(&long, "…"), async { Api::new().get(&path(parameters)).await })
    });
    assert_snapshot!(summaries(requests).await, @r#"
    [("limit", "0"), ("cursor", "x")]: 400 C_003 | limit ‘0’ 1 이상 100 이하여야 합니다. | cursor ‘x’ 이 서비스가 같은 조건의 목록에서 발급한 커서가 아닙니다.
    [("limit", "101")]: 400 C_003 | limit ‘101’ 1 이상 100 이하여야 합니다.
    [("limit", "+5")]: 400 C_003 | limit ‘+5’ 1 이상 100 이하여야 합니다.
    [("limit", "")]: 400 C_003 | limit ‘’ 1 이상 100 이하여야 합니다.
    [("cursor", "")]: 400 C_003 | cursor ‘’ 이 서비스가 같은 조건의 목록에서 발급한 커서가 아닙니다.
    [("q", "")]: 400 C_003 | q ‘’ 필수 입력값입니다.
    [("q", "\u{3000}\t\u{200b}")]: 400 C_003 | q ‘\u{3000}\t\u{200b}’ 필수 입력값입니다.
    [("q", "…")]: 400 C_003 | q ‘가가가가가가가가가가… (51)’ 50자 이하여야 합니다.
    [("from", "2099-01-01T00:00:00"), ("to", "1e99"), ("ticketing", "Open"), ("sort", "oldest")]: 400 C_003 | from ‘2099-01-01T00:00:00’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요. | to ‘1e99’ 1970년부터 9999년까지의 시각이어야 합니다. 유닉스 시간은 밀리초가 아닌 초 단위로 입력해 주세요. | ticketing ‘Open’ upcoming, open 중 하나여야 합니다. | sort ‘oldest’ newest, show, ticketing 중 하나여야 합니다.
    [("from", ""), ("to", ""), ("ticketing", ""), ("sort", "")]: 400 C_003 | from ‘’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요. | to ‘’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요. | ticketing ‘’ upcoming, open 중 하나여야 합니다. | sort ‘’ newest, show, ticketing 중 하나여야 합니다.
    [("from", "5"), ("to", "1970-01-01T00:00:05Z")]: 400 C_003 | from ‘5’ to보다 이른 시각이어야 합니다.
    [("q", " "), ("limit", "x"), ("cursor", "x")]: 400 C_003 | q ‘ ’ 필수 입력값입니다. | limit ‘x’ 1 이상 100 이하여야 합니다.
    "#);
}

#[tokio::test]
async fn cursor_of_other_criteria_is_rejected() {
    let api = Api::new();
    let artist = &*sample::unique();
    for number in [1, 2] {
        create(&api, artist, &day(1), &[day(number)]).await;
    }
    let cursor = async |parameters: &[(&str, &str)]| {
        let next = api.get(&path(&[&[("limit", "1")], parameters].concat())).await.next_page().unwrap();
        next.split_once("cursor=").unwrap().1.to_owned()
    };
    let searched = &*cursor(&[("q", artist), ("sort", "show")]).await;
    let listed = &*cursor(&[]).await;
    let swapped: &str = &listed.chars().rev().collect::<String>();
    for (cursor, criteria) in [
        (searched, &[("q", "other"), ("sort", "show")][..]),
        (searched, &[("q", artist)]),
        (searched, &[("q", artist), ("sort", "show"), ("ticketing", "upcoming")]),
        (searched, &[("q", artist), ("sort", "show"), ("from", "0")]),
        (searched, &[("q", artist), ("sort", "show"), ("to", "9e9")]),
        (searched, &[]),
        (listed, &[("q", artist)]),
        (listed, &[("sort", "show")]),
        (swapped, &[]),
        (&listed[1..], &[]),
    ] {
        let response = api.get(&path(&[criteria, &[("cursor", cursor)]].concat())).await.expect(400, "C_003");
        assert_eq!(response.errors(), [["cursor", cursor]], "{criteria:?}");
    }
    for (cursor, criteria) in [(searched, &[("q", artist), ("sort", "show")][..]), (listed, &[("sort", "newest")])] {
        api.get(&path(&[criteria, &[("cursor", cursor), ("limit", "7")]].concat())).await.check(200, "0");
        // It is not blamed for another fault.
        let invalid = api.get(&path(&[criteria, &[("cursor", cursor), ("limit", "0")]].concat())).await;
        assert_eq!(invalid.errors(), [["limit", "0"]]);
    }
}

#[tokio::test]
async fn every_word_must_occur() {
    let api = Api::new();
    let artist = sample::unique();
    let mut event = event_of(&artist);
    event["title"] = json!(format!("Ａ Résumé 2099 콘서트 ㅋㅋㅋ {artist}"));
    event["place"] = json!("올림픽공원 체조\u{200b}경기장");
    event["genre"] = json!("뮤지컬");
    let created = api.create(&event).await.expect(201, "0");
    let found = async |words: &str| search(&api, &[("q", &format!("{artist} {words}"))]).await;
    for words in [
        "",
        "RE\u{301}SUMÉ 체조경기",
        "a 2099\t올림픽공원",
        "\u{3000}픽공\u{3000}",
        "올림\u{200b}픽 \u{feff}",
        "뮤지",
        "ㅇㄹㅍ ㅁㅈㅋ ㅋㅋㅋ",
        "ㅊㅈㄱㄱㅈ",
    ] {
        assert_eq!(found(words).await, [created.id()], "{words}");
    }
    for words in ["resume", "2099résumé", "장올림", "설명", "ㅋㅋㅋㅋ", "ㄲ", "ㅏ"] {
        assert!(found(words).await.is_empty(), "{words}");
    }
    // A search follows edits.
    api.edit(&created.id(), &json!({"genre": null, "place": "새 공연장"})).await.check(200, "0");
    assert!(found("뮤지").await.is_empty() && found("올림픽").await.is_empty());
    assert_eq!(found("ㄱㅇㅈ").await, [created.id()]);
    let longest = format!("{artist}{}", "🎫".repeat(40));
    api.edit(&created.id(), &json!({"title": longest})).await.check(200, "0");
    assert_eq!(search(&api, &[("q", &longest)]).await, [created.id()]);
    api.delete(&created.id()).await.check(204, "0");
    assert!(found("").await.is_empty());
    api.restore(&created.id()).await.check(200, "0");
    assert_eq!(found("").await, [created.id()]);
}

#[tokio::test]
async fn period_has_start_and_no_end() {
    let api = Api::new();
    let artist = sample::unique();
    create(&api, &artist, &day(1), &[day(10), day(20)]).await;
    let (ten, twenty) = ("4071697200", "4072561200");
    for (period, is_found) in [
        (&[("from", &*day(20))][..], true),
        (&[("from", "4072561200.000000001")], false),
        (&[("to", "2099-01-10T03:00:00.000000001Z")], true),
        (&[("to", ten)], false),
        (&[("from", ten), ("to", twenty)], true),
        (&[("from", &day(11)), ("to", &day(20))], false),
    ] {
        let found = search(&api, &[&[("q", &*artist)], period].concat()).await;
        assert_eq!(found.len(), usize::from(is_found), "{period:?}");
    }
}

#[tokio::test]
async fn ticketing_selects_and_sort_orders_events() {
    let api = Api::new();
    let artist = sample::unique();
    let past = "2001-01-01T00:00:00Z".to_owned();
    let a = &*create(&api, &artist, &day(3), &[day(30), day(12), past.clone()]).await;
    let b = &*create(&api, &artist, &day(2), &[day(11), day(29)]).await;
    let c = &*create(&api, &artist, &day(3), slice::from_ref(&past)).await;
    let open = &*create(&api, &artist, &past, &[past.clone(), day(31)]).await;
    let over = &*create(&api, &artist, &past, slice::from_ref(&past)).await;
    for (criteria, expected) in [
        (&[("sort", "newest")][..], &[over, open, c, b, a][..]),
        (&[("ticketing", "open")], &[open]),
        // Ties are in the order of ids.
        (&[("ticketing", "upcoming"), ("sort", "ticketing")], &[b, a, c]),
        // Without past shows.
        (&[("sort", "show")], &[b, a, open]),
        (&[("sort", "show"), ("from", &day(12))], &[a, b, open]),
        (&[("sort", "show"), ("from", "0"), ("ticketing", "upcoming")], &[a, c, b]),
    ] {
        assert_eq!(search(&api, &[&[("q", &*artist)], criteria].concat()).await, expected, "{criteria:?}");
    }
}

#[tokio::test]
async fn pages_continue_a_search() {
    let api = Api::new();
    let artist = sample::unique();
    let mut expected = Vec::new();
    for number in 0..4 {
        expected.insert(0, create(&api, &artist, &day(1), &[day(20 - number)]).await);
    }
    let (q, from) = (format!(" {artist}\tㅇㄹㅍ  콘서트"), day(2));
    for sort in ["show", "newest"] {
        let criteria = [("q", &*q), ("from", &from), ("to", "2100-01-01T00:00Z"), ("sort", sort)];
        let first = path(&[&criteria[..], &[("ticketing", "upcoming"), ("limit", "2")]].concat());
        let (events, lengths) = walk(&api, first).await;
        assert_eq!(events.iter().map(|event| event["id"].as_str().unwrap()).collect::<Vec<_>>(), expected, "{sort}");
        // A full last page has no link.
        assert_eq!(lengths, [2, 2]);
    }
}

mod in_process {
    use std::collections::{BTreeSet, HashMap};

    use domain::clock::Clock;
    use futures_util::future::join_all;
    use local::{Settings, TABLE};
    use tests::{
        Service, Usage,
        fault::{Extent, Fault, Rule},
        faults, now,
    };

    use super::*;

    #[tokio::test]
    async fn first_page_sets_time_of_walk() {
        let clock = Clock::default();
        let service = Service::start_with(Settings { clock: clock.clone(), ..Settings::default() }).await;
        let (api, soon) = (&service.other, now() + 3_600);
        // Both begin at the same time, so the second one has come when the second page is read.
        let mut events = Vec::new();
        for _ in 0..2 {
            let mut event = sample::event();
            (event["ticketingOpenTime"], event["eventDatetimes"]) = (json!(soon), json!([soon]));
            events.push(api.create(&event).await.expect(201, "0").id());
        }
        let criteria = ["sort=ticketing&ticketing=upcoming", "sort=show"];
        let mut second_pages = Vec::new();
        for criteria in criteria {
            let first = api.get(&format!("/api/v1/events?limit=1&{criteria}")).await.expect(200, "0");
            assert_eq!(first.ids(), events[..1], "{criteria}");
            second_pages.push(first.next_page().unwrap());
        }
        clock.advance(3_600);
        for (criteria, second) in criteria.iter().zip(second_pages) {
            let first = api.get(&format!("/api/v1/events?{criteria}")).await.expect(200, "0");
            assert_eq!(first.ids(), Vec::<String>::new(), "{criteria}");
            assert_eq!(api.get(&second).await.expect(200, "0").ids(), events[1..], "{criteria}");
        }
    }

    #[tokio::test]
    async fn page_is_one_query() {
        let service = Service::start().await;
        let list = async |path: &str| service.effect(service.api.get(path)).await;
        assert_snapshot!(list("/api/v1/events").await.usage, @"Query listing: 0.5 read, 0 write units");
        let id = service.other.create(&sample::concert()).await.id();
        service.copy_event(&id, 100).await;
        // 101 events of 1,800 bytes are 45 times 4 KB; the last one shows that a page follows.
        let first = list("/api/v1/events").await;
        assert_snapshot!(first.usage, @"Query listing: 22.5 read, 0 write units");
        assert_eq!((first.response.ids().len(), first.changes.len()), (100, 0));
        let second = list(&first.response.next_page().unwrap()).await;
        assert_snapshot!(second.usage, @"Query listing: 0.5 read, 0 write units");
        assert_eq!((second.response.ids().len(), second.response.next_page()), (1, None));
        for invalid in ["cursor=x", "q=%20"] {
            assert_eq!(list(&format!("/api/v1/events?{invalid}")).await.usage, Usage::default());
        }
    }

    #[tokio::test]
    async fn large_page_is_more_queries() {
        let service = Service::start().await;
        let mut event = sample::event();
        event["description"] = json!("가".repeat(5_000));
        let id = service.other.create(&event).await.id();
        service.copy_event(&id, 100).await;
        // 101 events of 16 KB.
        assert_snapshot!(service.effect(service.api.get("/api/v1/events")).await.usage, @"Query listing, Query listing: 190.5 read, 0 write units");
        assert_snapshot!(service.effect(service.api.get("/api/v1/events?limit=50")).await.usage, @"Query listing: 96 read, 0 write units");
    }

    #[tokio::test]
    async fn search_reads_index_and_page() {
        let service = Service::start().await;
        // An event of 2 KB with a long title and 12 shows.
        let mut musical = sample::concert();
        for (field, value) in [
            ("title", json!("2026 뮤지컬 〈별이 빛나는 밤에〉 20주년 기념 공연 - 부산")),
            ("artist", json!("김철호, 이영희, 박민수")),
            ("place", json!("부산 드림씨어터")),
            ("ticketingOpenTime", json!("2020-10-01T11:00:00+09:00")),
            ("eventDatetimes", (10..22).map(|day| json!(format!("2099-12-{day}T19:30:00+09:00"))).collect()),
        ] {
            musical[field] = value;
        }
        let id = service.other.create(&musical).await.expect(201, "0").id();
        service.copy_event(&id, 999).await;
        let search = async |parameters: &[(&str, &str)]| {
            service.proxy.set_rules([]);
            let found = service.api.get(&path(parameters)).await.expect(200, "0").ids().len();
            format!("{found}: {}", service.proxy.take_usage())
        };
        assert_snapshot!(search(&[("q", "ㅂㅇ 뮤지컬")]).await, @"100: Query search, BatchGetItem: 88.5 read, 0 write units");
        assert_snapshot!(search(&[("q", "부산"), ("limit", "1")]).await, @"1: Query search, BatchGetItem: 39 read, 0 write units");
        assert_snapshot!(search(&[("q", "nothing")]).await, @"0: Query search: 38.5 read, 0 write units");
        service.api.get("/api/v1/events").await.check(200, "0");
        service.check_permissions("events-list");
        // The index has more than a megabyte.
        let shows = (0..60).map(|show| json!(format!("2098-12-31T19:{show:02}:00.123456789Z")));
        musical["eventDatetimes"] = shows.collect();
        let id = service.other.create(&musical).await.expect(201, "0").id();
        service.copy_event(&id, 499).await;
        assert_snapshot!(search(&[("from", "0"), ("sort", "show")]).await, @"100: Query search, Query search, BatchGetItem: 267 read, 0 write units");
    }

    /// Reads pages while events are registered and deleted before, at and after the position.
    async fn assert_walk_sees_each_event_once(criteria: &str, count: u32) {
        let service = Service::start().await;
        let api = &service.other;
        let register = async |number: u32| {
            let mut event = sample::event();
            // Some events have the same place in the order, except for their ids.
            event["eventDatetimes"] = json!([4_000_000_000 + number / 3 * 7 % 50]);
            api.create(&event).await.expect(201, "0").id()
        };
        let (mut stable, mut doomed, mut seen) = (BTreeSet::new(), Vec::new(), HashMap::<String, usize>::new());
        for number in 0..count {
            let id = register(number).await;
            if number.is_multiple_of(5) {
                doomed.push(id);
            } else {
                stable.insert(id);
            }
        }
        let mut page = Some(format!("/api/v1/events?limit=7{criteria}"));
        while let Some(path) = page {
            let response = api.get(&path).await.expect(200, "0");
            response.ids().into_iter().for_each(|id| *seen.entry(id).or_default() += 1);
            page = response.next_page();
            register(75).await;
            if !doomed.is_empty() {
                let position = seen.len() % doomed.len();
                api.delete(&doomed.remove(position)).await.check(204, "0");
            }
        }
        assert!(seen.values().all(|times| *times == 1), "an event is listed twice by {criteria}");
        assert!(stable.iter().all(|id| seen.contains_key(id)), "an event is missing by {criteria}");
    }

    #[tokio::test]
    async fn walk_sees_each_event_once() {
        for criteria in ["", "&sort=show&from=4000000000"] {
            assert_walk_sees_each_event_once(criteria, 40).await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn search_agrees_with_list_after_changes() {
        let service = Service::start().await;
        let api = &service.other;
        let ids = join_all((0..16).map(|_| api.created())).await;
        // Simultaneous changes of different events, and of the same ones.
        let changes = (0..64).map(async |number: usize| {
            let (id, time) = (&ids[number * 7 % 16], 4_000_000_000 + number % 5);
            match number % 5 {
                0 => drop(api.edit(id, &json!({"artist": format!("가수{}", number % 3)})).await),
                1 => drop(api.edit(id, &json!({"ticketingOpenTime": time})).await),
                2 => drop(api.edit(id, &json!({"eventDatetimes": [time]})).await),
                3 => drop(api.delete(id).await),
                _ => drop(api.restore(id).await),
            }
        });
        join_all(changes).await;
        // Whatever came last, half of the events are live now.
        for id in &ids[..8] {
            api.restore(id).await.check(200, "0");
        }
        let walk = async |criteria: &str| walk(api, format!("/api/v1/events?limit=9{criteria}")).await.0;
        let mut listed = walk("").await;
        assert!(listed.len() >= 8, "{} events", listed.len());
        for artist in 0..3 {
            let of_artist = listed.iter().filter(|event| event["artist"] == format!("가수{artist}")).cloned();
            assert_eq!(walk(&format!("&q=가수{artist}")).await, of_artist.collect::<Vec<_>>());
        }
        assert_eq!(walk("&from=0").await, listed);
        // The ids of version 7 and the times in one notation are in the order of their texts.
        for (sort, time) in [("show&from=0", "/eventDatetimes/0/datetime"), ("ticketing", "/ticketingOpenTime")] {
            listed.sort_by_key(|event| [time, "/id"].map(|field| event.pointer(field).unwrap().to_string()));
            assert_eq!(walk(&format!("&sort={sort}")).await, listed, "{sort}");
        }
        service.contents().await.check();
    }

    #[tokio::test]
    async fn event_of_stale_index_is_found_or_left_out() {
        let service = Service::start().await;
        let first = service.other.created().await;
        // The first read does not see the event yet; the second one is strongly consistent.
        let unknown = Fault::Rewritten(|body| body["RequestItems"][TABLE]["Keys"][0]["sk"]["S"] = json!("none"));
        let rule = Rule::new("BatchGetItem", Extent::Tries(1), unknown);
        let _ = service.proxy.take_usage();
        let found = service.with_rule(rule, async {
            let ids = service.api.get("/api/v1/events?sort=ticketing").await.ids();
            (ids, service.proxy.take_usage().to_string())
        });
        let (ids, usage) = found.await;
        assert_eq!(ids, [&*first]);
        assert_snapshot!(usage, @"Query search, BatchGetItem, BatchGetItem: 2 read, 0 write units");
        // An event is deleted after the index was read.
        let second = service.other.created().await;
        let (other, deleted) = (service.other.clone(), first.clone());
        let rule = Rule::interrupted("BatchGetItem", async move { other.delete(&deleted).await.check(204, "0") });
        let found = service.with_rule(rule, service.api.get("/api/v1/events?sort=ticketing")).await;
        assert_eq!(found.ids(), [second]);
    }

    #[tokio::test]
    async fn faults_are_503() {
        let get = async |api: &Api, path: &String| api.get(path).await;
        let newest = async |service: &Service| {
            service.other.created().await;
            "/api/v1/events?limit=1".to_owned()
        };
        assert_snapshot!(faults(newest, get).await, @r"
                       once  lost  fails  unknown  ends   ends after
        Query listing  200   200   S_003  S_003    S_003  S_003
        ");
        let search = async |service: &Service| {
            let artist = sample::unique();
            service.other.create(&event_of(&artist)).await.check(201, "0");
            path(&[("q", &artist)])
        };
        assert_snapshot!(faults(search, get).await, @r"
                      once  lost  fails  unknown  ends   ends after
        Query search  200   200   S_003  S_003    S_003  S_003
        BatchGetItem  200   200   S_003  S_003    S_003  S_003
        ");
        // The SDK does not know that items of a batch are throttled.
        let service = Service::start().await;
        let path = search(&service).await;
        let throttled =
            |extent| service.with_rule(Rule::new("BatchGetItem", extent, Fault::ThrottledItem), service.api.get(&path));
        throttled(Extent::Tries(6)).await.check(200, "0");
        throttled(Extent::Call).await.check(503, "S_003");
    }
}
