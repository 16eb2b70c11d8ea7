//! Notices of changes: `notifyBuyers` of a change of a show, and of a cancellation

use tests::{notice::counts, prelude::*};

const TOLD: &str = "공연장 사정으로 연기되었습니다.";

/// Returns both shows of a sale.
async fn shows(api: &Api, sale: &Sale) -> [Sale; 2] {
    let shows = api.event(&sale.event).await.data()["eventDatetimes"].take();
    [0, 1].map(|index| Sale { show: shows[index]["id"].as_str().unwrap().to_owned(), ..sale.clone() })
}

#[tokio::test]
async fn buyers_are_told_a_change() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    sale.sold_to_member(&api, &[0]).await;
    let change = |notify: bool| json!({"status": "POSTPONED", "notice": TOLD, "notifyBuyers": notify});
    sale.change(&api, &change(true)).await.check(200, "0");
    let [notice] = &sale.sent_notices(&api).await[..] else { panic!("expected one notice") };
    assert_eq!([&notice["kind"], &notice["text"], &notice["status"]], ["CHANGE", TOLD, "DONE"]);
    assert_eq!(counts(notice), [1, 1, 0]);
    // Nothing changed, nothing sent.
    for notify in [true, false] {
        sale.change(&api, &change(notify)).await.check(200, "0");
    }
    for body in [json!({"notice": null}), json!({"notice": "a", "notifyBuyers": false})] {
        sale.change(&api, &body).await.check(200, "0");
    }
    let [unchanged] = &sale.sent_notices(&api).await[..] else { panic!("expected one notice") };
    assert_eq!(unchanged["text"], TOLD, "the notice that the show had after the change");
    sale.change(&api, &json!({"notice": null, "notifyBuyers": true})).await.check(200, "0");
    let notices = sale.sent_notices(&api).await;
    assert_eq!((notices.len(), notices[0].get("text")), (2, None));
    assert_eq!(shows(&api, &sale).await[1].sent_notices(&api).await.len(), 0, "another show");
}

#[tokio::test]
async fn cancellation_tells_buyers_of_each_show() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let [first, second] = shows(&api, &sale).await;
    let (_, tokens) = api.joined_with_session().await;
    for show in [&first, &second] {
        show.buy(&api, &tokens, &[0]).await;
    }
    second.sold_to_member(&api, &[1]).await;
    api.cancel(&sale.event, &json!({"notice": "취소", "notifyBuyers": true})).await.check(200, "0");
    let [[of_first], [of_second]] = [&first.sent_notices(&api).await[..], &second.sent_notices(&api).await[..]] else {
        panic!("expected one notice of each show")
    };
    assert_eq!([counts(of_first), counts(of_second)], [[1, 1, 0], [2, 2, 0]]);
    assert_eq!([&of_first["text"], &of_first["id"]], [&json!("취소"), &of_second["id"]]);
    api.cancel(&sale.event, &json!({"notifyBuyers": true})).await.check(200, "0");
    assert_eq!(first.sent_notices(&api).await.len(), 1, "nothing changed");
}

#[tokio::test]
async fn cancellation_leaves_notices_of_shows() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let [first, second] = shows(&api, &sale).await;
    first.change(&api, &json!({"notice": "a"})).await.check(200, "0");
    api.cancel(&sale.event, &json!({"notifyBuyers": true})).await.check(200, "0");
    // Nobody is told of a later change of the text, also not by mails that are still to be sent.
    for show in [&first, &second] {
        show.change(&api, &json!({"notice": "b"})).await.check(200, "0");
    }
    assert_eq!(first.sent_notices(&api).await[0]["text"], "a");
    assert_eq!(second.sent_notices(&api).await[0].get("text"), None);
}

#[tokio::test]
async fn other_notify_buyers_is_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let bodies = [
        json!({"notifyBuyers": 1}),
        json!({"notifyBuyers": "true", "notice": 1}),
        json!({"notifyBuyers": null}),
        json!({"notifyBuyers": [true]}),
    ];
    assert_snapshot!(outcomes(&bodies, |body| sale.change(&api, body)).await, @"
    0: 400 C_001 | notifyBuyers ‘1’ true 또는 false여야 합니다.
    1: 400 C_001 | notice ‘1’ 문자열이어야 합니다. | notifyBuyers ‘true’ true 또는 false여야 합니다.
    2: 400 C_001 | notifyBuyers ‘’ 필수 입력값입니다.
    3: 400 C_001 | notifyBuyers ‘[true]’ true 또는 false여야 합니다.
    ");
    assert_snapshot!(outcomes(&bodies, |body| api.cancel(&sale.event, body)).await, @"
    0: 400 C_001 | notifyBuyers ‘1’ true 또는 false여야 합니다.
    1: 400 C_001 | notice ‘1’ 문자열이어야 합니다. | notifyBuyers ‘true’ true 또는 false여야 합니다.
    2: 400 C_001 | notifyBuyers ‘’ 필수 입력값입니다.
    3: 400 C_001 | notifyBuyers ‘[true]’ true 또는 false여야 합니다.
    ");
}

#[tokio::test]
async fn eleventh_told_change_is_not_made() {
    let api = Api::new();
    let registration = Sale::on_sale();
    let sale = Sale::of(&api.create(&registration).await);
    let change =
        async |notice: &str, notify: bool| sale.change(&api, &json!({"notice": notice, "notifyBuyers": notify})).await;
    for number in 0..10 {
        change(&number.to_string(), true).await.check(200, "0");
    }
    let rejected = change("10", true).await;
    rejected.check(429, "N_001");
    let seconds: u64 = rejected.header("Retry-After").parse().unwrap();
    assert!((24 * 3_600 - 120..=24 * 3_600).contains(&seconds), "{seconds}");
    api.cancel(&sale.event, &json!({"notifyBuyers": true})).await.check(429, "N_001");
    let show = api.event(&sale.event).await.data()["eventDatetimes"][0].take();
    assert_eq!((show.get("status"), &show["notice"]), (None, &json!("9")));
    // It is the last check, and a change that changes nothing has none.
    let moved = |datetime: &str| json!({"datetime": datetime, "notifyBuyers": true});
    sale.change(&api, &moved("2100-01-02T10:00:00Z")).await.check(400, "C_001");
    let other = sample::with(registration, json!({"eventDatetimes": ["2100-02-01T10:00:00Z"]}));
    api.create(&other).await;
    sale.change(&api, &moved("2100-02-01T10:00:00Z")).await.check(409, "E_001");
    sale.change(&api, &moved("2100-02-02T10:00:00Z")).await.check(429, "N_001");
    change("9", true).await.check(200, "0");
    change("10", false).await.check(200, "0");
    // Messages and other shows have limits of their own.
    sale.tell(&api, "a").await.check(202, "0");
    let [_, other] = shows(&api, &sale).await;
    other.change(&api, &json!({"notice": "a", "notifyBuyers": true})).await.check(200, "0");
}

#[tokio::test]
async fn simultaneous_told_changes_cannot_pass_the_limit() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let changes: Vec<_> = (0..14).map(|number| json!({"notice": number.to_string(), "notifyBuyers": true})).collect();
    let statuses = statuses(changes.iter().map(|change| sale.change(&api, change))).await;
    assert_eq!(statuses, [vec![200; 10], vec![429; 4]].concat());
    assert_eq!(sale.sent_notices(&api).await.len(), 10);
}

mod in_process {
    use local::Settings;

    use super::*;

    #[tokio::test]
    async fn told_change_without_mail_is_not_made() {
        let settings = Settings { mail_from: String::new(), ..Settings::default() };
        let verified = VerifiedService::start_with(settings).await;
        let (owner, other) = (verified.by(MANAGER), verified.by(OTHER_MANAGER));
        let sale = Sale::open(&owner).await;
        let told = json!({"status": "CANCELLED", "notifyBuyers": true});
        sale.change(&other, &told).await.check(403, "AM_002");
        sale.change(&owner, &told).await.check(404, "AP_003");
        owner.cancel(&sale.event, &told).await.check(404, "AP_003");
        // Before the entity tag, and also if nothing would change.
        let path = format!("{}/dates/{}", sale.event, sale.show);
        owner.edit_if_match(&path, "\"summary-1-9\"", &told).await.check(404, "AP_003");
        sale.change(&owner, &json!({"notifyBuyers": true})).await.check(404, "AP_003");
        assert_eq!(owner.event(&sale.event).await.data()["eventDatetimes"][0].get("status"), None);
        sale.change(&owner, &json!({"status": "CANCELLED", "notifyBuyers": false})).await.check(200, "0");
    }

    #[tokio::test]
    async fn told_change_takes_four_write_units_more_at_most() {
        let service = Service::start().await;
        let days = |count: u32| -> Vec<_> {
            (0..count).map(|day| format!("2100-{:02}-{:02}T10:00:00Z", 1 + day / 28, 1 + day % 28)).collect()
        };
        let units = async |shows: u32, character: &str, length: usize, notify: bool| {
            let fields = json!({"eventDatetimes": days(shows)});
            let sale = Sale::open_with(&service.other, fields).await;
            let body = json!({"notice": character.repeat(length), "notifyBuyers": notify});
            let cancelled = service.effect(service.api.cancel(&sale.event, &body)).await;
            assert_eq!(cancelled.response.status, 200);
            cancelled.usage.write_units
        };
        // All notices of an event have at most 10,000 characters, and each 500.
        for (shows, length) in [(1, 500), (20, 500), (60, 166)] {
            let more = units(shows, "🎫", length, true).await - units(shows, "🎫", length, false).await;
            assert!((2.0..=4.0).contains(&more), "{shows} shows, {length} characters: {more}");
        }
        let different = async |notify: bool| {
            let sale = Sale::open_with(&service.other, json!({"eventDatetimes": days(60)})).await;
            for show in service.api.event(&sale.event).await.data()["eventDatetimes"].as_array().unwrap() {
                let show = Sale { show: show["id"].as_str().unwrap().to_owned(), ..sale.clone() };
                let number = show.show.chars().last().unwrap();
                show.change(&service.api, &json!({"notice": format!("{number}{}", "🎫".repeat(27))}))
                    .await
                    .check(200, "0");
            }
            let cancelled = service.effect(service.api.cancel(&sale.event, &json!({"notifyBuyers": notify}))).await;
            assert_eq!(cancelled.response.status, 200);
            cancelled.usage.write_units
        };
        let more = different(true).await - different(false).await;
        assert!((2.0..=4.0).contains(&more), "60 shows with different texts: {more}");
        let sale = Sale::open(&service.other).await;
        let body = |notify: bool| {
            let datetime = if notify { "2100-01-03T10:00:00.123456789Z" } else { "2100-01-04T10:00:00.123456789Z" };
            json!({"datetime": datetime, "notice": "🎫".repeat(500), "notifyBuyers": notify})
        };
        let [without, with] = [false, true].map(body);
        let without = service.effect(sale.change(&service.api, &without)).await.usage.write_units;
        sale.change(&service.api, &json!({"notice": null, "datetime": "2100-01-01T10:00:00Z"})).await.check(200, "0");
        let with = service.effect(sale.change(&service.api, &with)).await.usage.write_units;
        assert!(with - without <= 4.0, "{with} {without}");
    }

    #[tokio::test]
    async fn told_cancellation_costs_another_query() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let told = json!({"notifyBuyers": true});
        assert_snapshot!(service.effect(service.api.cancel(&sale.event, &told)).await, @r#"
        200
        GetItem EVENT, Query, TransactWriteItems: 2 read, 151 write units
        ~ EVENT#[id1] EVENT {"showStatuses": ["CANCELLED", "CANCELLED"], "version": 1}
        + FENCE#[id1] FENCE {"edit": 1}
        + NOTICES#[id1] NOTICE#[id2] {"expiresAt": "[in 30 days]", "shows": "[12 bytes]", "version": 1}
        "#);
        service.check_permissions("events-cancel");
    }

    #[tokio::test]
    async fn faults_change_and_tell_or_neither() {
        let open = async |service: &Service| Sale::open(&service.other).await;
        let change = async |api: &Api, sale: &Sale| {
            sale.change(api, &json!({"status": "CANCELLED", "notifyBuyers": true})).await
        };
        assert_snapshot!(faults(open, change).await, @"
                            once  lost  fails  unknown     ends   ends after
        GetItem EVENT       200   200   S_003  S_003       S_003  S_003
        Query               200   200   S_003  S_003       S_003  S_003
        TransactWriteItems  200   200   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
