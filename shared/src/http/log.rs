//! The log: a line for each request, and what else is worth one.

use std::{
    convert::Infallible,
    io::Write as _,
    time::{Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use lambda_http::{Context, Request, RequestExt as _, Service, service_fn};
use serde::Serialize;

use super::{
    envelope::{Code, Reply},
    proxy::Route,
};

/// What is logged of a request: no body, no header, no path that a caller made up.
#[derive(Debug, Serialize)]
pub struct Line<'a> {
    /// The id that the answer carries in `x-request-id`; empty outside Lambda.
    pub request_id: &'a str,
    /// The method, such as `GET`.
    pub method: &'a str,
    /// The route, such as `/api/v1/events/{eventId}`.
    pub route: Option<&'a str>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The code of its envelope; none where it has no envelope.
    pub code: Option<&'static str>,
    /// How long the handler took.
    pub microseconds: u64,
}

/// A line with the time and level that Lambda's own lines have.
#[derive(Serialize)]
struct Stamped<'a> {
    timestamp: String,
    level: &'static str,
    message: &'static str,
    #[serde(flatten)]
    line: &'a Line<'a>,
}

/// Logs warnings and errors as Lambda's JSON format has them; lines of requests are `write`'s.
pub fn init() {
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_max_level(tracing::Level::WARN)
        .init();
}

/// Writes a line to the standard output as JSON.
///
/// By itself, since it takes a fifth of what a subscriber of `tracing` takes for it.
pub fn write(line: &Line) {
    let now = DateTime::<Utc>::from(SystemTime::now());
    let timestamp = now.to_rfc3339_opts(SecondsFormat::Micros, true);
    let stamped = Stamped { timestamp, level: "INFO", message: "answered", line };
    if let Ok(mut json) = serde_json::to_vec(&stamped) {
        json.push(b'\n');
        // Where the log cannot be written, there is nowhere to tell.
        let _ = std::io::stdout().lock().write_all(&json);
    }
}

/// A service that logs each request that it answers.
pub fn logged<S>(
    service: S,
    log: fn(&Line),
) -> impl Service<Request, Response = Reply, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
where
    S: Service<Request, Response = Reply, Error = Infallible, Future: Send>,
    S: Clone + Send + Sync + 'static,
{
    service_fn(move |request: Request| {
        let mut service = service.clone();
        async move {
            let started = Instant::now();
            let request_id = request_id(&request).to_owned();
            let method = request.method().clone();
            let route = request.extensions().get::<Route>().cloned();
            let Ok::<_, Infallible>(reply) = service.call(request).await;
            log(&Line {
                request_id: &request_id,
                method: method.as_str(),
                route: route.as_ref().map(|route| route.0.as_str()),
                status: reply.status().as_u16(),
                code: reply.extensions().get::<Code>().map(|code| code.0),
                microseconds: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
            });
            Ok(reply)
        }
    })
}

/// The id that Lambda gave a request; empty where it gave none.
pub(super) fn request_id(request: &Request) -> &str {
    request.lambda_context_ref().map_or("", |Context { request_id, .. }| request_id)
}
