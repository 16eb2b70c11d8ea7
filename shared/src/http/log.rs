//! The log: a line for each request, and what else is worth one.

use std::{
    convert::Infallible,
    io::Write as _,
    panic,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use lambda_http::{Context, Request, RequestExt as _, Service, service_fn};
use serde::Serialize;
use serde_json::value::RawValue;
use tracing_subscriber::{fmt::MakeWriter, util::SubscriberInitExt};

use super::{
    envelope::{Code, Reply},
    metrics::Metrics,
    proxy::Route,
    status,
};
use crate::usage::{self, Usage};

/// The characters of the id of a trace, as in `1-692cdb00-0a1b2c3d4e5f60718293a4b5`.
const TRACE_ID: usize = 35;

/// The bytes that lines seldom exceed.
const LENGTH: usize = 1024;

/// What is logged of a request: no body, no header, nothing that a caller made up.
#[derive(Debug, Serialize)]
pub struct Line<'a> {
    /// The id that the answer carries in `x-request-id`; empty outside Lambda.
    pub request_id: &'a str,
    /// The id of the trace that X-Ray knows the request by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xray_trace_id: Option<&'a str>,
    /// The method, such as `GET`.
    pub method: &'a str,
    /// The route, such as `/api/v1/events/{eventId}`.
    pub route: Option<&'a str>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The code of its envelope; that of a success where it has none, as a picture has: every failure has one.
    pub code: &'static str,
    /// How long the handler took.
    pub microseconds: u64,
    /// Whether it is the first request of its process, or of its function where one process has several.
    pub cold_start: bool,
    /// The read units that DynamoDB reported.
    pub read_units: f64,
    /// The write units that DynamoDB reported.
    pub write_units: f64,
    /// How often DynamoDB cancelled a transaction for the sake of a simultaneous one.
    #[serde(skip_serializing_if = "is_zero")]
    pub conflicts: u32,
    /// How often DynamoDB had no capacity for a call or for a part of it.
    #[serde(skip_serializing_if = "is_zero")]
    pub throttles: u32,
    /// How long it took to hash passwords, where any was hashed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash_microseconds: Option<u64>,
}

/// A line with its metrics, and the time and level that Lambda's own lines have.
#[derive(Serialize)]
struct Stamped<'a> {
    #[serde(rename = "_aws")]
    metadata: Metadata<'a>,
    timestamp: String,
    level: &'static str,
    message: &'static str,
    /// What the metric of requests counts by.
    requests: u8,
    #[serde(flatten)]
    line: &'a Line<'a>,
}

/// What makes metrics of a line, as the embedded metric format has it.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata<'a> {
    /// In milliseconds since 1970.
    timestamp: i64,
    #[serde(rename = "CloudWatchMetrics")]
    directives: Vec<&'a RawValue>,
}

/// Logs warnings, errors and panics as Lambda's JSON format has them; lines of requests are `write`'s.
pub fn init() {
    warnings(std::io::stdout).init();
    panic::set_hook(Box::new(|panicked| {
        // A text that was put together may hold what a caller sent, as one about an index in a text does.
        let text = panicked.payload().downcast_ref::<&'static str>();
        let location = panicked.location().map(ToString::to_string);
        tracing::error!(location, text, "panicked");
    }));
}

/// What writes warnings and errors as Lambda's JSON format has them.
pub fn warnings<W>(writer: W) -> impl SubscriberInitExt
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_max_level(tracing::Level::WARN)
        .with_writer(writer)
        .finish()
}

/// Writes a line to the standard output as JSON, from which `CloudWatch` also takes its metrics.
///
/// By itself, since it takes a fifth of what a subscriber of `tracing` takes for it.
pub fn write(line: &Line, metrics: &Metrics) {
    if let Ok(json) = json(line, metrics, SystemTime::now().into()) {
        // Where the log cannot be written, there is nowhere to tell.
        let _ = std::io::stdout().lock().write_all(&json);
    }
}

/// A line as it is written, with its end.
///
/// # Errors
///
/// None: nothing of a line cannot be JSON.
pub fn json(line: &Line, metrics: &Metrics, at: DateTime<Utc>) -> serde_json::Result<Vec<u8>> {
    let stamped = Stamped {
        metadata: Metadata { timestamp: at.timestamp_millis(), directives: metrics.of(line) },
        timestamp: at.to_rfc3339_opts(SecondsFormat::Micros, true),
        level: "INFO",
        message: "answered",
        requests: 1,
        line,
    };
    let mut json = Vec::with_capacity(LENGTH);
    serde_json::to_writer(&mut json, &stamped)?;
    json.push(b'\n');
    Ok(json)
}

/// A service that logs each request that it answers.
pub fn logged<S>(
    service: S,
    log: impl Fn(&Line) + Clone + Send + Sync + 'static,
) -> impl Service<Request, Response = Reply, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
where
    S: Service<Request, Response = Reply, Error = Infallible, Future: Send>,
    S: Clone + Send + Sync + 'static,
{
    let is_new = Arc::new(AtomicBool::new(true));
    service_fn(move |request: Request| {
        let (mut service, log) = (service.clone(), log.clone());
        let cold_start = is_new.swap(false, Ordering::Relaxed);
        async move {
            let started = Instant::now();
            let context = request.lambda_context_ref();
            let request_id = context.map(|context| context.request_id.clone()).unwrap_or_default();
            let trace = context.and_then(|context| context.xray_trace_id.clone());
            let method = request.method().clone();
            let route = request.extensions().get::<Route>().cloned();
            let (answered, usage) = usage::counted(pin!(service.call(request))).await;
            let Ok::<_, Infallible>(reply) = answered;
            let Usage { read_units, write_units, conflicts, throttles, hashing } = usage;
            log(&Line {
                request_id: &request_id,
                xray_trace_id: trace.as_deref().and_then(trace_id),
                method: method.as_str(),
                route: route.as_ref().map(|route| route.0.as_str()),
                status: reply.status().as_u16(),
                code: reply.extensions().get::<Code>().map_or(status::SUCCESS, |code| code.0),
                microseconds: microseconds(started.elapsed()),
                cold_start,
                read_units,
                write_units,
                conflicts,
                throttles,
                hash_microseconds: (!hashing.is_zero()).then(|| microseconds(hashing)),
            });
            Ok(reply)
        }
    })
}

/// The id that Lambda gave a request; empty where it gave none.
pub(super) fn request_id(request: &Request) -> &str {
    request.lambda_context_ref().map_or("", |Context { request_id, .. }| request_id)
}

/// The id in a tracing header such as `Root=1-692cdb00-0a1b2c3d4e5f60718293a4b5;Sampled=0`.
///
/// A caller may send that header, so what has not the form of an id is none.
fn trace_id(header: &str) -> Option<&str> {
    let id = header.split(';').find_map(|part| part.trim().strip_prefix("Root="))?;
    let is_id = id.len() == TRACE_ID && id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    is_id.then_some(id)
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests;
