//! Sample events in the halls of [`layouts`].
//!
//! `local/sample/<hall>.json` is the request without areas and seats. The poster `<hall>.webp` was
//! rendered from `<hall>.svg`. The event in the theatre is always on sale, so its times depend on the day. Its tour,
//! `local/sample/tour.json`, are copies of it: one with a postponed show, a cancelled one, and a draft. Its third show is
//! nearly sold out.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Body;
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
};
use http::{
    Method, Request, StatusCode,
    header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use storage::{
    members::member_store::Members,
    seats::{
        blocks::Blocks,
        holds::{Holds, NewHold, WantedSeats},
    },
    table::Table,
};
use uuid::{Uuid, uuid};

use crate::{
    Stack, TABLE,
    layouts::{self, Layout},
};

/// Manager of all sample events.
pub const MANAGER: Uuid = uuid!("5b0c6f0e-3d5a-4e0e-9a55-2f6f1f3f7c10");

/// Hall of the event that is on sale.
const ON_SALE: &str = "theatre";

const BOUNDARY: &str = "sample-4f8a2c71d9";

/// Request that registers a sample event.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Name of the hall ([`Layout::name`]).
    pub name: &'static str,
    /// Part `request`, as JSON.
    pub request: String,
    /// Part `thumbnail`, a WebP image.
    pub poster: &'static [u8],
}

/// Returns the events in the order of their registration; one is on sale at the given time.
///
/// # Errors
///
/// Returns an error if a file in `local/sample` is not a JSON object, or if the time is before 1970.
pub fn events(now: SystemTime) -> Result<Vec<Sample>, Cause> {
    let seconds = now.duration_since(UNIX_EPOCH)?.as_secs();
    let main_stadium = serde_json::from_str(include_str!("../sample/main-stadium.json"))?;
    let stadium = serde_json::from_str(include_str!("../sample/stadium.json"))?;
    let arena = serde_json::from_str(include_str!("../sample/arena.json"))?;
    let mut theatre: Map<_, _> = serde_json::from_str(include_str!("../sample/theatre.json"))?;
    theatre.extend(times_on_sale(seconds / DAY));
    Ok(vec![
        Sample::new(&layouts::main_stadium(), main_stadium, include_bytes!("../sample/main-stadium.webp"))?,
        Sample::new(&layouts::stadium(), stadium, include_bytes!("../sample/stadium.webp"))?,
        Sample::new(&layouts::arena(), arena, include_bytes!("../sample/arena.webp"))?,
        Sample::new(&layouts::theatre(), theatre, include_bytes!("../sample/theatre.webp"))?,
    ])
}

const DAY: u64 = 24 * 60 * 60;

/// Seconds from the begin of a day to 19:30 in Seoul.
const EVENING: u64 = (10 * 60 + 30) * 60;

/// Number of evenings from tomorrow with a show of the event on sale.
const EVENINGS: u64 = 28;

/// Returns the times of an event that is on sale on this day since 1970.
///
/// Its shows overlap with those of later days. So a restart registers it again only if its last show is over.
fn times_on_sale(today: u64) -> [(String, Value); 3] {
    // 14:00 in Seoul.
    let afternoon = 5 * 60 * 60;
    let shows: Vec<_> = (1..=EVENINGS).map(|days| (today + days) * DAY + EVENING).collect();
    [
        ("ticketingOpenTime".to_owned(), json!((today - 14) * DAY + afternoon)),
        ("eventOpenTime".to_owned(), json!((today - 7) * DAY + EVENING)),
        ("eventDatetimes".to_owned(), json!(shows)),
    ]
}

/// Registers the events that are not registered yet.
///
/// # Errors
///
/// Returns an error if the service rejects an event for another reason.
pub async fn load(stack: &Stack) -> Result<(), Cause> {
    let now = SystemTime::now();
    for event in events(now)? {
        let form = format!("multipart/form-data; boundary={BOUNDARY}");
        let created = send(stack, Method::POST, "/api/v1/events", &form, event.form()).await?;
        if let Some(body) = created.filter(|_| event.name == ON_SALE) {
            let created = serde_json::from_slice(&body)?;
            sell(stack, &created).await?;
            nearly_sell_out(stack, &created["data"]).await?;
            tour(stack, &created, now).await?;
        }
    }
    Ok(())
}

/// Copy of an event, and what becomes of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stop {
    /// Body of the copy, without its times.
    copy: Map<String, Value>,
    /// Number of days from today to the first of its two shows.
    day: u64,
    /// Change of the first show.
    first_show: Option<Value>,
    /// Body of the cancellation.
    cancellation: Option<Value>,
}

/// Registers the tour of an event.
async fn tour(stack: &Stack, created: &Value, now: SystemTime) -> Result<(), Cause> {
    let today = now.duration_since(UNIX_EPOCH)?.as_secs() / DAY;
    let stops: Vec<Stop> = serde_json::from_str(include_str!("../sample/tour.json"))?;
    let path = |event: &Value| format!("/api/v1/events/{}", event["id"].as_str().unwrap_or_default());
    for Stop { mut copy, day, first_show, cancellation } in stops {
        copy.extend(times_on_sale(today));
        copy.insert("eventDatetimes".to_owned(), json!([today + day, today + day + 1].map(|day| day * DAY + EVENING)));
        let copies = format!("{}/copies", path(&created["data"]));
        let Some(stop) = send_json(stack, Method::POST, &copies, &copy.into()).await? else { continue };
        let (stop, show) = (path(&stop["data"]), stop["data"]["eventDatetimes"][0]["id"].as_str().unwrap_or_default());
        if let Some(change) = first_show {
            send_json(stack, Method::PATCH, &format!("{stop}/dates/{show}"), &change).await?;
        }
        if let Some(notice) = cancellation {
            send_json(stack, Method::POST, &format!("{stop}/cancellation"), &notice).await?;
        }
    }
    Ok(())
}

async fn send_json(stack: &Stack, method: Method, path: &str, body: &Value) -> Result<Option<Value>, Cause> {
    let response = send(stack, method, path, "application/json", body.to_string().into_bytes()).await?;
    Ok(response.map(|body| serde_json::from_slice(&body)).transpose()?)
}

/// Sends a request of the manager. Returns the body of a success, and `None` if such an event exists already.
async fn send(
    stack: &Stack,
    method: Method,
    path: &str,
    media_type: &str,
    body: Vec<u8>,
) -> Result<Option<Vec<u8>>, Cause> {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("x-api-managerId", MANAGER.to_string())
        // The largest hall is returned only in gzip.
        .header(ACCEPT_ENCODING, "gzip")
        .header(CONTENT_TYPE, media_type);
    if let Some(issuer) = stack.issuer() {
        request = request.header(AUTHORIZATION, format!("Bearer {}", issuer.token(MANAGER)?));
    }
    let response = stack.call(request.body(Body::from(body))?).await;
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await?;
    match status {
        StatusCode::OK | StatusCode::CREATED => Ok(Some(body.into())),
        StatusCode::CONFLICT => Ok(None),
        _ => Err(format!("{path}: {}", String::from_utf8_lossy(&body)).into()),
    }
}

/// Blocks the first seats of the first two shows of an event, and sells some to each of a few members.
async fn sell(stack: &Stack, created: &Value) -> Result<(), Cause> {
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
        blocks.add(ShowId { event, show }, EventScope::All, &seats(0, BLOCKED)).await.map_err(|error| cause(&error))?;
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
async fn nearly_sell_out(stack: &Stack, event: &Value) -> Result<(), Cause> {
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

impl Sample {
    fn new(hall: &Layout, mut request: Map<String, Value>, poster: &'static [u8]) -> Result<Self, Cause> {
        request.insert("totalMap".to_owned(), hall.total_map.as_str().into());
        request.insert("areas".to_owned(), serde_json::to_value(&hall.areas)?);
        Ok(Self { name: hall.name, request: Value::from(request).to_string(), poster })
    }

    /// Encodes both parts as `multipart/form-data`.
    fn form(&self) -> Vec<u8> {
        let part = |name: &str, media_type: &str| {
            format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{name}\"\r\n\
                 Content-Type: {media_type}\r\n\r\n"
            )
        };
        let end = format!("\r\n--{BOUNDARY}--\r\n");
        [
            part("request", "application/json").as_bytes(),
            self.request.as_bytes(),
            b"\r\n",
            part("thumbnail", "image/webp").as_bytes(),
            self.poster,
            end.as_bytes(),
        ]
        .concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theatre_is_on_sale_until_last_show() {
        const TODAY: u64 = 20_000;
        let shows = |today| -> Vec<u64> { serde_json::from_value(times_on_sale(today)[2].1.clone()).unwrap() };
        let first = shows(TODAY);
        assert!(times_on_sale(TODAY)[0].1.as_u64().unwrap() < TODAY * DAY);
        assert!(first.iter().all(|show| *show >= (TODAY + 1) * DAY));
        let repeats = |today| shows(today).iter().any(|show| first.contains(show));
        assert!((TODAY..TODAY + EVENINGS).all(repeats) && !repeats(TODAY + EVENINGS));
    }
}
