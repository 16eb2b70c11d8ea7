//! Options that cost money are off by default.

use serde_yaml_ng::Value;

use crate::template::{template, text};

#[test]
fn budget_is_off() {
    let template = template();
    assert_eq!(template["Resources"]["Budget"]["Condition"], "HasBudget");
    assert_eq!(template["Parameters"]["MonthlyBudget"]["Default"], 0);
    let Value::Tagged(not) = &template["Conditions"]["HasBudget"] else { panic!("a !Not") };
    let Value::Tagged(equals) = &not.value[0] else { panic!("an !Equals") };
    assert_eq!((not.tag.to_string(), equals.tag.to_string()), ("!Not".to_owned(), "!Equals".to_owned()));
    assert_eq!((text(&equals.value[0]), &equals.value[1]), ("MonthlyBudget", &Value::from(0)));
}
