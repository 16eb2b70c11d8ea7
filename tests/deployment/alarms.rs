//! Alarms and the dashboard watch existing metrics, and cover every function without naming it.

use api::{access_log::METRICS, log, status};
use domain::{error::Error as DomainError, throttling::WINDOW};
use serde_json::Value as Json;
use serde_yaml_ng::Value;
use storage::members::sessions;

use crate::template::{logical_id, properties, read, slugs, template, text};

/// Returns the resources of a type.
fn of_type(kind: &str) -> Vec<&'static Value> {
    let resources = template()["Resources"].as_mapping().unwrap().values();
    resources.filter(|resource| resource["Type"] == kind).map(|resource| &resource["Properties"]).collect()
}

/// No alarm rolls a deployment back, so nobody can prevent one by failing requests.
#[test]
fn cloudformation_moves_aliases() {
    let globals = &template()["Globals"]["Function"];
    assert_eq!(globals["AutoPublishAlias"], "live");
    assert!(globals["DeploymentPreference"].is_null());
    for slug in slugs() {
        let properties = properties(&logical_id(&slug));
        for setting in ["AutoPublishAlias", "DeploymentPreference", "LoggingConfig"] {
            assert!(properties.get(setting).is_none(), "{slug}: {setting}");
        }
    }
}

/// `deploy` replaces the description, which publishes a version of each function.
#[test]
fn deploy_finds_description() {
    let line = "\n    Description: Deployed ";
    assert_eq!(read("template.yaml").matches(line).count(), 1);
    assert!(read("deploy").contains(&format!("s|^{}.*|", line.trim_start_matches('\n'))));
    for slug in slugs() {
        assert!(properties(&logical_id(&slug)).get("Description").is_none(), "{slug}");
    }
}

#[test]
fn messages_in_function_log_are_counted() {
    let logging = &template()["Globals"]["Function"]["LoggingConfig"];
    for (filter, alarm, message) in [
        ("FunctionFailures", "FunctionFailureAlarm", log::PANICKED),
        ("RefreshTokenReuse", "RefreshTokenReuseAlarm", sessions::REUSED),
    ] {
        let filter = properties(filter);
        assert_eq!(
            (text(&filter["LogGroupName"]), &logging["LogFormat"]),
            (text(&logging["LogGroup"]), &Value::from("JSON"))
        );
        let pattern = text(&filter["FilterPattern"]);
        assert!(pattern.contains(&format!("$.message = \"{message}\"")), "{pattern}");
        let metric = &filter["MetricTransformations"][0];
        let alarm = properties(alarm);
        assert_eq!(text(&alarm["Namespace"]), text(&metric["MetricNamespace"]));
        assert_eq!(alarm["MetricName"], metric["MetricName"]);
        assert!(alarm["Dimensions"].is_null() && metric["Dimensions"].is_null());
    }
}

#[test]
fn dashboard_shows_each_metric() {
    let body = text(&properties("Dashboard")["DashboardBody"]);
    let body: Json = serde_json::from_str(body).unwrap();
    let widgets = body["widgets"].as_array().unwrap().iter();
    let charts: Vec<_> = widgets.filter_map(|widget| widget["properties"]["metrics"].as_array()).collect();
    let has_metric = |metric: &[&str]| {
        let matches = |row: &Json| metric.iter().zip(row.as_array().unwrap()).all(|(text, cell)| text == cell);
        charts.iter().any(|rows| rows.iter().any(matches))
    };
    let has_search = |search: &str| {
        let matches = |row: &Json| row[0]["expression"].as_str().is_some_and(|text| text.contains(search));
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
    let stats = of_type("AWS::CloudWatch::Alarm")
        .into_iter()
        .filter_map(|alarm| alarm["Metrics"].as_sequence())
        .flatten()
        .filter_map(|metric| metric.get("MetricStat"))
        .map(|stat| &stat["Metric"]);
    let filters = of_type("AWS::Logs::MetricFilter").into_iter();
    let counted: Vec<_> = filters.map(|filter| &filter["MetricTransformations"][0]["MetricName"]).collect();
    let own = stats.filter(|metric| text(&metric["Namespace"]) == "AWS::StackName");
    let own: Vec<_> = own.filter(|metric| !counted.contains(&&metric["MetricName"])).collect();
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
    let alarm = properties("FailedLoginAlarm");
    let codes = alarm["Metrics"].as_sequence().unwrap().iter();
    let codes = codes.filter_map(|metric| metric["MetricStat"]["Metric"].get("Dimensions"));
    let codes: Vec<_> = codes.map(|dimensions| text(&dimensions[0]["Value"])).collect();
    let failures = [DomainError::WrongCredentials, DomainError::TooManyFailedLogins(WINDOW)];
    assert_eq!(codes, failures.map(|failure| status::code(&failure.into()).name));
}
