//! Sold and blocked seats of the event on sale.

use domain::{
    clock::Clock,
    email::Email,
    error::Cause,
    hold::OrderId,
    hold_limits::HoldLimits,
    id,
    manager::EventScope,
    member::{Member, Name, Nickname},
    password::PasswordHash,
    seats::selling::Charged,
    show::ShowId,
    text::Label,
};
use http::Method;
use serde_json::{Value, json};
use storage::{
    members::member_store::Members,
    seats::{
        blocks::Blocks,
        holds::{Holds, NewHold, WantedSeats},
    },
    table::Table,
};
use uuid::Uuid;

use super::client::send_json;
use crate::{Stack, TABLE, layouts};

/// Blocks the first seats of the first two shows of an event, and sells some to each of a few members.
pub async fn sell(stack: &Stack, created: &Value) -> Result<(), Cause> {
    let table = Table::new(stack.dynamodb(), TABLE.to_owned());
    let (members, holds) = (Members::new(table.clone()), Holds::new(table.clone(), Clock::default()));
    let blocks = Blocks::new(table, Clock::default());
    let id = |value: &Value| value["id"].as_str().and_then(id::parse).ok_or("a response without ids");
    let event = id(&created["data"])?;
    let shows = created["data"]["eventDatetimes"].as_array().into_iter().flatten().take(2);
    let shows = shows.map(id).collect::<Result<Vec<_>, _>>()?;
    let seats =
        |first: usize, count: usize| (first..first + count).map(|seat| id::seat(event, seat)).collect::<Vec<_>>();
    for &show in &shows {
        let label = Label::parse("초대석").ok();
        let blocked = blocks.add(ShowId { event, show }, EventScope::All, &seats(0, BLOCKED), label.as_ref()).await;
        blocked.map_err(|error| cause(&error))?;
    }
    for number in 0..BUYERS {
        let member = buyer().ok_or("invalid member")?;
        // No password has this hash.
        members.add(&member, &PasswordHash::from_stored(String::new())).await.map_err(|error| cause(&error))?;
        for &show in &shows {
            let seats = seats(BLOCKED + number * SEATS_APART, HoldLimits::default().max_seats.get());
            let new = NewHold { member: member.id, seats: WantedSeats::These(seats), key: None };
            let held = holds
                .create(ShowId { event, show }, &new, HoldLimits::default())
                .await
                .map_err(|error| cause(&error))?
                .hold;
            let order = OrderId::parse(&format!("sample-{number}")).map_err(|_| "invalid order")?;
            let charged = Charged::Hundredths(held.amount.hundredths());
            holds
                .confirm(ShowId { event, show }, EventScope::All, held.id, &order, charged)
                .await
                .map_err(|error| cause(&error))?;
        }
    }
    Ok(())
}

/// Sells nearly all seats of the third show of an event at the box office.
pub async fn nearly_sell_out(stack: &Stack, event: &Value) -> Result<(), Cause> {
    let event_id = event["id"].as_str().and_then(id::parse).ok_or("a response without an id")?;
    let show = event["eventDatetimes"][2]["id"].as_str().unwrap_or_default();
    let path = format!("/api/v1/events/{event_id}/dates/{show}/sales");
    let sold: Vec<_> = (0..layouts::theatre().seats() - LEFT).map(|seat| id::seat(event_id, seat)).collect();
    for (group, seats) in sold.chunks(GROUP).enumerate() {
        let sale = json!({"orderId": format!("group-{group}"), "seatIds": seats});
        send_json(stack, Method::POST, &path, &sale).await?;
    }
    Ok(())
}

/// Number of seats of an order there.
const GROUP: usize = 20;
/// Number of seats that are left in the show that is nearly sold out.
const LEFT: usize = 9;
/// Number of seats of a show that are blocked.
const BLOCKED: usize = 20;
/// Number of members who buy seats.
const BUYERS: usize = 40;
/// Number of seats between those of two members.
const SEATS_APART: usize = 23;

/// Returns a member who buys seats.
fn buyer() -> Option<Member> {
    Some(Member {
        id: Uuid::new_v4(),
        email: Email::parse(&format!("sample-{}@example.com", &Uuid::new_v4().simple().to_string()[..12])).ok()?,
        name: Name::parse("표본 관객").ok()?,
        nickname: Nickname::parse(&format!("표본{}", &Uuid::new_v4().simple().to_string()[..12])).ok()?,
    })
}

fn cause(error: &domain::error::Error) -> Cause {
    error.causes().unwrap_or_else(|| format!("{error:?}")).into()
}
