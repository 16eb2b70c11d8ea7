//! What watches the functions watches each of them.

use crate::template::{logical_id, slugs, template, text};

/// Whose errors are no failures: those by which it has the gateway answer 401, which anybody may have it
/// answer, and so would roll a deployment back. Where it fails, the gateway answers 5xx.
const ERRS_ON_PURPOSE: &str = "managers-authorize";

/// The most metrics that AWS lets one alarm sum up.
const MAX_METRICS: usize = 10;

#[test]
fn each_function_is_in_one_alarm_of_each_kind() {
    let template = template();
    let all: Vec<_> = slugs().iter().map(|slug| logical_id(slug)).collect();
    let mut failing = all.clone();
    failing.retain(|function| *function != logical_id(ERRS_ON_PURPOSE));
    assert_eq!(failing.len() + 1, all.len());
    for (alarms, functions) in [
        (["FunctionErrorAlarm", "BackgroundErrorAlarm"], failing),
        (["FunctionThrottleAlarm", "BackgroundThrottleAlarm"], all),
    ] {
        let mut watched = Vec::new();
        for alarm in alarms {
            let metrics = template["Resources"][alarm]["Properties"]["Metrics"].as_sequence().unwrap();
            let metrics: Vec<_> = metrics.iter().filter_map(|metric| metric.get("MetricStat")).collect();
            assert!(metrics.len() <= MAX_METRICS, "{alarm}");
            let functions = metrics.iter().map(|metric| &metric["Metric"]["Dimensions"][0]["Value"]);
            watched.extend(functions.map(|function| text(function).to_owned()));
        }
        watched.sort();
        assert_eq!(watched, functions, "{alarms:?}");
    }
}

#[test]
fn the_dashboard_shows_how_long_each_function_takes_and_how_many_run() {
    let template = template();
    let body = text(&template["Resources"]["Dashboard"]["Properties"]["DashboardBody"]);
    for slug in slugs() {
        let shown = body.matches(&format!("\"${{{}}}\"", logical_id(&slug))).count();
        assert_eq!(shown, 2, "{slug}");
    }
}
