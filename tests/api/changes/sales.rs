//! Changes of sales.

use domain::{clock::Clock, hold::RETENTION};
use local::Settings;
use std::time::{Duration, SystemTime};
use tests::{Changes, prelude::*};

#[tokio::test]
async fn sales_are_told() {
    let mut changes = Changes::start().await;
    let sale = Sale::open(&changes.api).await;
    let (_, hold) = sale.held(&changes.api, &[0, 130]).await;
    changes.types().await;
    sale.confirm(&changes.api, &hold, "order-1", 149_000.5).await.check(200, "0");
    sale.sell(&changes.api, "order-2", &[1]).await.check(201, "0");
    sale.cancel(&changes.api, &hold, "order-1").await.check(200, "0");
    assert_snapshot!(changes.lines().await, @r#"
    sale.confirmed events/[id1]/dates/[id2]/holds/[id3] {"amount":149000.5,"eventId":"[id1]","holdId":"[id3]","memberId":"[id4]","orderId":"order-1","seats":2,"showId":"[id2]"}
    sale.confirmed events/[id1]/dates/[id2]/holds/[id5] {"amount":50000,"eventId":"[id1]","holdId":"[id5]","memberId":null,"orderId":"order-2","seats":1,"showId":"[id2]"}
    sale.cancelled events/[id1]/dates/[id2]/holds/[id3] {"amount":149000.5,"eventId":"[id1]","holdId":"[id3]","memberId":"[id4]","orderId":"order-1","seats":2,"showId":"[id2]"}
    "#);
}

#[tokio::test]
async fn sale_in_a_draft_is_told() {
    let mut changes = Changes::start().await;
    let sale = Sale::open_with(&changes.api, json!({"published": false})).await;
    sale.sell(&changes.api, "order-1", &[0]).await.check(201, "0");
    assert_eq!(changes.types().await, ["sale.confirmed"]);
}

#[tokio::test]
async fn repetitions_are_not_told() {
    let mut changes = Changes::start().await;
    let sale = Sale::open(&changes.api).await;
    let (_, hold) = sale.held(&changes.api, &[0]).await;
    for _ in 0..2 {
        sale.confirm(&changes.api, &hold, "order-1", 50_000.0).await.check(200, "0");
    }
    sale.confirm(&changes.api, &hold, "order-2", 50_000.0).await.check(409, "H_004");
    for _ in 0..2 {
        sale.cancel(&changes.api, &hold, "order-1").await.check(200, "0");
    }
    assert_eq!(changes.types().await, ["event.published", "member.joined", "sale.confirmed", "sale.cancelled"]);
}

#[tokio::test]
async fn holds_and_blocks_are_not_told() {
    let clock = Clock::default();
    let mut changes = Changes::start_with(Settings { clock: clock.clone(), ..Settings::default() }).await;
    let sale = Sale::open(&changes.api).await;
    let (tokens, released) = sale.held(&changes.api, &[0]).await;
    sale.held(&changes.api, &[1]).await;
    changes.types().await;
    sale.release(&changes.api, &tokens, &released).await.check(204, "0");
    sale.hold(&changes.api, &tokens, &[2]).await.check(201, "0");
    sale.block(&changes.api, &[3, 4]).await.check(200, "0");
    sale.unblock(&changes.api, &[3]).await.check(200, "0");
    clock.advance(601);
    sale.hold(&changes.api, &tokens, &[1]).await.check(201, "0");
    let late = SystemTime::now() + RETENTION + Duration::from_hours(1);
    assert!(changes.stack.sweep(late).await.unwrap() > 0);
    assert_eq!(changes.types().await, [""; 0]);
}
