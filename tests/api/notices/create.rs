//! `POST /api/v1/events/{eventId}/dates/{showId}/notices`, and the list of notices

use domain::instant::Instant;
use tests::{notice::counts, prelude::*};

#[tokio::test]
async fn buyers_get_a_message() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    sale.sold_to_member(&api, &[0, 1]).await;
    sale.sold(&api, &[2]).await;
    assert_eq!(sale.sent_notices(&api).await, [] as [Value; 0]);
    let before = now();
    let accepted = sale.tell(&api, "문은 6시에 열립니다.\r\n늦지 않게 와 주세요.").await;
    assert_snapshot!(accepted, @r#"
    202
    {"message": "예매자에게 안내 메일을 보내기 시작했습니다.", "code": "0", "data": {"id": "[id1]"}}
    "#);
    let [notice] = &sale.sent_notices(&api).await[..] else { panic!("expected one notice") };
    let names: Vec<_> = notice.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["buyers", "createdAt", "failed", "id", "kind", "sent", "status", "text"]);
    assert_eq!(notice["id"], accepted.data()["id"]);
    assert_eq!([&notice["kind"], &notice["status"]], ["MESSAGE", "DONE"]);
    assert_eq!(notice["text"], "문은 6시에 열립니다.\r\n늦지 않게 와 주세요.");
    assert_eq!(counts(notice), [1, 1, 0], "the box office sells to no member");
    let created = Instant::from_text(notice["createdAt"].as_str().unwrap()).unwrap().since_epoch();
    assert!((before..=now()).contains(&created.as_secs()));
    sale.tell(&api, "다음").await.check(202, "0");
    let notices = sale.sent_notices(&api).await;
    assert_eq!([&notices[0]["text"], &notices[1]["id"]], [&json!("다음"), &notice["id"]], "newest first");
    assert_eq!(sale.notices(&api).await.header("Cache-Control"), "no-store");
}

#[tokio::test]
async fn text_has_1_to_2000_characters() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let bodies = [
        json!({}),
        json!({"text": null}),
        json!({"text": 1}),
        json!({"text": " \n"}),
        json!({"text": "가".repeat(2_001)}),
        json!({"text": "a\u{7}"}),
        json!({"text": "🎫".repeat(2_000)}),
        json!({"text": "a\n\tb"}),
    ];
    assert_snapshot!(outcomes(&bodies, |body| sale.tell_with(&api, body)).await, @r"
    0: 400 C_001 | text ‘’ 필수 입력값입니다.
    1: 400 C_001 | text ‘’ 필수 입력값입니다.
    2: 400 C_001 | text ‘1’ 문자열이어야 합니다.
    3: 400 C_001 | text ‘ \n’ 필수 입력값입니다.
    4: 400 C_001 | text ‘가가가가가가가가가가… (1000)’ 2,000자 이하여야 합니다.
    5: 400 C_001 | text ‘a\u{7}’ 제어 문자를 포함할 수 없습니다.
    6: 202
    7: 202
    ");
    assert_eq!(sale.sent_notices(&api).await[1]["text"], bodies[6]["text"]);
}

#[tokio::test]
async fn eleventh_message_of_a_day_is_rejected() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    for number in 0..10 {
        sale.tell(&api, &number.to_string()).await.check(202, "0");
    }
    let rejected = sale.tell(&api, "10").await;
    assert_snapshot!(rejected.summary(), @"429 N_001 예매자 안내를 너무 많이 보냈습니다. 24시간 뒤에 다시 시도해 주세요.");
    let seconds: u64 = rejected.header("Retry-After").parse().unwrap();
    assert!((24 * 3_600 - 120..=24 * 3_600).contains(&seconds), "{seconds}");
    assert_eq!(sale.sent_notices(&api).await.len(), 10);
    // Changes and other shows have limits of their own.
    sale.change(&api, &json!({"status": "POSTPONED", "notifyBuyers": true})).await.check(200, "0");
    let show = api.event(&sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().to_owned();
    Sale { show, ..sale }.tell(&api, "10").await.check(202, "0");
}

#[tokio::test]
async fn simultaneous_messages_cannot_pass_the_limit() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let statuses = statuses((0..14).map(|_| sale.tell(&api, "a"))).await;
    assert_eq!(statuses, [vec![202; 10], vec![429; 4]].concat());
}

#[tokio::test]
async fn repeated_key_is_one_notice() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let body = json!({"text": "a"});
    let tell = async |api: &Api, body: &Value| sale.tell_with_key(api, "key", body).await;
    let first = tell(&api, &body).await.expect(202, "0");
    assert_eq!(tell(&api, &body).await.expect(202, "0").data(), first.data());
    tell(&api, &json!({"text": "b"})).await.check(422, "C_011");
    let other = tell(&api.by(OTHER_MANAGER), &body).await.expect(202, "0");
    assert_ne!(other.data(), first.data());
    let answers = statuses((0..8).map(|_| sale.tell_with_key(&api, "other", &body))).await;
    assert_eq!((answers, sale.sent_notices(&api).await.len()), (vec![202; 8], 3));
    let invalid = sale.tell_with_key(&api, "a b", &body).await;
    invalid.check(400, "C_003");
    // The other show has a path of its own.
    let show = api.event(&sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().to_owned();
    assert_ne!(Sale { show, ..sale.clone() }.tell_with_key(&api, "key", &body).await.data(), first.data());
}

#[tokio::test]
async fn drafts_have_no_messages() {
    let api = Api::new();
    let sale = Sale::open_with(&api, json!({"published": false})).await;
    sale.tell(&api, "a").await.check(404, "E_002");
    sale.notices(&api.by(OTHER_MANAGER)).await.check(404, "E_002");
    assert_eq!(sale.notices(&api).await.expect(200, "0").data(), json!([]));
    api.edit(&sale.event, &json!({"published": true})).await.check(200, "0");
    // In an open deployment, any manager may for a published event.
    sale.tell(&api.by(OTHER_MANAGER), "a").await.check(202, "0");
    sale.notices(&api.by(OTHER_MANAGER)).await.check(200, "0");
}

mod in_process {
    use local::Settings;

    use super::*;

    #[tokio::test]
    async fn only_owner_tells_buyers() {
        let verified = VerifiedService::start().await;
        let owner = verified.by(MANAGER);
        let sale = Sale::open(&owner).await;
        sale.tell(&owner, "a").await.check(202, "0");
        let order_service = verified.with_roles("order-service-1", &["order"]);
        sale.tell(&verified.by(OTHER_MANAGER), "").await.check(400, "C_001");
        for other in [verified.by(OTHER_MANAGER), order_service] {
            sale.tell(&other, "a").await.check(403, "AM_002");
            sale.notices(&other).await.check(403, "AM_002");
        }
        sale.tell(&verified.api.with_token("a.b.c"), "").await.check(401, "AM_001");
        assert_eq!(sale.notices(&owner).await.data().as_array().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn deployment_without_mail_tells_nobody() {
        let service = Service::start_with(Settings { mail_from: String::new(), ..Settings::default() }).await;
        let sale = Sale::open(&service.other).await;
        sale.tell(&service.other, "").await.check(400, "C_001");
        let unknown = Sale { show: sample::UNKNOWN_EVENT.to_owned(), ..sale.clone() };
        unknown.tell(&service.other, "a").await.check(404, "E_002");
        let rejected = sale.tell(&service.other, "a").await;
        assert_snapshot!(rejected.summary(), @"404 AP_003 이 서비스에서는 메일을 보내지 않습니다.");
        assert_eq!(sale.notices(&service.other).await.data(), json!([]));
    }

    #[tokio::test]
    async fn limit_ends_after_a_day() {
        let (service, clock) = Service::with_clock().await;
        let sale = Sale::open(&service.other).await;
        let tell = async || sale.tell(&service.other, "a").await;
        let change =
            async |status: &str| sale.change(&service.other, &json!({"status": status, "notifyBuyers": true})).await;
        for number in 0..10 {
            tell().await.check(202, "0");
            change(["POSTPONED", "SCHEDULED"][number % 2]).await.check(200, "0");
            clock.advance(60);
        }
        clock.advance(24 * 3_600 - 660);
        for rejected in [tell().await, change("POSTPONED").await] {
            rejected.check(429, "N_001");
            let seconds: u64 = rejected.header("Retry-After").parse().unwrap();
            assert!((1..=60).contains(&seconds), "{seconds}");
        }
        clock.advance(60);
        tell().await.check(202, "0");
        change("POSTPONED").await.check(200, "0");
        tell().await.check(429, "N_001");
        clock.advance(29 * 24 * 3_600 + 600);
        assert_eq!(sale.sent_notices(&service.other).await.len(), 2, "kept for 30 days");
    }

    #[tokio::test]
    async fn message_is_a_read_and_a_transaction() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        assert_snapshot!(service.effect(sale.tell_with_key(&service.api, "key", &json!({"text": "a"}))).await, @r#"
        202
        BatchGetItem, TransactWriteItems: 3 read, 6 write units
        + NOTICES#[id1] MESSAGES#[id2] {"expiresAt": "[in 2 days]", "times": ["[now]"], "version": 1}
        + IDEMPOTENCY#[id3]#[id2]#key MESSAGE_KEY {"expiresAt": "[in 1 days]", "fingerprint": "[hash]", "made": "[id4]"}
        + NOTICES#[id1] NOTICE#[id4] {"expiresAt": "[in 30 days]", "show": 2147483648, "text": "a"}
        "#);
        service.check_permissions("notices-create");
    }

    #[tokio::test]
    async fn list_is_two_reads_and_a_query() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        sale.tell(&service.other, "a").await.check(202, "0");
        sale.sent_notices(&service.other).await;
        assert_snapshot!(service.effect(sale.notices(&service.api)).await.usage, @"BatchGetItem, Query, BatchGetItem: 3 read, 0 write units");
        service.check_permissions("notices-list");
    }

    #[tokio::test]
    async fn faults_send_a_message_or_none() {
        let prepare = async |service: &Service| Sale::open(&service.other).await;
        let tell = async |api: &Api, sale: &Sale| sale.tell_with_key(api, "key", &json!({"text": "a"})).await;
        assert_snapshot!(faults(prepare, tell).await, @"
                            once  lost  fails  unknown     ends   ends after
        BatchGetItem        202   202   S_003  S_003       S_003  S_003
        TransactWriteItems  202   202   S_003  S_003 done  S_003  S_003 done
        ");
    }
}
