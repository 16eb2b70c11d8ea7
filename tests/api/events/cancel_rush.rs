//! Cancellations and other changes of an event while a crowd takes its seats.

mod in_process {
    use std::{pin::pin, sync::Arc, time::Duration};

    use aws_sdk_dynamodb::types::AttributeValue;
    use domain::{clock::Clock, hold_limits::HoldLimits};
    use local::{Settings, layouts};
    use tests::{
        fault::{Extent, Fault, Rule, TRANSACTION},
        prelude::*,
    };
    use tokio::{sync::Semaphore, task::JoinSet, time::sleep};

    /// Returns a rule by which transactions meet another one at the first fence.
    fn conflicts(extent: Extent) -> Rule {
        // The first write is that of the event.
        Rule::new(TRANSACTION, extent, Fault::Conflict(1))
    }

    /// Pauses the sales of an event for a minute, as a change that was aborted does for two seconds.
    async fn pause(service: &Service, clock: &Clock, event: &str) {
        let until = (clock.now() + Duration::from_mins(1)).as_millis().to_string();
        let until = AttributeValue::N(until);
        set(&service.stack.dynamodb(), &format!("EVENT#{event}"), "EVENT", "pausedUntil", until).await;
    }

    #[tokio::test]
    async fn conflict_pauses_sales() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let cancel = async || service.api.cancel(&sale.event, &json!({})).await;
        let cancelled = service.with_rule(conflicts(Extent::Tries(1)), cancel());
        assert_snapshot!(service.effect(cancelled).await, @r#"
        200
        GetItem EVENT, TransactWriteItems, GetItem EVENT, UpdateItem EVENT, TransactWriteItems: 2 read, 152 write units
        ~ EVENT#[id1] EVENT {"showStatuses": ["CANCELLED", "CANCELLED"], "version": 1}
        + FENCE#[id1] FENCE {"edit": 1}
        "#);

        let hide = async || service.api.edit(&sale.event, &json!({"published": false})).await;
        let hidden = service.with_rule(conflicts(Extent::Tries(1)), hide());
        assert_snapshot!(service.effect(hidden).await, @r#"
        200
        GetItem EVENT, BatchGetItem, TransactWriteItems, GetItem EVENT, UpdateItem EVENT, BatchGetItem, TransactWriteItems: 146 read, 152 write units
        ~ EVENT#[id1] EVENT {"draft": true, "listing": null, "version": 2}
        ~ FENCE#[id1] FENCE {"edit": 2}
        "#);
    }

    #[tokio::test]
    async fn change_that_sales_need_not_notice_pauses_nothing() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let change = json!({"artist": "잔나비"});
        let edit = service.with_rule(conflicts(Extent::Tries(2)), service.api.edit(&sale.event, &change));
        let edited = service.effect(edit).await;
        edited.response.check(200, "0");
        assert_eq!(edited.usage.calls, ["GetItem EVENT", TRANSACTION, TRANSACTION, TRANSACTION]);
    }

    #[tokio::test]
    async fn every_change_ends_a_pause() {
        let (service, clock) = Service::with_clock().await;
        let sale = Sale::open(&service.other).await;
        pause(&service, &clock, &sale.event).await;
        let notice = json!({"notice": "곧 시작합니다."});
        let edited = service.effect(service.api.edit_show(&sale.event, &sale.show, &notice)).await;
        assert_snapshot!(edited, @r#"
        200
        GetItem EVENT, TransactWriteItems: 1 read, 4 write units
        ~ EVENT#[id1] EVENT {"notices": ["곧 시작합니다.", ""], "pausedUntil": null, "version": 1}
        "#);
        sale.held(&service.api, &[0]).await;
    }

    #[tokio::test]
    async fn seats_are_taken_after_a_pause() {
        let (service, clock) = Service::with_clock().await;
        let sale = Sale::open(&service.other).await;
        let (_, tokens) = service.other.joined_with_session().await;
        let area = service.other.event(&format!("{}/detail", sale.event)).await.data()["areas"][1]["id"].take();
        let best = json!({"count": 1, "areaIds": [area]});
        let after_pause = async |request: &mut (dyn Future<Output = Response> + Unpin)| {
            pause(&service, &clock, &sale.event).await;
            drop(service.proxy.take_usage());
            let several_attempts = async {
                let mut reads = 0;
                while reads < 5 {
                    sleep(Duration::from_millis(1)).await;
                    reads += service.proxy.take_usage().calls.iter().filter(|call| *call == "BatchGetItem").count();
                }
            };
            tokio::select! {
                response = &mut *request => panic!("the pause does not hold: {response}"),
                () = several_attempts => {}
            }
            clock.advance(61);
            request.await
        };
        let api = &service.api;
        after_pause(&mut pin!(sale.hold(api, &tokens, &[0]))).await.check(201, "0");
        after_pause(&mut pin!(sale.hold_with(api, &tokens, &best))).await.check(201, "0");
        after_pause(&mut pin!(sale.sell(api, "order-1", &[1]))).await.check(201, "0");
        after_pause(&mut pin!(sale.block(api, &[2]))).await.check(200, "0");
        assert_eq!(sale.taken(api).await, 4);
    }

    #[tokio::test]
    async fn other_requests_go_on_during_a_pause() {
        let (service, clock) = Service::with_clock().await;
        let (api, sale) = (&service.api, Sale::open(&service.other).await);
        let (tokens, paid) = sale.held(api, &[0]).await;
        let (other, unpaid) = sale.held(api, &[1]).await;
        sale.block(api, &[2]).await.check(200, "0");
        pause(&service, &clock, &sale.event).await;
        sale.confirm(api, &paid, "order-1", 50_000.0).await.check(200, "0");
        sale.release(api, &other, &unpaid).await.check(204, "0");
        sale.unblock(api, &[2]).await.check(200, "0");
        assert_eq!(sale.get(api, &tokens, &paid).await.expect(200, "0").data()["status"], "CONFIRMED");
        assert_eq!(sale.taken(api).await, 1);
        // A sale of seats that are taken is rejected at once.
        sale.sell(api, "order-2", &[0]).await.check(409, "H_001");
        sale.cancel(api, &paid, "order-1").await.check(200, "0");
    }

    #[tokio::test]
    async fn failed_change_leaves_only_its_pause() {
        let call_timeout = Some(Duration::from_secs(2));
        let service = Service::start_with(Settings { call_timeout, ..Settings::default() }).await;
        let sale = Sale::open(&service.other).await;
        let cancel = async || service.api.cancel(&sale.event, &json!({})).await;
        let effect = service.effect(service.with_rule(conflicts(Extent::Kind), cancel())).await;
        assert_snapshot!(format!("{}\n{}", effect.response.summary(), named(&effect.changes.join("\n"))), @r#"
        503 S_003 지금은 데이터베이스를 사용할 수 없습니다. 잠시 후 다시 시도해 주세요.
        ~ EVENT#[id1] EVENT {"pausedUntil":"[now]"}
        "#);
        sale.held(&service.api, &[0]).await;
        cancel().await.check(200, "0");
    }

    #[tokio::test]
    async fn overtaken_pause_is_repeated() {
        let service = Service::start().await;
        let sale = Sale::open(&service.other).await;
        let cancel = async || service.api.cancel(&sale.event, &json!({})).await;
        let overtake = Rule::new("UpdateItem EVENT", Extent::Tries(1), Fault::Conflict(0));
        service.proxy.set_rules([conflicts(Extent::Tries(1)), overtake]);
        cancel().await.check(200, "0");
        assert_snapshot!(service.proxy.calls().join(", "), @"GetItem EVENT, TransactWriteItems, GetItem EVENT, UpdateItem EVENT, GetItem EVENT, UpdateItem EVENT");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn event_is_cancelled_during_a_rush() {
        /// Number of simultaneous requests, and of the members who make them, each up to 10.
        const BUYERS: usize = 16;
        const MEMBERS: usize = 8;

        let holds = HoldLimits { max_seats: "10".parse().unwrap(), ..HoldLimits::default() };
        let call_timeout = Some(Duration::from_secs(5));
        let service = Service::start_with(Settings { holds, call_timeout, ..Settings::default() }).await;
        let service = Arc::new(service);
        let sale = Sale::open_in(&service.other, &layouts::arena()).await;
        let areas = sale.availability(&service.other).await.data()["areas"].take();
        let mut members = Vec::new();
        for _ in 0..BUYERS * MEMBERS {
            members.push(service.other.joined_with_session().await.1);
        }
        service.proxy.set_transaction_time(Duration::from_millis(400));
        let count = Arc::new(Semaphore::new(0));
        let buyers: JoinSet<_> = (0..BUYERS)
            .map(|buyer| {
                let (service, sale, count) = (Arc::clone(&service), sale.clone(), Arc::clone(&count));
                let members = members[buyer * MEMBERS..][..MEMBERS].to_vec();
                // Buyers in different areas meet only at fences.
                let area = areas[buyer]["id"].clone();
                async move {
                    let mut holds = Vec::new();
                    for (number, member) in (0..10).flat_map(|_| members.iter().enumerate()) {
                        let best = json!({"count": 1, "areaIds": [area]});
                        let hold = sale.hold_with(&service.api, member, &best).await;
                        if hold.status != 201 {
                            return (holds, hold.code());
                        }
                        holds.push((buyer * MEMBERS + number, hold.id()));
                        count.add_permits(1);
                    }
                    (holds, "no member is left".to_owned())
                }
            })
            .collect();
        count.acquire_many(50).await.unwrap().forget();
        service.api.cancel(&sale.event, &json!({})).await.check(200, "0");
        // Each of them noticed the cancellation, and all holds before it exist.
        let buyers = buyers.join_all().await;
        let codes: Vec<_> = buyers.iter().map(|(_, code)| code.as_str()).collect();
        assert_eq!(codes, ["H_003"; BUYERS]);
        let holds: Vec<_> = buyers.into_iter().flat_map(|(holds, _)| holds).collect();
        assert_eq!(sale.taken(&service.other).await, holds.len() as u64);
        for (member, hold) in holds {
            sale.get(&service.other, &members[member], &hold).await.check(200, "0");
        }
        service.contents().await.check();
    }
}
