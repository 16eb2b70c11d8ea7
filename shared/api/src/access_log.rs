//! Access log: one entry for each request, from which `CloudWatch` also extracts metrics.
//!
//! The entries have the embedded metric format
//! (<https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html>).
//! Every metric costs money for each value of its dimension; `docs/operations.md` has the sum. So there
//! are few metrics, and an entry names only those that are not zero.

use std::{
    convert::Infallible,
    io::Write as _,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use lambda_http::{Context, Request, RequestExt as _, Service, service_fn};
use runtime::request_metrics::{self, RequestMetrics};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{
    envelope::{Code, Response},
    proxy::Route,
    status,
};

/// Length of a trace id such as `1-692cdb00-0a1b2c3d4e5f60718293a4b5`.
const TRACE_ID_LENGTH: usize = 35;

/// Capacity for one entry, in bytes; entries rarely exceed it.
const ENTRY_CAPACITY: usize = 1024;

/// Access log entry of one request, without body, headers or other user input.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AccessLogEntry<'a> {
    /// Id that the response carries in `x-request-id`; empty outside Lambda.
    pub request_id: &'a str,
    /// Id of the X-Ray trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xray_trace_id: Option<&'a str>,
    /// Method, such as `GET`.
    pub method: &'a str,
    /// Route, such as `/api/v1/events/{eventId}`.
    pub route: Option<&'a str>,
    /// HTTP status of the response.
    pub status: u16,
    /// Code of the envelope; `0` for a response without envelope, such as a picture, which is never a failure.
    pub code: &'static str,
    /// Time that the handler took.
    pub microseconds: u64,
    /// Set for the first request of a process, or of its function if a process has several.
    pub cold_start: bool,
    /// Resources that the request used.
    #[serde(flatten)]
    pub metrics: RequestMetrics,
}

/// Entry as it is written: with metric directives, and with the time and level of Lambda's own log lines.
#[derive(Serialize)]
struct Record<'a> {
    #[serde(rename = "_aws")]
    metadata: Metadata<'a>,
    timestamp: String,
    level: &'static str,
    message: &'static str,
    /// Value of the metric `requests`.
    requests: u8,
    #[serde(flatten)]
    entry: &'a AccessLogEntry<'a>,
}

/// Metadata from which `CloudWatch` extracts metrics (embedded metric format).
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata<'a> {
    /// Milliseconds since 1970.
    timestamp: i64,
    #[serde(rename = "CloudWatchMetrics")]
    directives: Vec<&'a RawValue>,
}

/// Metrics: name, which is also a member of the entry; unit; dimension, which is another member, if any.
pub const METRICS: [(&str, &str, Option<&str>); 6] = [
    ("requests", "Count", Some("code")),
    ("read_units", "Count", Some("route")),
    ("write_units", "Count", Some("route")),
    ("conflicts", "Count", None),
    ("throttles", "Count", None),
    ("hash_microseconds", "Microseconds", None),
];

/// Metric directives of the entries; built once, since they never change.
#[derive(Debug)]
pub struct Metrics([Box<RawValue>; METRICS.len()]);

/// Directive for one metric.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Directive<'a> {
    namespace: &'a str,
    dimensions: [Vec<&'a str>; 1],
    metrics: [Definition<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Definition<'a> {
    name: &'a str,
    unit: &'a str,
}

impl Metrics {
    /// Builds the directives with this namespace of 1 to 255 characters.
    ///
    /// # Panics
    ///
    /// Never: strings always serialize to JSON.
    #[must_use]
    pub fn new(namespace: &str) -> Self {
        Self(METRICS.map(|(name, unit, dimension)| {
            let dimensions = [dimension.into_iter().collect()];
            let directive = Directive { namespace, dimensions, metrics: [Definition { name, unit }] };
            to_raw_value(&directive).expect("strings serialize")
        }))
    }

    /// Returns the directives of the metrics that are not zero, in the order of [`METRICS`].
    ///
    /// Metrics by route need a route.
    #[must_use]
    fn directives(&self, has_route: bool, metrics: &RequestMetrics) -> Vec<&RawValue> {
        let is_reported = [
            true,
            has_route && metrics.read_units > 0.0,
            has_route && metrics.write_units > 0.0,
            metrics.conflicts > 0,
            metrics.throttles > 0,
            metrics.hash_microseconds > 0,
        ];
        let reported = self.0.iter().zip(is_reported).filter(|(_, is_reported)| *is_reported);
        reported.map(|(directive, _)| &**directive).collect()
    }
}

/// Writes an entry to the standard output as JSON.
///
/// Does so directly, since this takes a fifth of the time of a `tracing` subscriber.
pub fn write(entry: &AccessLogEntry, metrics: &Metrics) {
    if let Ok(json) = to_json(entry, metrics, SystemTime::now().into()) {
        // A failure to write the log cannot be reported anywhere.
        let _ = std::io::stdout().lock().write_all(&json);
    }
}

/// Serializes an entry, with a line end.
///
/// # Errors
///
/// Never: everything in an entry serializes to JSON.
pub fn to_json(entry: &AccessLogEntry, metrics: &Metrics, at: DateTime<Utc>) -> serde_json::Result<Vec<u8>> {
    let record = Record {
        metadata: Metadata {
            timestamp: at.timestamp_millis(),
            directives: metrics.directives(entry.route.is_some(), &entry.metrics),
        },
        timestamp: at.to_rfc3339_opts(SecondsFormat::Micros, true),
        level: "INFO",
        message: "request completed",
        requests: 1,
        entry,
    };
    let mut json = Vec::with_capacity(ENTRY_CAPACITY);
    serde_json::to_writer(&mut json, &record)?;
    json.push(b'\n');
    Ok(json)
}

/// Wraps a service so that each of its requests is logged.
pub fn with_access_log<S>(
    service: S,
    log: impl Fn(&AccessLogEntry) + Clone + Send + Sync + 'static,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send>,
    S: Clone + Send + Sync + 'static,
{
    let is_first = Arc::new(AtomicBool::new(true));
    service_fn(move |request: Request| {
        let (mut service, log) = (service.clone(), log.clone());
        let cold_start = is_first.swap(false, Ordering::Relaxed);
        async move {
            let started = Instant::now();
            let context = request.lambda_context_ref();
            let request_id = context.map(|context| context.request_id.clone()).unwrap_or_default();
            let trace = context.and_then(|context| context.xray_trace_id.clone());
            let method = request.method().clone();
            let route = request.extensions().get::<Route>().cloned();
            let (response, metrics) = request_metrics::measure(pin!(service.call(request))).await;
            let Ok::<_, Infallible>(response) = response;
            log(&AccessLogEntry {
                request_id: &request_id,
                xray_trace_id: trace.as_deref().and_then(trace_id),
                method: method.as_str(),
                route: route.as_ref().map(|route| route.0.as_str()),
                status: response.status().as_u16(),
                code: response.extensions().get::<Code>().map_or(status::SUCCESS, |code| code.0),
                microseconds: microseconds(started.elapsed()),
                cold_start,
                metrics,
            });
            Ok(response)
        }
    })
}

/// Returns the id that Lambda assigned to a request; empty outside Lambda.
pub(super) fn request_id(request: &Request) -> &str {
    request.lambda_context_ref().map_or("", |Context { request_id, .. }| request_id)
}

/// Parses the id in a tracing header such as `Root=1-692cdb00-0a1b2c3d4e5f60718293a4b5;Sampled=0`.
///
/// The header may be user input, so text without the form of an id is ignored.
fn trace_id(header: &str) -> Option<&str> {
    let id = header.split(';').find_map(|part| part.trim().strip_prefix("Root="))?;
    let is_id = id.len() == TRACE_ID_LENGTH && id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    is_id.then_some(id)
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
