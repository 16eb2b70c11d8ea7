//! Options that cost money are off by default.

use serde_yaml_ng::Value;

use crate::template::{template, text};

/// Returns the condition and the alternative of a `!If`.
fn choice(value: &Value) -> (&str, &str) {
    let Value::Tagged(choice) = value else { panic!("an !If") };
    (text(&choice.value[0]), text(&choice.value[2]))
}

/// Checks that a condition is false with the default of a parameter.
fn assert_off(template: &Value, condition: &str, parameter: &str) {
    assert_eq!(template["Parameters"][parameter]["Default"], 0, "{parameter}");
    let Value::Tagged(not) = &template["Conditions"][condition] else { panic!("{condition}: a !Not") };
    let Value::Tagged(equals) = &not.value[0] else { panic!("{condition}: an !Equals") };
    assert_eq!((not.tag.to_string(), equals.tag.to_string()), ("!Not".to_owned(), "!Equals".to_owned()));
    assert_eq!(text(&equals.value[0]), parameter);
    assert_eq!(equals.value[1], 0);
}

#[test]
fn provisioned_concurrency_is_off() {
    let template = template();
    let config = &template["Resources"]["MembersLogin"]["Properties"]["ProvisionedConcurrencyConfig"];
    assert_eq!(choice(config), ("ProvisionsLogins", "AWS::NoValue"));
    assert_off(&template, "ProvisionsLogins", "LoginProvisionedConcurrency");
}

#[test]
fn warm_throughput_is_off() {
    let template = template();
    let table = &template["Resources"]["Table"]["Properties"];
    let indexes = table["GlobalSecondaryIndexes"].as_sequence().unwrap();
    let mut settings = vec![&table["WarmThroughput"]];
    settings.extend(indexes.iter().filter_map(|index| index.get("WarmThroughput")));
    assert_eq!(settings.len(), 1);
    for setting in settings {
        assert_eq!(choice(setting), ("WarmsTable", "AWS::NoValue"));
    }
    assert_off(&template, "WarmsTable", "WarmReadUnits");
}

#[test]
fn budget_is_off() {
    let template = template();
    assert_eq!(template["Resources"]["Budget"]["Condition"], "HasBudget");
    assert_off(&template, "HasBudget", "MonthlyBudget");
}
