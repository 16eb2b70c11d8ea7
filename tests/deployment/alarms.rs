//! What watches the functions watches each of them.

use api::access_log::METRICS as ALL;
use serde_json::Value;

use crate::template::{logical_id, slugs, template, text};

/// Whose errors are no failures: those by which it has the gateway answer 401, which anybody may have it
/// answer, and so would roll a deployment back. Where it fails, the gateway answers 5xx.
const ERRS_ON_PURPOSE: &str = "managers-authorize";

/// The most metrics that AWS lets one alarm sum up.
const MAX_METRICS: usize = 10;

#[test]
fn each_function_has_alarms() {
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
fn dashboard_shows_each_function() {
    let template = template();
    let body = text(&template["Resources"]["Dashboard"]["Properties"]["DashboardBody"]);
    for slug in slugs() {
        let shown = body.matches(&format!("\"${{{}}}\"", logical_id(&slug))).count();
        assert_eq!(shown, 2, "{slug}");
    }
}

#[test]
fn dashboard_shows_each_metric() {
    let template = template();
    let body = text(&template["Resources"]["Dashboard"]["Properties"]["DashboardBody"]);
    let body: Value = serde_json::from_str(body).unwrap();
    let widgets = body["widgets"].as_array().unwrap().iter();
    let charts: Vec<_> = widgets.filter_map(|widget| widget["properties"]["metrics"].as_array()).collect();
    let named = |metric: &[&str]| {
        let is_it = |row: &Value| metric.iter().zip(row.as_array().unwrap()).all(|(text, cell)| text == cell);
        charts.iter().any(|rows| rows.iter().any(is_it))
    };
    let searched = |search: &str| {
        let is_it = |row: &Value| row[0]["expression"].as_str().is_some_and(|text| text.contains(search));
        charts.iter().any(|rows| rows.iter().any(is_it))
    };
    for (name, _, dimension) in ALL {
        let is_shown = match dimension {
            Some(dimension) => {
                searched(&format!("{{\"${{AWS::StackName}}\",{dimension}}} MetricName=\"{name}\""))
            }
            None => named(&["${AWS::StackName}", name]) || named(&[".", name]),
        };
        assert!(is_shown, "{name}");
    }
}

#[test]
fn alarms_watch_existing_metrics() {
    let template = template();
    let resources = template["Resources"].as_mapping().unwrap().values();
    let stats = resources
        .filter(|resource| resource["Type"] == "AWS::CloudWatch::Alarm")
        .filter_map(|alarm| alarm["Properties"]["Metrics"].as_sequence())
        .flatten()
        .filter_map(|metric| metric.get("MetricStat"))
        .map(|stat| &stat["Metric"]);
    let own: Vec<_> = stats.filter(|metric| text(&metric["Namespace"]) == "AWS::StackName").collect();
    assert!(!own.is_empty());
    for metric in own {
        let dimensions = metric["Dimensions"].as_sequence().map_or(&[][..], Vec::as_slice);
        let names: Vec<_> = dimensions.iter().map(|dimension| text(&dimension["Name"])).collect();
        let is_known = |(name, _, dimension): &(&str, &str, Option<&str>)| {
            *name == text(&metric["MetricName"]) && names == dimension.iter().copied().collect::<Vec<_>>()
        };
        assert!(ALL.iter().any(is_known), "{metric:?}");
    }
}
