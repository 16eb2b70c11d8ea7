//! What watches the functions watches each of them.

use std::collections::BTreeSet;

use crate::template::{logical_id, slugs, template, text};

/// The most metrics that AWS lets one alarm sum up.
const MAX_METRICS: usize = 10;

#[test]
fn each_alarm_of_functions_sums_up_all_of_them() {
    let template = template();
    let functions: BTreeSet<_> = slugs().iter().map(|slug| logical_id(slug)).collect();
    for alarm in ["FunctionErrorAlarm", "FunctionThrottleAlarm"] {
        let metrics = template["Resources"][alarm]["Properties"]["Metrics"].as_sequence().unwrap();
        let metrics = metrics.iter().filter_map(|metric| metric.get("MetricStat"));
        let watched: Vec<_> = metrics.map(|metric| &metric["Metric"]["Dimensions"][0]["Value"]).collect();
        assert!(watched.len() <= MAX_METRICS, "{alarm}");
        let watched: BTreeSet<_> = watched.into_iter().map(|function| text(function).to_owned()).collect();
        assert_eq!(watched, functions, "{alarm}");
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
