//! Sample events in the halls of [`layouts`].
//!
//! `local/sample/<hall>.json` is the request without areas and seats. The poster `<hall>.webp` was rendered from
//! `<hall>.svg`. The event in the theatre is always on sale, so its times depend on the day. Its tour,
//! `local/sample/tour.json`, are copies of it: one with a postponed show, a cancelled one, and a draft. Its third show
//! is nearly sold out.

mod client;
mod sales;
mod tour;

use std::time::{SystemTime, UNIX_EPOCH};

use domain::error::Cause;
use http::Method;
use serde_json::{Map, Value, json};
use uuid::{Uuid, uuid};

use self::{
    client::send,
    sales::{nearly_sell_out, sell},
    tour::tour,
};
use crate::{
    Stack,
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
