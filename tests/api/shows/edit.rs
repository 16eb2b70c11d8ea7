//! `PATCH /api/v1/events/{eventId}/dates/{showId}`

use tests::prelude::*;

/// Changes the show of a sale.
async fn edit(api: &Api, sale: &Sale, change: &Value) -> tests::Response {
    api.edit_show(&sale.event, &sale.show, change).await
}

#[tokio::test]
async fn show_is_postponed_and_moved() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let postponed =
        json!({"status": "POSTPONED", "notice": "출연자의 건강 문제로 연기되었습니다.\n새 일시는 곧 알려 드립니다."});
    let edited = edit(&api, &sale, &postponed).await;
    assert_snapshot!(edited.head(), @r#"
    200
    etag: "summary-1-1"
    "#);
    let show = &edited.data()["eventDatetimes"][0];
    assert_eq!([&show["status"], &show["notice"]], [&postponed["status"], &postponed["notice"]]);
    let moved = edit(&api, &sale, &json!({"status": "SCHEDULED", "datetime": 4_102_516_800_u64, "notice": null})).await;
    assert_eq!(moved.data()["eventDatetimes"][0], json!({"id": sale.show, "datetime": "2100-01-01T20:00:00Z"}));
    for path in [sale.event.clone(), format!("{}/detail", sale.event)] {
        assert_eq!(api.event(&path).await.data()["eventDatetimes"], moved.data()["eventDatetimes"]);
    }
    assert_eq!(api.event(&sale.event).await.header("ETag"), moved.header("ETag"));
}

#[tokio::test]
async fn other_values_are_kept() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let before = api.event(&sale.event).await;
    let show = &before.data()["eventDatetimes"][0];
    for change in [json!({}), json!({"status": "SCHEDULED", "notice": " "}), json!({"datetime": show["datetime"]})] {
        let edited = edit(&api, &sale, &change).await.expect(200, "0");
        assert_eq!((edited.data(), edited.header("ETag")), (before.data(), before.header("ETag")), "{change}");
    }
    let mut expected = show.clone();
    for (field, value) in [
        ("status", json!("CANCELLED")),
        ("notice", json!("태풍으로 취소되었습니다.")),
        ("datetime", json!("2100-01-01T20:00:00Z")),
    ] {
        expected[field] = value.clone();
        let edited = edit(&api, &sale, &json!({ field: value })).await.expect(200, "0");
        assert_eq!(edited.data()["eventDatetimes"][0], expected);
    }
    // An edit of the event keeps the show, since it keeps its time.
    let kept = json!({"eventDatetimes": ["2100-01-03T10:00:00Z", "2100-01-01T20:00:00Z"]});
    assert_eq!(api.edit(&sale.event, &kept).await.expect(200, "0").data()["eventDatetimes"][1], expected);
}

#[tokio::test]
async fn invalid_fields_are_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let requests = [
        json!({"status": "OFF", "datetime": "2100-01-01", "notice": "가".repeat(501)}),
        json!({"notice": "a\u{7}"}),
        json!({"datetime": "2100-01-02T10:00:00Z"}),
    ];
    assert_snapshot!(outcomes(&requests, |change| edit(&api, &sale, change)).await, @r#"
    0: 400 C_001 | status ‘OFF’ SCHEDULED, POSTPONED, CANCELLED 중 하나여야 합니다. | datetime ‘2100-01-01’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요. | notice ‘가가가가가가가가가가… (501)’ 500자 이하여야 합니다.
    1: 400 C_001 | notice ‘a\u{7}’ 제어 문자를 포함할 수 없습니다.
    2: 400 C_001 | datetime ‘2100-01-02T10:00:00Z’ 이 공연의 다른 회차와 일시가 같습니다.
    "#);
    let request = |media_type| {
        let request = api.request(Method::PATCH, sale.path("").trim_end_matches('/'));
        Api::send(request.header("Content-Type", media_type).body("{}"))
    };
    assert_eq!(statuses([request("application/merge-patch+json"), request("text/plain")]).await, [200, 415]);
}

#[tokio::test]
async fn notices_of_all_shows_are_limited() {
    let api = Api::new();
    let shows: Vec<_> = (1..=21).map(|day| format!("2100-01-{day:02}T10:00:00Z")).collect();
    let created = api.create(&sample::event_with(json!({ "eventDatetimes": shows }))).await.expect(201, "0").data();
    let (id, shows) = (created["id"].as_str().unwrap(), created["eventDatetimes"].as_array().unwrap());
    let notice = json!({"notice": "가".repeat(500)});
    for show in &shows[..20] {
        api.edit_show(id, show["id"].as_str().unwrap(), &notice).await.check(200, "0");
    }
    let last = shows[20]["id"].as_str().unwrap();
    assert_snapshot!(api.edit_show(id, last, &json!({"notice": "가"})).await.summary(), @"400 C_001 | notice ‘가’ 안내문은 모든 회차를 합쳐 10,000자까지 입력할 수 있습니다.");
    api.event(&format!("{id}/detail")).await.check(200, "0");
    api.edit_show(id, shows[0]["id"].as_str().unwrap(), &json!({"notice": null})).await.check(200, "0");
    api.edit_show(id, last, &json!({"notice": "가"})).await.check(200, "0");
}

#[tokio::test]
async fn outdated_entity_tag_is_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let edit = async |tag: &str, change: Value| {
        let path = sale.path("");
        let request = api.request(Method::PATCH, path.trim_end_matches('/')).header("If-Match", tag);
        Api::send(request.json(&change)).await
    };
    edit("x", json!({"status": "CANCELLED"})).await.check(400, "C_003");
    edit("\"summary-1-1\"", json!({"datetime": "2100-01-02T10:00:00Z"})).await.check(412, "E_003");
    edit("\"summary-1-0\"", json!({"status": "CANCELLED"})).await.check(200, "0");
    edit("\"summary-1-0\"", json!({"status": "CANCELLED"})).await.check(412, "E_003");
}

#[tokio::test]
async fn time_of_same_titled_event_is_rejected() {
    let api = Api::new();
    let first = Sale::on_sale();
    let second = sample::with(first.clone(), json!({"eventDatetimes": ["2100-02-01T10:00:00Z"]}));
    let first = Sale::of(&api.create(&first).await);
    let second = Sale::of(&api.create(&second).await);
    let taken = json!({"datetime": "2100-01-02T10:00:00Z"});
    edit(&api, &second, &taken).await.check(409, "E_001");
    // The time that a moved show gives up is free at once.
    let shows = api.event(&first.event).await.data()["eventDatetimes"].take();
    let other = Sale { show: shows[1]["id"].as_str().unwrap().to_owned(), ..first };
    edit(&api, &other, &json!({"datetime": "2100-03-01T10:00:00Z"})).await.check(200, "0");
    edit(&api, &second, &taken).await.check(200, "0");
}

#[tokio::test]
async fn no_seat_of_a_show_that_is_off_is_sold() {
    let api = Api::new();
    for status in ["POSTPONED", "CANCELLED"] {
        let sale = Sale::open(&api).await;
        let (buyer, sold) = sale.held(&api, &[0]).await;
        sale.confirm(&api, &sold, "order-1", 50_000.0).await.check(200, "0");
        let (holder, held) = sale.held(&api, &[1]).await;
        edit(&api, &sale, &json!({"status": status})).await.check(200, "0");

        sale.hold(&api, &holder, &[2]).await.check(409, "H_003");
        sale.confirm(&api, &held, "order-2", 50_000.0).await.check(409, "H_004");
        sale.confirm(&api, &sold, "order-1", 50_000.0).await.check(200, "0");
        sale.get(&api, &holder, &held).await.check(200, "0");
        sale.release(&api, &holder, &held).await.check(204, "0");
        sale.block(&api, &[3]).await.check(200, "0");
        sale.unblock(&api, &[3]).await.check(200, "0");
        assert_eq!(sale.taken(&api).await, 1, "sold seats stay sold");
        api.delete(&sale.event).await.check(409, "E_004");
        sale.cancel(&api, &sold, "order-1").await.check(200, "0");
        assert_eq!(sale.taken(&api).await, 0);

        edit(&api, &sale, &json!({"status": "SCHEDULED"})).await.check(200, "0");
        sale.hold(&api, &buyer, &[0]).await.check(201, "0");
    }
}

#[tokio::test]
async fn moved_show_keeps_its_seats() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (tokens, hold) = sale.held(&api, &[0, 1]).await;
    sale.block(&api, &[2]).await.check(200, "0");
    edit(&api, &sale, &json!({"datetime": "2100-06-01T10:00:00Z"})).await.check(200, "0");
    assert_eq!(sale.taken(&api).await, 3);
    sale.confirm(&api, &hold, "order-1", 100_000.0).await.check(200, "0");
    assert_eq!(sale.get(&api, &tokens, &hold).await.expect(200, "0").data()["status"], "CONFIRMED");
    // A show that has begun is not on sale.
    edit(&api, &sale, &json!({"datetime": 0})).await.check(200, "0");
    sale.hold(&api, &tokens, &[3]).await.check(409, "H_003");
}

#[tokio::test]
async fn cancelled_show_leaves_ticketing_searches() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let found = async |query: &str| {
        let title = api.event(&sale.event).await.data()["title"].as_str().unwrap().replace(' ', "%20");
        api.get(&format!("/api/v1/events?q={title}&{query}")).await.expect(200, "0").ids().len()
    };
    let period = "from=2100-01-01T00:00:00Z&to=2100-01-02T00:00:00Z";
    for query in ["ticketing=open", "sort=show", period] {
        assert_eq!(found(query).await, 1, "{query}");
    }
    api.cancel(&sale.event, &json!({})).await.check(200, "0");
    assert_eq!([found("ticketing=open").await, found("sort=show").await, found(period).await], [0, 0, 1]);
}

mod in_process {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[tokio::test]
    async fn change_costs_one_read_and_one_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let edit = async |change: Value| service.effect(service.api.edit_show(&sale.event, &sale.show, &change)).await;
        assert_snapshot!(edit(json!({"status": "CANCELLED", "notice": "취소"})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 149 write units
        ~ EVENT#[id1] EVENT {"notices": ["취소", ""], "showStatuses": ["CANCELLED", "SCHEDULED"], "version": 1}
        + FENCE#[id1] FENCE {"edit": 1}
        "#);
        assert_snapshot!(edit(json!({"datetime": "2100-02-01T10:00:00Z"})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 153 write units
        ~ EVENT#[id1] EVENT {"movedFrom": [4102480800, "Null(true)"], "showTimes": [4105159200, 4102567200], "version": 2}
        ~ FENCE#[id1] FENCE {"edit": 2}
        ~ SHOW#[hash] SHOW#00 {"2100-01-01T10:00:00Z": null, "shows": 1}
        + SHOW#[hash] SHOW#01 {"2100-02-01T10:00:00Z": "[id1]", "shows": 1}
        "#);
        // Its lock item also has a show of another event.
        let other = json!({
            "title": service.other.event(&sale.event).await.data()["title"],
            "eventDatetimes": ["2100-02-03T10:00:00Z"], "eventOpenTime": 0, "ticketingOpenTime": 0,
        });
        service.other.copy(&sale.event, &other).await.check(201, "0");
        assert_snapshot!(edit(json!({"datetime": "2100-03-01T10:00:00Z"})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems, GetItem EVENT, BatchGetItem, TransactWriteItems: 3 read, 153 write units
        ~ EVENT#[id1] EVENT {"showTimes": [4107578400, 4102567200], "version": 3}
        ~ FENCE#[id1] FENCE {"edit": 3}
        ~ SHOW#[hash] SHOW#01 {"2100-02-01T10:00:00Z": null, "shows": 1}
        + SHOW#[hash] SHOW#02 {"2100-03-01T10:00:00Z": "[id1]", "shows": 1}
        "#);
        assert_snapshot!(edit(json!({"notice": null})).await, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 4 write units
        ~ EVENT#[id1] EVENT {"notices": null, "version": 4}
        "#);
        assert_snapshot!(edit(json!({"notifyBuyers": true})).await, @"
        200
        GetItem EVENT: 1 read, 0 write units
        ");
        // Buyers are told.
        assert_snapshot!(edit(json!({"notice": "a", "notifyBuyers": true})).await, @r#"
        200
        GetItem EVENT, Query, TransactWriteItems: 2 read, 6 write units
        ~ EVENT#[id1] EVENT {"notices": ["a", ""], "version": 5}
        + NOTICES#[id1] NOTICE#[id2] {"expiresAt": "[in 30 days]", "shows": "[6 bytes]", "texts": ["a"], "version": 5}
        "#);
        service.check_permissions("shows-edit");
    }

    #[tokio::test]
    async fn sold_seat_stays_sold_wherever_its_show_is_moved() {
        let service = Service::start().await;
        let api = &service.other;
        let sale = Sale::open(api).await;
        let (tokens, hold) = sale.held(api, &[0]).await;
        sale.confirm(api, &hold, "order-1", 50_000.0).await.check(200, "0");
        let (late, second) = sale.held(api, &[1]).await;
        for year in [2103, 2106, 9999] {
            edit(api, &sale, &json!({"datetime": format!("{year}-01-01T10:00:00Z")})).await.check(200, "0");
        }
        // As late as three years after the time that the show has now.
        let seconds = (10_002 - 1970) * 366 * 24 * 60 * 60;
        service.stack.sweep(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).await.unwrap();
        let summary = sale.summary(api).await.data();
        assert_eq!((&summary["sold"], &summary["held"]), (&json!(1), &json!(1)));
        assert_eq!(sale.sales(api, "").await.data()[0]["orderId"], "order-1");
        let holder = service.contents().await.of_kind("HOLDER").count();
        assert_eq!(holder, 1, "the one of the member who has bought");
        drop((tokens, late, second));
        sale.cancel(api, &hold, "order-1").await.check(200, "0");
        assert_eq!(sale.summary(api).await.data()["sold"], 0);
    }

    #[tokio::test]
    async fn hold_in_between_sees_the_change() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let (_, tokens) = service.other.joined_with_session().await;
        let cancel = async { edit(&service.other, &sale, &json!({"status": "CANCELLED"})).await.check(200, "0") };
        service.interrupted(sale.hold(&service.api, &tokens, &[0]), cancel).await.check(409, "H_003");
        assert_eq!(sale.taken(&service.other).await, 0);
    }

    #[tokio::test]
    async fn failed_calls_change_nothing() {
        let open = async |service: &Service| Sale::open(&service.other).await;
        let cancel = async |api: &Api, sale: &Sale| edit(api, sale, &json!({"status": "CANCELLED"})).await;
        assert_snapshot!(faults(open, cancel).await, @"
                            once  lost  fails  unknown     ends   ends after
        GetItem EVENT       200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
