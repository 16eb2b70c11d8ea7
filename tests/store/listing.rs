//! Pages of a list that changes at the same time, in a table that no other test writes to.

use std::collections::{BTreeSet, HashMap};

use tests::{Api, new_stack, sample};

async fn create(api: &Api) -> String {
    api.create(&sample::event()).await.expect(201, "0").data()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn paging_sees_each_event_once() {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    let mut stable = BTreeSet::new();
    let mut doomed = Vec::new();
    for index in 0..1_000 {
        let id = create(&api).await;
        // Every fifth event is deleted while pages are read: before, at and after the current position.
        if index % 5 == 0 {
            doomed.push(id);
        } else {
            stable.insert(id);
        }
    }

    let mut seen = HashMap::<String, usize>::new();
    let mut pages = 0;
    let mut page = Some("/api/v1/events?limit=17".to_owned());
    while let Some(path) = page {
        let response = api.get(&path).await.expect(200, "0");
        for id in response.ids() {
            *seen.entry(id).or_default() += 1;
        }
        page = response.next_page();
        pages += 1;
        create(&api).await;
        for end in [0, doomed.len() / 2, doomed.len().saturating_sub(1)] {
            if end < doomed.len() {
                assert_eq!(api.delete(&doomed.remove(end)).await.status, 204);
            }
        }
    }
    assert!(pages >= 1_000 * 4 / 5 / 17, "{pages} pages");
    assert!(seen.values().all(|times| *times == 1), "an event is listed twice");
    let missed: Vec<_> = stable.iter().filter(|id| !seen.contains_key(*id)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[tokio::test]
async fn unchanged_page_is_304() {
    let stack = new_stack().await;
    let api = Api::with_url(&stack.url());
    let first = create(&api).await;
    let path = "/api/v1/events?limit=2";
    let read =
        async |etag: &str| Api::send(api.request(reqwest::Method::GET, path).header("If-None-Match", etag)).await;
    let one = api.get(path).await.header("ETag").to_owned();
    assert_eq!(read(&one).await.status, 304);

    create(&api).await;
    let two = read(&one).await.expect(200, "0").header("ETag").to_owned();
    assert_eq!(read(&two).await.status, 304);
    assert_eq!(api.delete(&first).await.status, 204);
    let one_again = read(&two).await.expect(200, "0").header("ETag").to_owned();
    assert!(one_again != one && one_again != two);
}
