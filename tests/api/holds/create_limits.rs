//! Limits of `POST /api/v1/events/{eventId}/dates/{showId}/holds`.

use tests::prelude::*;

#[tokio::test]
async fn member_has_at_most_four_seats_of_a_show() {
    let api = Api::new();
    let sale = Sale::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    sale.hold(&api, &tokens, &[0, 1, 2, 3, 4]).await.check(409, "H_002");
    let hold = sale.hold(&api, &tokens, &[0, 1]).await.expect(201, "0").id();
    sale.confirm(&api, &hold, "order-1", 100_000.0).await.check(200, "0");
    let second = sale.hold(&api, &tokens, &[2, 3]).await.expect(201, "0").id();
    assert_snapshot!(sale.hold(&api, &tokens, &[4]).await, @r#"
    409
    {"message": "한 회차에 4석까지만 예매할 수 있습니다.", "code": "H_002"}
    "#);
    sale.release(&api, &tokens, &second).await.check(204, "0");
    sale.hold(&api, &tokens, &[4, 5]).await.check(201, "0");
    sale.cancel(&api, &hold, "order-1").await.check(200, "0");
    sale.hold(&api, &tokens, &[0, 1]).await.check(201, "0");
    sale.hold(&api, &tokens, &[6]).await.check(409, "H_002");
}

#[tokio::test]
async fn seats_are_held_only_while_on_sale() {
    let api = Api::new();
    let (_, tokens) = api.joined_with_session().await;
    let future = json!({"ticketingOpenTime": "2099-01-01T00:00:00Z"});
    let past = json!({"eventDatetimes": ["2025-04-26T05:00:00Z"]});
    for change in [future, past] {
        let sale = Sale::open_with(&api, change).await;
        assert_eq!(
            sale.hold(&api, &tokens, &[0]).await.summary(),
            "409 H_003 지금은 예매할 수 없는 회차입니다. 예매 시작·마감 일시와 공연 일시, 연기·취소 여부를 확인해 주세요."
        );
    }
}

#[tokio::test]
async fn event_may_allow_fewer_seats() {
    let api = Api::new();
    let mut event = Sale::on_sale();
    event["maxSeats"] = json!(2);
    let sale = Sale::of(&api.create(&event).await);
    let (_, tokens) = api.joined_with_session().await;
    let rejected = sale.hold(&api, &tokens, &[0, 1, 2]).await.summary();
    assert_eq!(rejected, "409 H_002 한 회차에 2석까지만 예매할 수 있습니다.");
    sale.hold(&api, &tokens, &[0, 1]).await.check(201, "0");
    // A lower limit takes nothing from anybody, and a higher one than the deployment's allows no more.
    api.edit(&sale.event, &json!({"maxSeats": 1})).await.check(200, "0");
    assert_eq!(sale.taken(&api).await, 2);
    sale.hold(&api, &tokens, &[2]).await.check(409, "H_002");
    api.edit(&sale.event, &json!({"maxSeats": 10})).await.check(200, "0");
    sale.hold(&api, &tokens, &[2, 3, 4]).await.check(409, "H_002");
    sale.hold(&api, &tokens, &[2, 3]).await.check(201, "0");
    // The box office is not concerned.
    sale.sell(&api, "order-1", &[10, 11, 12, 13, 14]).await.check(201, "0");
}

mod in_process {
    use tests::mail::mail_token;

    use super::*;

    #[tokio::test]
    async fn unverified_member_holds_nothing_where_required() {
        let service = Service::with_required_verification().await;
        let sale = Sale::open(&service.other).await;
        let (member, tokens) = service.other.joined_with_session().await;
        // Directly after the access token, before the body.
        assert_snapshot!(service.effect(sale.hold_with(&service.api, &tokens, &json!([]))).await, @"
        403 AJ_003 이메일 인증이 필요합니다. 메일의 링크로 인증한 뒤 다시 시도해 주세요.
        GetItem SIGNING_KEY, GetItem MEMBER: 2 read, 0 write units
        ");
        let invalid = json!({"accessToken": "x"});
        sale.hold(&service.api, &invalid, &[0]).await.check(401, "AS_002");
        service.other.verify(&mail_token(&service.stack, &member)).await.check(204, "0");
        sale.hold(&service.api, &tokens, &[0]).await.check(201, "0");
        // A new password keeps the address verified, also one by a mail.
        service.other.forgot(&member["email"]).await.check(202, "0");
        service.other.reset(&mail_token(&service.stack, &member), sample::PASSWORD).await.check(204, "0");
        sale.hold(&service.api, &tokens, &[1]).await.check(201, "0");
        service.other.withdraw(&member, &json!({"password": sample::PASSWORD})).await.check(204, "0");
        sale.hold(&service.api, &tokens, &[2]).await.check(401, "AS_002");
    }

    #[tokio::test]
    async fn sale_closes_before_the_show() {
        let (service, clock) = Service::with_clock().await;
        let api = &service.other;
        let mut event = Sale::on_sale();
        event["eventDatetimes"] = json!([clock.now().as_secs() + 7_200]);
        event["ticketingCloseMinutes"] = json!(60);
        let sale = Sale::of(&api.create(&event).await);
        let (_, hold) = sale.held(api, &[0]).await;
        let open = async || api.get("/api/v1/events?ticketing=open").await.expect(200, "0").ids().len();
        assert_eq!(open().await, 1);
        clock.advance(3_590);
        let (_, other) = api.joined_with_session().await;
        clock.advance(20);
        sale.hold(api, &other, &[1]).await.check(409, "H_003");
        assert_eq!(open().await, 0);
        assert_eq!(api.get("/api/v1/events?ticketing=upcoming").await.expect(200, "0").ids().len(), 0);
        // What is held is still confirmed and cancelled, and the manager still blocks and sells.
        sale.confirm(api, &hold, "order-1", 50_000.0).await.check(200, "0");
        sale.cancel(api, &hold, "order-1").await.check(200, "0");
        sale.block(api, &[2]).await.check(200, "0");
        sale.sell(api, "order-2", &[2, 3]).await.check(201, "0");
        // A moved show moves its close.
        let later = json!({"datetime": clock.now().as_secs() + 3_700});
        api.edit_show(&sale.event, &sale.show, &later).await.check(200, "0");
        sale.hold(api, &other, &[1]).await.check(201, "0");
        assert_eq!(open().await, 1);
    }

    #[tokio::test]
    async fn seat_is_free_when_its_hold_expires() {
        let (service, clock) = Service::with_clock().await;
        let (api, sale) = (&service.api, Sale::open(&service.other).await);
        let (tokens, hold) = sale.held(api, &[0, 1, 2, 3]).await;
        let (_, other) = api.joined_with_session().await;
        clock.advance(540);
        sale.hold(api, &other, &[0]).await.check(409, "H_001");
        sale.hold(api, &tokens, &[4]).await.check(409, "H_002");
        clock.advance(120);
        assert_eq!(sale.taken(api).await, 0);
        assert_eq!(sale.get(api, &tokens, &hold).await.data()["status"], "EXPIRED");
        sale.hold(api, &other, &[0]).await.check(201, "0");
        // The expired hold counts no more for the limit.
        sale.hold(api, &tokens, &[1, 2, 3, 4]).await.check(201, "0");
        service.contents().await.check_seats(clock.now().as_secs());
    }

    #[tokio::test]
    async fn member_makes_at_most_20_holds_in_an_hour() {
        let (service, clock) = Service::with_clock().await;
        let (api, sale) = (&service.api, Sale::open(&service.other).await);
        let (_, tokens) = api.joined_with_session().await;
        for number in 0..20 {
            let key = format!("key-{number}");
            let hold = sale.hold_with_key(api, &tokens, &key, &sale.seats(&[0])).await.expect(201, "0").id();
            sale.release(api, &tokens, &hold).await.check(204, "0");
        }
        let rejected = sale.hold(api, &tokens, &[0]).await;
        assert_eq!(
            rejected.summary(),
            "429 H_007 이 회차의 좌석을 너무 여러 번 선점했습니다. 60분 뒤에 다시 시도해 주세요."
        );
        let left: u64 = rejected.header("Retry-After").parse().unwrap();
        assert!((3_500..=3_600).contains(&left), "{left}");
        // The limit of seats comes first, the seats themselves after it; a repetition is no new hold.
        sale.hold(api, &tokens, &[0, 1, 2, 3, 4]).await.check(409, "H_002");
        let (_, other) = api.joined_with_session().await;
        sale.hold(api, &other, &[0]).await.check(201, "0");
        sale.hold(api, &tokens, &[0]).await.check(429, "H_007");
        sale.hold_with_key(api, &tokens, "key-0", &sale.seats(&[0])).await.check(201, "0");
        clock.advance(left);
        sale.hold(api, &tokens, &[1]).await.check(201, "0");
        service.contents().await.check_seats(clock.now().as_secs());
    }
}
