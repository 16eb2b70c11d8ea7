//! Searches among many events that change at the same time, in a table that no other test writes to.

use std::collections::{BTreeSet, HashMap};

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use events_list::List;
use fastrand::Rng;
use local::{Stack, TABLE};
use serde_json::{Value, json};
use storage::keys::{self, LISTING_SORT};
use tests::{
    Api, Proxy, Usage,
    fault::{Action, Extent, Fault, Rule},
    function::{self, call, list_request},
    new_stack, sample,
};
use tokio::task::JoinSet;
use uuid::{NoContext, Timestamp, Uuid};

/// Maximum read units of a search among 10,000 events of 2 KB.
const SEARCH_READ_UNITS: f64 = 500.0;

fn list(meter: &Proxy) -> List {
    List::new(meter.table(), "0123456789abcdef".parse().unwrap())
}

async fn create(api: &Api, show: u32) -> String {
    let mut event = sample::event();
    event["eventDatetimes"] = json!([4_000_000_000_u32 + show]);
    api.create(&event).await.expect(201, "0").data()["id"].as_str().unwrap().to_owned()
}

/// Builds an event of 2 KB with a long title and 12 shows.
fn musical() -> Value {
    let mut event = sample::event();
    event["title"] = json!("2026 뮤지컬 〈별이 빛나는 밤에〉 20주년 기념 공연 - 부산");
    event["artist"] = json!("김철수, 이영희, 박민수");
    event["place"] = json!("부산 드림씨어터");
    event["ticketingOpenTime"] = json!("2020-10-01T11:00:00+09:00");
    event["eventDatetimes"] = (10..22).map(|day| json!(format!("2099-12-{day}T19:30:00+09:00"))).collect();
    event["description"] = "가".repeat(440).into();
    event
}

/// Fills a table with copies of an event, with earlier ids.
async fn fill(stack: &Stack, original: Uuid, count: u64) {
    let dynamodb = stack.dynamodb();
    let get = dynamodb.get_item().table_name(TABLE).set_key(Some(keys::event(original).attributes()));
    let item = get.send().await.unwrap().item.unwrap();
    let size = crate::items::size(&item);
    assert!((1_900..=2_048).contains(&size), "{size} bytes");
    let copies: Vec<_> = (1..count)
        .map(|second| {
            let id = Uuid::new_v7(Timestamp::from_unix(NoContext, second, 0));
            let mut item = item.clone();
            item.extend(keys::event(id).attributes());
            item.insert(LISTING_SORT.to_owned(), AttributeValue::S(id.to_string()));
            let put = PutRequest::builder().set_item(Some(item)).build().unwrap();
            WriteRequest::builder().put_request(put).build()
        })
        .collect();
    for batch in copies.chunks(25) {
        dynamodb.batch_write_item().request_items(TABLE, batch.to_vec()).send().await.unwrap();
    }
}

#[tokio::test]
async fn search_among_10_000_events_fits_500_units() {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    let created = api.create(&musical()).await.expect(201, "0").data();
    let original = created["id"].as_str().unwrap();
    fill(&stack, original.parse().unwrap(), 10_000).await;

    let meter = Proxy::start(&stack, None).await;
    let used = async |query: &str, found: usize| {
        let response = call(list(&meter), list_request(query), 200).await;
        assert_eq!(function::json(&response)["data"].as_array().unwrap().len(), found, "{query}");
        meter.take_usage()
    };
    for query in ["q=ㅂㅇ 뮤지컬", "sort=show&from=1", "ticketing=open&from=1&sort=ticketing", "q=부산&limit=100"]
    {
        let used = used(query, 100).await;
        assert_eq!(used.calls, ["Query", "Query", "Query", "BatchGetItem"], "{query}");
        assert!(used.read_units <= SEARCH_READ_UNITS && used.write_units <= 0.0, "{query}: {used:?}");
        println!("{query}: {} read units", used.read_units);
    }
    let nothing = used("q=nothing", 0).await;
    assert_eq!(nothing.calls, ["Query", "Query", "Query"]);
    let one = used("q=부산&limit=1", 1).await;
    assert_eq!(one.read_units.to_bits(), (nothing.read_units + 0.5).to_bits());
}

#[tokio::test]
async fn walk_sees_each_event_once() {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    for sort in ["newest", "show", "ticketing"] {
        let mut stable = BTreeSet::new();
        let mut doomed = Vec::new();
        for index in 0..100_u32 {
            // Some events have the same place in the order, except for their ids.
            let id = create(&api, index / 3 * 7 % 50).await;
            if index.is_multiple_of(5) {
                doomed.push(id);
            } else {
                stable.insert(id);
            }
        }
        let mut seen = HashMap::<String, usize>::new();
        let mut page = Some(format!("/api/v1/events?limit=7&sort={sort}&from=4000000000"));
        while let Some(path) = page {
            let response = api.get(&path).await.expect(200, "0");
            for id in response.ids() {
                *seen.entry(id).or_default() += 1;
            }
            page = response.next_page();
            create(&api, 25).await;
            if let Some(id) = doomed.pop() {
                assert_eq!(api.delete(&id).await.status, 204);
            }
        }
        assert!(seen.values().all(|times| *times == 1), "an event is listed twice by {sort}");
        assert!(stable.iter().all(|id| seen.contains_key(id)), "an event is missing by {sort}");
    }
}

/// Changes random events of a few, and registers some.
async fn change_events(api: Api, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    for _ in 0..40 {
        let known = api.get("/api/v1/events").await.expect(200, "0").ids();
        let id = rng.choice(known).unwrap_or_default();
        let time = 4_000_000_000_u32 + rng.u32(..5);
        match rng.u8(..10) {
            0..3 => drop(create(&api, rng.u32(..5)).await),
            3..5 => drop(api.edit(&id, &json!({"artist": format!("가수{}", rng.u8(..3))})).await),
            5..6 => drop(api.edit(&id, &json!({"ticketingOpenTime": time})).await),
            6..8 => drop(api.edit(&id, &json!({"eventDatetimes": [time]})).await),
            _ => {
                api.delete(&id).await;
                if rng.bool() {
                    api.restore(&id).await;
                }
            }
        }
    }
}

/// Returns all pages of a list.
async fn walk(api: &Api, criteria: &str) -> Vec<Value> {
    let mut events = Vec::new();
    let mut page = Some(format!("/api/v1/events?limit=9{criteria}"));
    while let Some(path) = page {
        let response = api.get(&path).await.expect(200, "0");
        events.extend(response.data().as_array().unwrap().iter().cloned());
        page = response.next_page();
    }
    events
}

#[tokio::test(flavor = "multi_thread")]
async fn search_agrees_with_list_after_changes() {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    let clients: JoinSet<()> = (0..8).map(|seed| change_events(api.clone(), seed)).collect();
    clients.join_all().await;

    let mut listed = walk(&api, "").await;
    assert!(listed.len() >= 10, "{} events", listed.len());
    for artist in 0..3 {
        let of_artist: Vec<_> =
            listed.iter().filter(|event| event["artist"] == format!("가수{artist}")).cloned().collect();
        assert!(!of_artist.is_empty());
        assert_eq!(walk(&api, &format!("&q=가수{artist}")).await, of_artist);
    }
    assert_eq!(walk(&api, "&from=0").await, listed);
    // The ids of version 7 and the times in one notation are in the order of their texts.
    for (sort, time) in [("show", "/eventDatetimes/0/datetime"), ("ticketing", "/ticketingOpenTime")] {
        listed.sort_by_key(|event| [time, "/id"].map(|field| event.pointer(field).unwrap().to_string()));
        assert_eq!(walk(&api, &format!("&sort={sort}")).await, listed, "{sort}");
    }
}

#[tokio::test]
async fn restored_event_is_found_again() {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    let id = create(&api, 0).await;
    let found = async || api.get("/api/v1/events?q=아이유").await.expect(200, "0").ids();
    assert_eq!(found().await, [id.as_str()]);
    assert_eq!(api.delete(&id).await.status, 204);
    assert!(found().await.is_empty());
    api.restore(&id).await.expect(200, "0");
    assert_eq!(found().await, [id]);
}

/// Starts a proxy that changes the first batch read of a stack.
async fn proxy_of_batch(stack: &Stack, fault: Fault) -> Proxy {
    Proxy::start(stack, [Rule::new("BatchGetItem", Extent::ONCE, fault)]).await
}

#[tokio::test]
async fn event_unknown_to_stale_read_is_found() {
    let stack = new_stack().await;
    let id = create(&Api::with_url(&stack.url()), 0).await;
    // As if the first read did not see the event yet.
    let proxy = proxy_of_batch(
        &stack,
        Fault::Rewritten(|body| {
            body["RequestItems"][TABLE]["Keys"][0]["sk"]["S"] = json!("none");
        }),
    );
    let meter = proxy.await;
    let response = call(list(&meter), list_request("sort=ticketing"), 200).await;
    assert_eq!(function::json(&response)["data"][0]["id"], id);
    // The second read is strongly consistent.
    let Usage { calls, read_units, .. } = meter.take_usage();
    assert_eq!(calls, ["Query", "BatchGetItem", "BatchGetItem"]);
    assert_eq!(read_units.to_bits(), 2.0_f64.to_bits());
}

#[tokio::test]
async fn event_deleted_during_search_is_left_out() {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    let [first, second] = [create(&api, 1).await, create(&api, 2).await];
    let deleted = first.clone();
    let delete = Action::new(move || {
        let (api, id) = (api.clone(), deleted.clone());
        async move {
            api.delete(&id).await;
        }
    });
    let meter = proxy_of_batch(&stack, Fault::Interleaved(delete)).await;
    let response = call(list(&meter), list_request("sort=show"), 200).await;
    let body = function::json(&response);
    assert_eq!(body["data"].as_array().unwrap().len(), 1);
    assert_eq!(body["data"][0]["id"], second);
}
