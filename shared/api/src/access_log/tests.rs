use std::{sync::Mutex, time::Duration};

use chrono::TimeZone as _;
use lambda_http::Body;

use super::*;
use crate::envelope;

const TRACE: &str = "1-692cdb00-0a1b2c3d4e5f60718293a4b5";

/// Entry of a request without optional members.
fn read_entry() -> AccessLogEntry<'static> {
    AccessLogEntry {
        request_id: "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11",
        xray_trace_id: None,
        method: "GET",
        route: Some("/api/v1/events/{eventId}"),
        status: 200,
        code: "0",
        microseconds: 4_321,
        cold_start: false,
        hash_microseconds: None,
    }
}

/// Entry with all members.
fn full_entry() -> AccessLogEntry<'static> {
    AccessLogEntry { xray_trace_id: Some(TRACE), hash_microseconds: Some(14_000), ..read_entry() }
}

fn written(entry: &AccessLogEntry) -> Value {
    let at = Utc.with_ymd_and_hms(2025, 4, 18, 5, 0, 0).unwrap() + Duration::from_micros(1_234_567);
    record(entry, "tickets", at).unwrap()
}

#[test]
fn entry_has_documented_shape() {
    let expected = json!({
        "_aws": {
            "Timestamp": 1_744_952_401_234_i64,
            "CloudWatchMetrics": [
                {
                    "Namespace": "tickets",
                    "Dimensions": [["code"]],
                    "Metrics": [{"Name": "requests", "Unit": "Count"}],
                },
                {
                    "Namespace": "tickets",
                    "Dimensions": [[]],
                    "Metrics": [{"Name": "hash_microseconds", "Unit": "Microseconds"}],
                },
            ],
        },
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
    assert_eq!(written(&full_entry()), expected);
}

#[test]
fn entries_have_metric_format() {
    const UNITS: [&str; 2] = ["Count", "Microseconds"];
    let metric_names = |entry: &AccessLogEntry| {
        let root = written(entry);
        let metadata = &root["_aws"];
        assert_eq!(metadata.as_object().unwrap().len(), 2, "no other member");
        assert!(metadata["Timestamp"].is_i64());
        let mut names = Vec::new();
        for directive in metadata["CloudWatchMetrics"].as_array().unwrap() {
            assert_eq!(directive.as_object().unwrap().len(), 3, "no other member");
            assert_eq!(directive["Namespace"], "tickets");
            let [set] = &**directive["Dimensions"].as_array().unwrap() else { panic!("{directive}") };
            for dimension in set.as_array().unwrap() {
                assert!(root[dimension.as_str().unwrap()].is_string(), "{dimension}");
            }
            for metric in directive["Metrics"].as_array().unwrap() {
                let name = metric["Name"].as_str().unwrap();
                assert!(root[name].is_number(), "{name}");
                assert!(UNITS.contains(&metric["Unit"].as_str().unwrap()), "{name}");
                names.push(name.to_owned());
            }
        }
        names
    };
    assert_eq!(metric_names(&read_entry()), ["requests"]);
    assert_eq!(metric_names(&full_entry()), METRICS.map(|(name, ..)| name));
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
    for _ in 0..3 {
        let Ok(_) = service.call(Request::new(Body::Empty)).await;
    }
    assert_eq!(*starts.lock().unwrap(), [(true, "0"), (false, "0"), (false, "0")]);
}
