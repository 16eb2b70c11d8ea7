//! Search of `GET /api/v1/events`.

use std::slice;
use tests::prelude::*;

use super::list::{create, day, path, search, walk};

/// `domain/search.rs` tests how words match.
#[tokio::test]
async fn search_follows_changes() {
    let api = Api::new();
    let artist = sample::unique();
    let event = json!({"artist": artist, "place": "올림픽공원 체조\u{200b}경기장", "genre": "뮤지컬"});
    let created = api.create(&sample::event_with(event)).await.expect(201, "0");
    let found = async |words: &str| search(&api, &[("q", &format!("{artist} {words}"))]).await;
    for words in ["", "봄 체조경기", "뮤지", "ㅇㄹㅍ ㅁㅈㅋ"] {
        assert_eq!(found(words).await, [created.id()], "{words}");
    }
    assert!(found("설명").await.is_empty());
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
        (&[("from", &day(29)), ("to", &day(30))], &[b]),
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
    use std::time::Duration;

    use futures_util::future::join_all;
    use local::{Settings, TABLE};

    use tests::fault::{Extent, Fault, Rule};

    use super::*;

    #[tokio::test]
    async fn first_page_sets_time_of_walk() {
        let (service, clock) = Service::with_clock().await;
        let (api, soon) = (&service.other, now() + 3_600);
        // Both begin at the same time, so the second one has come when the second page is read.
        let mut events = Vec::new();
        for _ in 0..2 {
            let event = sample::event_with(json!({"ticketingOpenTime": soon, "eventDatetimes": [soon]}));
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
    async fn search_reads_index_and_page() {
        // A search of so many events takes seconds on a busy machine, and must not be sent again.
        let settings = Settings { call_timeout: Some(Duration::from_mins(2)), ..Settings::default() };
        let service = Service::start_with(settings).await;
        // An event of 2 KB with a long title and 12 shows.
        let days: Vec<_> = (10..22).map(|day| format!("2099-12-{day}T19:30:00+09:00")).collect();
        let musical = sample::with(
            sample::concert(),
            json!({
                "title": "2026 뮤지컬 〈별이 빛나는 밤에〉 20주년 기념 공연 - 부산", "artist": "김철호, 이영희, 박민수",
                "place": "부산 드림씨어터", "ticketingOpenTime": "2020-10-01T11:00:00+09:00", "eventDatetimes": days,
            }),
        );
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
        let shows: Vec<_> = (0..60).map(|show| format!("2098-12-31T19:{show:02}:00.123456789Z")).collect();
        let musical = sample::with(musical, json!({ "eventDatetimes": shows }));
        let id = service.other.create(&musical).await.expect(201, "0").id();
        service.copy_event(&id, 499).await;
        assert_snapshot!(search(&[("from", "0"), ("sort", "show")]).await, @"100: Query search, Query search, BatchGetItem: 267 read, 0 write units");
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
        let delete = async { service.other.delete(&first).await.check(204, "0") };
        let list = service.api.get("/api/v1/events?sort=ticketing");
        let found = service.interrupted_at("BatchGetItem", 0, list, delete).await;
        assert_eq!(found.ids(), [second]);
    }
}
