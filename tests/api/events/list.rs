//! `GET /api/v1/events`

use reqwest::Url;
use tests::prelude::*;

use crate::events::get::summary;

/// Time of a show or of the ticketing: a day of January 2099, at noon in Korea.
pub fn day(day: u32) -> String {
    format!("2099-01-{day:02}T12:00:00+09:00")
}

/// Builds an event of an artist.
fn event_of(artist: &str) -> Value {
    sample::event_with(json!({ "artist": artist }))
}

/// Registers an event of an artist, and returns its id.
pub async fn create(api: &Api, artist: &str, ticketing: &str, shows: &[String]) -> String {
    let event = json!({"artist": artist, "ticketingOpenTime": ticketing, "eventDatetimes": shows});
    api.create(&sample::event_with(event)).await.expect(201, "0").id()
}

pub fn path(parameters: &[(&str, &str)]) -> String {
    let url = Url::parse_with_params("http://localhost/api/v1/events", parameters).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap())
}

pub async fn search(api: &Api, parameters: &[(&str, &str)]) -> Vec<String> {
    api.get(&path(parameters)).await.expect(200, "0").ids()
}

/// Reads all pages, and returns the events with the lengths of the pages.
pub async fn walk(api: &Api, first: String) -> (Vec<Value>, Vec<usize>) {
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
    let head = first.head().replace(next.rsplit('=').next().unwrap(), "[cursor]").replace(&tag, "[tag]");
    assert_snapshot!(head, @r#"
    200
    link: </api/v1/events?limit=1&q=[text1]&cursor=[cursor]>; rel="next"
    etag: [tag]
    cache-control: public, max-age=0, s-maxage=1
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
async fn page_is_sent_again_once_it_has_a_next_one() {
    let api = Api::new();
    let artist = sample::unique();
    create(&api, &artist, &day(1), &[day(10)]).await;
    let path = path(&[("q", &artist), ("sort", "show"), ("limit", "1")]);
    let last = api.get(&path).await.expect(200, "0");
    assert!(!last.headers.contains_key("Link"));
    create(&api, &artist, &day(1), &[day(11)]).await;
    let page = api.get_unless(&path, last.header("ETag")).await.expect(200, "0");
    assert_eq!(page.data(), last.data());
    assert!(page.headers.contains_key("Link"));
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let parameters = [
        vec![("limit", "0"), ("cursor", "x")],
        vec![("limit", "101")],
        vec![("q", "\u{3000}\t\u{200b}")],
        vec![("from", "2099-01-01T00:00:00"), ("to", "1e99"), ("ticketing", "Open"), ("sort", "oldest")],
        vec![("from", "5"), ("to", "1970-01-01T00:00:05Z")],
        // With other criteria, the cursor may be valid.
        vec![("q", " "), ("limit", "x"), ("cursor", "x")],
    ];
    let requests = parameters.iter().map(|parameters| (format!("{parameters:?}"), get(parameters)));
    assert_snapshot!(summaries(requests).await, @r#"
    [("limit", "0"), ("cursor", "x")]: 400 C_003 | limit ‘0’ 1 이상 100 이하여야 합니다. | cursor ‘x’ 이 서비스가 같은 조건의 목록에서 발급한 커서가 아닙니다.
    [("limit", "101")]: 400 C_003 | limit ‘101’ 1 이상 100 이하여야 합니다.
    [("q", "\u{3000}\t\u{200b}")]: 400 C_003 | q ‘\u{3000}\t\u{200b}’ 필수 입력값입니다.
    [("from", "2099-01-01T00:00:00"), ("to", "1e99"), ("ticketing", "Open"), ("sort", "oldest")]: 400 C_003 | from ‘2099-01-01T00:00:00’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요. | to ‘1e99’ 1970년부터 9999년까지의 시각이어야 합니다. 유닉스 시간은 밀리초가 아닌 초 단위로 입력해 주세요. | ticketing ‘Open’ upcoming, open 중 하나여야 합니다. | sort ‘oldest’ newest, show, ticketing 중 하나여야 합니다.
    [("from", "5"), ("to", "1970-01-01T00:00:05Z")]: 400 C_003 | from ‘5’ to보다 이른 시각이어야 합니다.
    [("q", " "), ("limit", "x"), ("cursor", "x")]: 400 C_003 | q ‘ ’ 필수 입력값입니다. | limit ‘x’ 1 이상 100 이하여야 합니다.
    "#);
}

async fn get(parameters: &[(&str, &str)]) -> Response {
    Api::new().get(&path(parameters)).await
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
    for (cursor, criteria) in
        [(searched, &[("q", "other"), ("sort", "show")][..]), (searched, &[]), (listed, &[("q", artist)])]
    {
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

mod in_process {
    use std::collections::{BTreeSet, HashMap};
    use tests::{
        Usage,
        fault::{Extent, Fault, Rule},
    };

    use super::*;

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
        let id = service.other.create(&sample::event_with(json!({"description": "가".repeat(5_000)}))).await.id();
        service.copy_event(&id, 100).await;
        // 101 events of 16 KB.
        assert_snapshot!(service.effect(service.api.get("/api/v1/events")).await.usage, @"Query listing, Query listing: 190.5 read, 0 write units");
        assert_snapshot!(service.effect(service.api.get("/api/v1/events?limit=50")).await.usage, @"Query listing: 96 read, 0 write units");
    }

    /// Reads pages while events are registered and deleted before, at and after the position.
    async fn assert_walk_sees_each_event_once(criteria: &str, count: u32) {
        let service = Service::start().await;
        let api = &service.other;
        let register = async |number: u32| {
            // Some events have the same place in the order, except for their ids.
            let event = sample::event_with(json!({"eventDatetimes": [4_000_000_000 + number / 3 * 7 % 50]}));
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
