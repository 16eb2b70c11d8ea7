use std::sync::Mutex;

use chrono::TimeZone as _;
use lambda_http::Body;
use serde_json::Value;

use super::*;
use crate::envelope;

const TRACE: &str = "1-692cdb00-0a1b2c3d4e5f60718293a4b5";

/// What is read of an event: the least that there is to tell.
fn read() -> AccessLogEntry<'static> {
    AccessLogEntry {
        request_id: "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11",
        xray_trace_id: Some(TRACE),
        method: "GET",
        route: Some("/api/v1/events/{eventId}"),
        status: 200,
        code: "0",
        microseconds: 4_321,
        cold_start: false,
        metrics: RequestMetrics { read_units: 0.5, ..RequestMetrics::default() },
    }
}

/// A line with something to tell of everything.
fn busy() -> AccessLogEntry<'static> {
    let metrics = RequestMetrics {
        read_units: 0.5,
        write_units: 12.0,
        conflicts: 3,
        throttles: 1,
        hash_microseconds: 14_000,
    };
    AccessLogEntry { metrics, ..read() }
}

/// A line that tells of a request alone.
fn idle() -> AccessLogEntry<'static> {
    AccessLogEntry { xray_trace_id: None, route: None, metrics: RequestMetrics::default(), ..read() }
}

fn written(line: &AccessLogEntry) -> String {
    let at = Utc.with_ymd_and_hms(2025, 4, 18, 5, 0, 0).unwrap() + Duration::from_micros(1_234_567);
    String::from_utf8(to_json(line, &Metrics::new("tickets"), at).unwrap()).unwrap()
}

#[test]
fn a_line_has_this_shape() {
    let expected = concat!(
        r#"{"_aws":{"Timestamp":1744952401234,"CloudWatchMetrics":["#,
        r#"{"Namespace":"tickets","Dimensions":[["code"]],"Metrics":[{"Name":"requests","Unit":"Count"}]},"#,
        r#"{"Namespace":"tickets","Dimensions":[["route"]],"Metrics":[{"Name":"read_units","Unit":"Count"}]}]},"#,
        r#""timestamp":"2025-04-18T05:00:01.234567Z","level":"INFO","message":"request completed","requests":1,"#,
        r#""request_id":"6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11","#,
        r#""xray_trace_id":"1-692cdb00-0a1b2c3d4e5f60718293a4b5","#,
        r#""method":"GET","route":"/api/v1/events/{eventId}","status":200,"code":"0","microseconds":4321,"#,
        r#""cold_start":false,"read_units":0.5,"write_units":0.0}"#,
        "\n",
    );
    assert_eq!(written(&read()), expected);
}

#[test]
fn a_line_tells_of_conflicts_throttles_and_hashing_where_there_are_any() {
    let all = written(&busy());
    let ends = r#""write_units":12.0,"conflicts":3,"throttles":1,"hash_microseconds":14000}"#;
    assert!(all.trim_end().ends_with(ends), "{all}");
}

#[test]
fn lines_are_in_the_embedded_metric_format() {
    const UNITS: [&str; 2] = ["Count", "Microseconds"];
    let named = |line: &AccessLogEntry| {
        let root: Value = serde_json::from_str(&written(line)).unwrap();
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
    assert_eq!(named(&idle()), ["requests"]);
    assert_eq!(named(&read()), ["requests", "read_units"]);
    // The units of what has no route are nobody's.
    let (mut stray, mut free) = (busy(), busy());
    (stray.route, free.metrics.read_units, free.metrics.write_units) = (None, 0.0, 0.0);
    for line in [stray, free] {
        assert_eq!(named(&line), ["requests", "conflicts", "throttles", "hash_microseconds"]);
    }
    assert_eq!(named(&busy()), METRICS.map(|(name, ..)| name));
}

#[test]
fn only_what_has_the_form_of_a_trace_id_is_one() {
    for header in
        [&format!("Root={TRACE};Parent=53995c3f42cd8ad8;Sampled=1"), &format!("Self=1-x; Root={TRACE}")]
    {
        assert_eq!(trace_id(header), Some(TRACE), "{header}");
    }
    for header in ["", TRACE, "Root=", "Root=1-692cdb00-kim@example.com-60718293a4b5", "Root=1-692cdb00"] {
        assert_eq!(trace_id(header), None, "{header}");
    }
}

#[tokio::test]
async fn the_first_request_of_a_process_is_a_cold_start() {
    let starts = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&starts);
    let answer = service_fn(async |_: Request| Ok::<_, Infallible>(envelope::ok("m", &()).unwrap()));
    let log = move |line: &AccessLogEntry| seen.lock().unwrap().push((line.cold_start, line.code));
    let mut service = with_access_log(answer, log);
    for _ in 0..3 {
        let Ok(_) = service.call(Request::new(Body::Empty)).await;
    }
    assert_eq!(*starts.lock().unwrap(), [(true, "0"), (false, "0"), (false, "0")]);
}

#[test]
fn times_are_told_in_microseconds() {
    assert_eq!(microseconds(Duration::new(1, 234_567_999)), 1_234_567);
    assert_eq!(microseconds(Duration::MAX), u64::MAX);
}
