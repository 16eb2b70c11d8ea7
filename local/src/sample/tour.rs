//! Tour of the event on sale: copies of it.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::error::Cause;
use http::Method;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{DAY, EVENING, client::send_json, times_on_sale};
use crate::Stack;

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
pub async fn tour(stack: &Stack, created: &Value, now: SystemTime) -> Result<(), Cause> {
    let today = now.duration_since(UNIX_EPOCH)?.as_secs() / DAY;
    let stops: Vec<Stop> = serde_json::from_str(include_str!("../../sample/tour.json"))?;
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
