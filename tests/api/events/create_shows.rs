//! Shows of `POST /api/v1/events`: at one place, a title has each show once.

use tests::prelude::*;

#[tokio::test]
async fn registered_show_is_rejected() {
    let api = Api::new();
    let event = sample::event();
    api.create(&event).await.check(201, "0");
    let with = |changes: Value| sample::with(event.clone(), changes);
    let title = event["title"].as_str().unwrap().replace(' ', " \u{3000}").to_uppercase();
    // One of its two shows is enough, and the other one is not stored.
    let same = with(json!({
        "title": format!("  {title}  "), "place": format!("\u{feff}{}\u{200b}", event["place"].as_str().unwrap()),
        "eventDatetimes": [1, "2025-04-27T14:00:00+09:00"], "artist": "다른 가수",
    }));
    assert_snapshot!(api.create(&same).await, @r#"
    409
    {"message": "제목과 장소가 같고 회차가 겹치는 공연이 이미 등록되어 있습니다.", "code": "E_001"}
    "#);
    for other in [json!({"place": "다른 곳"}), json!({"eventDatetimes": [1, 1_745_643_601]})] {
        api.create(&with(other)).await.check(201, "0");
    }
}

mod in_process {
    use aws_sdk_dynamodb::types::AttributeValue;

    use storage::events::show_locks::{COUNT, MIN_CAPACITY};

    use super::*;

    /// Maximum size of an item of DynamoDB, in bytes.
    const MAX_ITEM: usize = 400 * 1024;

    /// Returns the first instant of each of this many consecutive months from January 2027.
    fn months(count: usize) -> Vec<String> {
        (0..count).map(|month| format!("{}-{:02}-01T00:00:00Z", 2027 + month / 12, month % 12 + 1)).collect()
    }

    fn at(event: &Value, shows: impl Into<Value>) -> Value {
        sample::with(event.clone(), json!({ "eventDatetimes": shows.into() }))
    }

    #[tokio::test]
    async fn shows_of_60_months_are_locked() {
        let service = Service::start().await;
        let api = &service.other;
        let event = at(&sample::event(), months(60));
        let id = api.create(&event).await.expect(201, "0").id();
        service.contents().await.check();
        for month in [0, 1, 24, 59] {
            api.create(&at(&event, [&*months(60)[month]])).await.check(409, "E_001");
        }
        // Shares an item with two of them.
        api.create(&at(&event, [&*months(61)[60]])).await.check(201, "0");
        api.delete(&id).await.check(204, "0");
        service.contents().await.check();
        api.create(&event).await.check(201, "0");
    }

    #[tokio::test]
    async fn simultaneous_shows_of_a_month_are_registered() {
        let api = Api::new();
        let event = sample::event();
        let days: Vec<_> = (1..=16).map(|day| at(&event, [format!("2027-05-{day:02}T10:00:00Z")])).collect();
        assert_eq!(statuses(days.iter().map(|event| api.create(event))).await, [201; 16]);
    }

    #[tokio::test]
    async fn full_lock_item_rejects_shows() {
        // The longest attribute of a show: an instant with nine decimals, and an id.
        const SHOW: usize = "2027-06-01T00:00:00.000000001Z".len() + uuid::fmt::Hyphenated::LENGTH;
        let service = Service::start().await;
        let api = &service.other;
        let event = sample::event();
        let id = api.create(&at(&event, ["2027-06-01T00:00:00.000000001Z"])).await.expect(201, "0").id();
        let contents = service.contents().await;
        let lock = contents.of_kind("SHOW").next().unwrap();
        let [partition, sort] = ["pk", "sk"].map(|name| lock[name].as_s().unwrap());
        // The count takes a few bytes, too.
        let others = COUNT.len() + 4;
        let size = |filled: usize| "pk".len() + partition.len() + "sk".len() + sort.len() + others + filled * SHOW;
        assert!(size(MIN_CAPACITY) <= MAX_ITEM && size(MIN_CAPACITY + 10) > MAX_ITEM, "the documented capacity");
        let filler = "x".repeat(MAX_ITEM - size(3) - "filler".len());
        set(&service.stack.dynamodb(), partition, sort, "filler", AttributeValue::S(filler)).await;

        let two = at(&event, ["2027-06-01T00:00:00.000000003Z", "2027-06-01T00:00:00.000000005Z"]);
        let second = api.create(&two).await.expect(201, "0").id();
        // Months that are two years apart share an item.
        assert_snapshot!(api.create(&at(&event, ["2029-06-02T00:00:00Z"])).await, @r#"
        409
        {"message": "같은 제목과 장소로 등록된 회차가 너무 많습니다. 제목이나 장소를 다르게 입력해 주세요.", "code": "E_001"}
        "#);
        api.create(&at(&event, ["2027-07-01T00:00:00Z"])).await.check(201, "0");
        for id in [id, second] {
            api.delete(&id).await.check(204, "0");
        }
        api.create(&two).await.check(201, "0");
    }
}
