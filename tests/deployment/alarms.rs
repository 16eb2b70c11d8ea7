//! Alarms and the dashboard cover every function and metric.

use api::{access_log::METRICS, status::status_and_code};
use domain::{error::Error as DomainError, throttling::WINDOW};
use serde_json::Value;

use crate::template::{logical_id, slugs, template, text};

/// Function whose errors are expected: they make the gateway respond 401. Any client can cause them, so an
/// alarm on them would roll a deployment back. If the function fails, the gateway responds 5xx.
const EXPECTED_ERRORS: &str = "managers-authorize";

/// AWS limit on metrics and expressions in one alarm.
const MAX_METRICS: usize = 10;

#[test]
fn each_function_has_alarms() {
    let template = template();
    let all: Vec<_> = slugs().iter().map(|slug| logical_id(slug)).collect();
    let mut failing = all.clone();
    failing.retain(|function| *function != logical_id(EXPECTED_ERRORS));
    assert_eq!(failing.len() + 1, all.len());
    for (alarms, functions) in [
        (["EventErrorAlarm", "ManagerErrorAlarm", "MemberErrorAlarm", "BackgroundErrorAlarm"], failing),
        (["EventThrottleAlarm", "ManagerThrottleAlarm", "MemberThrottleAlarm", "BackgroundThrottleAlarm"], all),
    ] {
        let mut watched = Vec::new();
        for alarm in alarms {
            let metrics = template["Resources"][alarm]["Properties"]["Metrics"].as_sequence().unwrap();
            assert!(metrics.len() <= MAX_METRICS, "{alarm}");
            let metrics = metrics.iter().filter_map(|metric| metric.get("MetricStat"));
            let functions = metrics.map(|metric| &metric["Metric"]["Dimensions"][0]["Value"]);
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
    let has_metric = |metric: &[&str]| {
        let matches = |row: &Value| metric.iter().zip(row.as_array().unwrap()).all(|(text, cell)| text == cell);
        charts.iter().any(|rows| rows.iter().any(matches))
    };
    let has_search = |search: &str| {
        let matches = |row: &Value| row[0]["expression"].as_str().is_some_and(|text| text.contains(search));
        charts.iter().any(|rows| rows.iter().any(matches))
    };
    for (name, _, dimension) in METRICS {
        let is_shown = match dimension {
            Some(dimension) => has_search(&format!("{{\"${{AWS::StackName}}\",{dimension}}} MetricName=\"{name}\"")),
            None => has_metric(&["${AWS::StackName}", name]) || has_metric(&[".", name]),
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
        assert!(METRICS.iter().any(is_known), "{metric:?}");
    }
}

/// Both kinds of failures hash the password, so a kind that is not counted would lower the share of failures.
#[test]
fn failed_login_alarm_counts_all_failures() {
    let alarm = &template()["Resources"]["FailedLoginAlarm"]["Properties"];
    let codes = alarm["Metrics"].as_sequence().unwrap().iter();
    let codes = codes.filter_map(|metric| metric["MetricStat"]["Metric"].get("Dimensions"));
    let codes: Vec<_> = codes.map(|dimensions| text(&dimensions[0]["Value"])).collect();
    let failures = [DomainError::WrongCredentials, DomainError::TooManyFailedLogins(WINDOW)];
    assert_eq!(codes, failures.map(|failure| status_and_code(&failure.into()).1));
}
