//! Sending of notices to buyers: the function `notices-send` in a loop, as its state machine calls it on AWS.

use std::{
    collections::HashSet,
    panic::resume_unwind,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aws_sdk_dynamodb::{Client, types::AttributeValue};
use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use domain::error::Cause;
use functions::notices::send::{SendNotices, Step, report};
use http::Method;
use storage::keys::{self, PARTITION, SORT};
use tokio::{sync::mpsc, time::sleep};
use uuid::Uuid;

use crate::{emulators::TABLE, environment::LocalEnvironment};

/// Owner of all sendings: there is only one process, which continues those of the one before.
const OWNER: &str = "local";

/// Time before a failed step is repeated.
const RETRY: Duration = Duration::from_secs(1);

/// Sender of the notices of all events.
#[derive(Clone, Debug)]
pub struct NoticeSender {
    /// Ids of events that may have a new notice.
    events: mpsc::UnboundedSender<Uuid>,
}

impl NoticeSender {
    /// Starts to send notices, at first those that the process before did not complete.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is invalid or the database fails.
    pub async fn start(environment: &LocalEnvironment, dynamodb: &Client) -> Result<Self, Cause> {
        let send = Arc::new(SendNotices::new(environment).await?);
        let (events, mut received) = mpsc::unbounded_channel();
        for event in events_with_notices(dynamodb).await? {
            events.send(event)?;
        }
        let running = Arc::new(Mutex::new(HashSet::new()));
        tokio::spawn(async move {
            while let Some(event) = received.recv().await {
                let notices = loop {
                    match send.unfinished(event).await {
                        Ok(notices) => break notices,
                        Err(error) => {
                            report(&error);
                        }
                    }
                    sleep(RETRY).await;
                };
                for notice in notices {
                    if running.lock().unwrap_or_else(PoisonError::into_inner).insert(notice) {
                        let (send, running) = (Arc::clone(&send), Arc::clone(&running));
                        tokio::spawn(async move {
                            send_all(&send, Step::first(event, notice, OWNER)).await;
                            running.lock().unwrap_or_else(PoisonError::into_inner).remove(&notice);
                        });
                    }
                }
            }
        });
        Ok(Self { events })
    }

    /// Looks for new notices after each successful request that may have made one.
    ///
    /// Such a request is completed also if its client has gone, as on Lambda.
    pub fn layer(&self, router: Router) -> Router {
        let look = async |State(sender): State<Self>, request: Request, next: Next| -> Response {
            let Some(event) = event_of(request.method(), request.uri().path()) else { return next.run(request).await };
            let completed = tokio::spawn(async move {
                let response = next.run(request).await;
                if response.status().is_success() {
                    let _ = sender.events.send(event);
                }
                response
            });
            completed.await.unwrap_or_else(|error| resume_unwind(error.into_panic()))
        };
        router.layer(from_fn_with_state(self.clone(), look))
    }
}

/// Repeats the steps of a sending until there is none.
async fn send_all(send: &SendNotices, mut step: Step) {
    while !step.done {
        match send.step(step.clone()).await {
            Ok(next) => {
                sleep(Duration::from_secs(next.wait)).await;
                step = next;
            }
            Err(error) => {
                report(&error);
                sleep(RETRY).await;
            }
        }
    }
}

/// Returns the event of a request that may make a notice.
fn event_of(method: &Method, path: &str) -> Option<Uuid> {
    let segments: Vec<_> = path.strip_prefix("/api/v1/events/")?.split('/').collect();
    match (method.as_str(), &segments[..]) {
        ("POST", [event, "cancellation"] | [event, "dates", _, "notices"]) | ("PATCH", [event, "dates", _]) => {
            event.parse().ok()
        }
        _ => None,
    }
}

/// Returns the events that have notices.
async fn events_with_notices(dynamodb: &Client) -> Result<HashSet<Uuid>, Cause> {
    let notices = dynamodb
        .scan()
        .table_name(TABLE)
        .filter_expression("begins_with(#pk, :prefix)")
        .projection_expression("#pk, #sk")
        .expression_attribute_names("#pk", PARTITION)
        .expression_attribute_names("#sk", SORT)
        .expression_attribute_values(":prefix", AttributeValue::S(keys::NOTICES_PREFIX.to_owned()));
    let mut items = notices.into_paginator().items().send();
    let mut events = HashSet::new();
    while let Some(item) = items.next().await {
        let item = item?;
        let text = |name| item.get(name).and_then(|value: &AttributeValue| value.as_s().ok());
        let ids = text(PARTITION).zip(text(SORT)).and_then(|(partition, sort)| keys::notice_ids(partition, sort));
        events.extend(ids.map(|[event, _]| event));
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_of_shows_and_messages_make_notices() {
        let id = Uuid::nil();
        let of = |method: &str, end: &str| event_of(&method.parse().unwrap(), &format!("/api/v1/events/{id}{end}"));
        for (method, end) in [("POST", "/cancellation"), ("PATCH", "/dates/a"), ("POST", "/dates/a/notices")] {
            assert_eq!(of(method, end), Some(id), "{method} {end}");
        }
        for (method, end) in [("PATCH", ""), ("POST", "/dates/a/holds/b/cancellation"), ("GET", "/dates/a/notices")] {
            assert_eq!(of(method, end), None, "{method} {end}");
        }
    }
}
