//! Access log: one entry for each request, from which `CloudWatch` also extracts metrics.
//!
//! The entries have the embedded metric format
//! (<https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html>).
//! Every metric costs money for each value of its dimension. So there are few metrics, and an entry names only those
//! that it has.

use std::{
    convert::Infallible,
    io::Write as _,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use lambda_http::{Context, Request, RequestExt as _, Service, service_fn};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    envelope::{Code, Response},
    proxy::Route,
    status,
};

/// Length of a trace id such as `1-692cdb00-0a1b2c3d4e5f60718293a4b5`.
const TRACE_ID_LENGTH: usize = 35;

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
    pub microseconds: u128,
    /// Set for the first request of a process, or of its function if a process has several.
    pub cold_start: bool,
    /// Time spent hashing passwords, if any was hashed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash_microseconds: Option<u128>,
}

/// Time that a request spent hashing passwords, as an extension of its response.
#[derive(Clone, Copy, Debug)]
pub struct HashingTime(pub Duration);

/// Metrics: name, which is also a member of the entry; unit; dimension, which is another member, if any.
pub const METRICS: [(&str, &str, Option<&str>); 2] =
    [("requests", "Count", Some("code")), ("hash_microseconds", "Microseconds", None)];

/// Writes an entry to the standard output, as one line of JSON.
pub fn write(entry: &AccessLogEntry, namespace: &str) {
    if let Ok(record) = record(entry, namespace, SystemTime::now().into()) {
        // A failure to write the log cannot be reported anywhere.
        let _ = std::io::stdout().lock().write_all(format!("{record}\n").as_bytes());
    }
}

/// Adds to an entry its metrics, and the time and level that Lambda's own log lines have.
///
/// A metric is reported if the entry has it.
///
/// # Errors
///
/// Never: everything in an entry serializes to JSON.
pub fn record(entry: &AccessLogEntry, namespace: &str, at: DateTime<Utc>) -> serde_json::Result<Value> {
    let mut record = serde_json::to_value(entry)?;
    record["timestamp"] = at.to_rfc3339_opts(SecondsFormat::Micros, true).into();
    record["level"] = "INFO".into();
    record["message"] = "request completed".into();
    record["requests"] = 1.into();
    let metrics: Vec<_> = METRICS
        .iter()
        .filter(|(name, ..)| record[name].is_number())
        .map(|(name, unit, dimension)| {
            let dimensions: Vec<_> = dimension.iter().collect();
            json!({"Namespace": namespace, "Dimensions": [dimensions], "Metrics": [{"Name": name, "Unit": unit}]})
        })
        .collect();
    record["_aws"] = json!({"Timestamp": at.timestamp_millis(), "CloudWatchMetrics": metrics});
    Ok(record)
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
            let request_id = request_id(&request).to_owned();
            let trace = request.lambda_context_ref().and_then(|context| context.xray_trace_id.clone());
            let method = request.method().clone();
            let route = request.extensions().get::<Route>().cloned();
            let Ok::<_, Infallible>(response) = service.call(request).await;
            log(&AccessLogEntry {
                request_id: &request_id,
                xray_trace_id: trace.as_deref().and_then(trace_id),
                method: method.as_str(),
                route: route.as_ref().map(|route| route.0.as_str()),
                status: response.status().as_u16(),
                code: response.extensions().get::<Code>().map_or(status::SUCCESS, |code| code.0),
                microseconds: started.elapsed().as_micros(),
                cold_start,
                hash_microseconds: response.extensions().get::<HashingTime>().map(|time| time.0.as_micros()),
            });
            Ok(response)
        }
    })
}

/// Returns the id that Lambda assigned to a request; empty outside Lambda.
#[must_use]
pub fn request_id(request: &Request) -> &str {
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

#[cfg(test)]
mod tests;
