use std::{sync::Mutex, time::Duration};

use chrono::TimeZone as _;
use lambda_http::Body;

use super::*;
use crate::envelope;

const TRACE: &str = "1-692cdb00-0a1b2c3d4e5f60718293a4b5";

/// Entry of a request, with or without the optional members.
fn written(xray_trace_id: Option<&'static str>, hash_microseconds: Option<u128>) -> Value {
    let entry = AccessLogEntry {
        request_id: "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11",
        xray_trace_id,
        method: "GET",
        route: Some("/api/v1/events/{eventId}"),
        status: 200,
        code: "0",
        microseconds: 4_321,
        cold_start: false,
        hash_microseconds,
    };
    let at = Utc.with_ymd_and_hms(2025, 4, 18, 5, 0, 0).unwrap() + Duration::from_micros(1_234_567);
    record(&entry, "tickets", at).unwrap()
}

/// The embedded metric format of `CloudWatch` requires this shape:
/// <https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html>.
#[test]
fn entry_has_documented_shape() {
    let requests =
        json!({"Namespace": "tickets", "Dimensions": [["code"]], "Metrics": [{"Name": "requests", "Unit": "Count"}]});
    let hash_time = json!({
        "Namespace": "tickets",
        "Dimensions": [[]],
        "Metrics": [{"Name": "hash_microseconds", "Unit": "Microseconds"}],
    });
    let expected = json!({
        "_aws": {"Timestamp": 1_744_952_401_234_i64, "CloudWatchMetrics": [requests, hash_time]},
        "timestamp": "2025-04-18T05:00:01.234567Z",
        "level": "INFO",
        "message": "request completed",
        "requests": 1,
        "request_id": "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11",
        "xray_trace_id": TRACE,
        "method": "GET",
        "route": "/api/v1/events/{eventId}",
        "status": 200,
        "code": "0",
        "microseconds": 4_321,
        "cold_start": false,
        "hash_microseconds": 14_000,
    });
    assert_eq!(written(Some(TRACE), Some(14_000)), expected);
    let read = written(None, None);
    assert_eq!(read["_aws"]["CloudWatchMetrics"], json!([requests]));
    assert!(read.get("hash_microseconds").is_none(), "{read}");
}

#[test]
fn invalid_trace_id_is_ignored() {
    for header in [&format!("Root={TRACE};Parent=53995c3f42cd8ad8;Sampled=1"), &format!("Self=1-x; Root={TRACE}")] {
        assert_eq!(trace_id(header), Some(TRACE), "{header}");
    }
    for header in ["", TRACE, "Root=", "Root=1-692cdb00-kim@example.com-60718293a4b5", "Root=1-692cdb00"] {
        assert_eq!(trace_id(header), None, "{header}");
    }
}

#[tokio::test]
async fn first_request_is_cold_start() {
    let starts = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&starts);
    let service = service_fn(async |_: Request| Ok::<_, Infallible>(envelope::ok("m", &()).unwrap()));
    let log = move |entry: &AccessLogEntry| seen.lock().unwrap().push((entry.cold_start, entry.code));
    let mut service = with_access_log(service, log);
    for _ in 0..2 {
        let Ok(_) = service.call(Request::new(Body::Empty)).await;
    }
    assert_eq!(*starts.lock().unwrap(), [(true, "0"), (false, "0")]);
}
