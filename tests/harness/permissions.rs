//! Permissions of functions: those in the template, and those that calls need.

use std::{collections::BTreeSet, fs};

use axum::{body::Bytes, http::Request};
use serde_json::{Value, json};
use serde_yaml_ng::Value as Yaml;

use crate::{Service, fault};

/// IAM action and its resource; for the table, with the prefix of partition keys: `Table.Arn EVENT#*`.
pub type Permission = (String, String);

const TABLE: &str = "Table.Arn";
const OBJECTS: &str = "${Posters.Arn}/upload/*";
/// Identities of sender and recipient, and their configuration sets. A condition limits the sender.
const MAIL: [&str; 2] = ["identity/*", "configuration-set/*"];
const SES: &str = "arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:";

/// Returns the permissions that a call needs.
///
/// A transaction needs those of its writes.
pub(crate) fn needed(call: &Request<Bytes>) -> BTreeSet<Permission> {
    let Some(operation) = fault::operation(call) else {
        if fault::is_mail(call) {
            return MAIL.map(|resource| ("ses:SendEmail".to_owned(), format!("{SES}{resource}"))).into();
        }
        if call.headers().contains_key("x-amz-copy-source") {
            return ["s3:GetObject", "s3:PutObject"].map(|action| (action.to_owned(), OBJECTS.to_owned())).into();
        }
        let verb = match call.method().as_str() {
            "PUT" => "Put",
            "DELETE" => "Delete",
            other => other,
        };
        return [(format!("s3:{verb}Object"), OBJECTS.to_owned())].into();
    };
    let body = fault::json(call.body());
    let permission = |operation: &str, key: &Value| {
        let (kind, _) = key.as_str().and_then(|key| key.split_once('#')).expect("partition key");
        (format!("dynamodb:{operation}"), format!("{TABLE} {kind}#*"))
    };
    match operation {
        "TransactWriteItems" => {
            let writes = body["TransactItems"].as_array().into_iter().flatten().filter_map(Value::as_object).flatten();
            let keys = writes.map(|(kind, write)| {
                let key = if kind == "Put" { &write["Item"] } else { &write["Key"] };
                permission(&format!("{kind}Item"), &key["pk"]["S"])
            });
            keys.collect()
        }
        "BatchGetItem" => {
            let tables = body["RequestItems"].as_object().into_iter().flatten();
            let keys = tables.flat_map(|(_, table)| table["Keys"].as_array().into_iter().flatten());
            keys.map(|key| permission(operation, &key["pk"]["S"])).collect()
        }
        "Query" => {
            if let Some(index) = body["IndexName"].as_str() {
                return [(format!("dynamodb:{operation}"), format!("${{TableArn}}/index/{index}"))].into();
            }
            [permission(operation, &body["ExpressionAttributeValues"][":partition"]["S"])].into()
        }
        "PutItem" => [permission(operation, &body["Item"]["pk"]["S"])].into(),
        // Calls on a whole table, which no function makes.
        _ if body["Key"].is_null() => [(format!("dynamodb:{operation}"), TABLE.to_owned())].into(),
        _ => [permission(operation, &body["Key"]["pk"]["S"])].into(),
    }
}

/// Combines every action on the table with every key prefix.
///
/// It is not known exactly how AWS authorizes the writes of a transaction, so they cannot be separated.
fn with_all_keys(needed: BTreeSet<Permission>) -> BTreeSet<Permission> {
    let (on_table, others): (BTreeSet<_>, BTreeSet<_>) =
        needed.into_iter().partition(|(_, resource)| resource.starts_with(TABLE));
    let pairs = on_table
        .iter()
        .flat_map(|(action, _)| on_table.iter().map(move |(_, resource)| (action.clone(), resource.clone())));
    pairs.chain(others).collect()
}

/// Returns a text of the template, without a tag such as `!Sub` and its variables; the last choice of an `!If`.
fn text(value: &Yaml) -> &str {
    match value {
        Yaml::Tagged(tagged) if tagged.tag == "If" => text(&tagged.value[2]),
        Yaml::Sequence(parts) => text(&parts[0]),
        Yaml::Tagged(tagged) => text(&tagged.value),
        other => other.as_str().expect("text"),
    }
}

/// Returns what these statements of the template allow.
#[must_use]
pub fn allowed(statements: &Yaml) -> BTreeSet<Permission> {
    let list = |value: &Yaml| match value {
        Yaml::Sequence(list) => list.clone(),
        value => vec![value.clone()],
    };
    let mut allowed = BTreeSet::new();
    for statement in statements.as_sequence().into_iter().flatten() {
        assert_eq!(statement["Effect"], "Allow");
        let prefixes = &statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
        for resource in list(&statement["Resource"]) {
            let resources = match prefixes.as_sequence() {
                Some(keys) => keys.iter().map(|key| format!("{} {}", text(&resource), text(key))).collect(),
                None => vec![text(&resource).to_owned()],
            };
            for action in list(&statement["Action"]) {
                allowed.extend(resources.iter().map(|resource| (text(&action).to_owned(), resource.clone())));
            }
        }
    }
    allowed
}

impl Service {
    /// Checks that a function has exactly the permissions that the calls through the proxy needed.
    ///
    /// So only that function may have made calls, everything that it can.
    ///
    /// # Panics
    ///
    /// Panics if a permission is missing, or is not needed.
    pub fn check_permissions(&self, function: &str) {
        let template = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../template.yaml")).expect("template");
        let template: Yaml = serde_yaml_ng::from_str(&template).expect("template in YAML");
        let resources = template["Resources"].as_mapping().expect("resources");
        let is_function = |resource: &&Yaml| resource["Metadata"]["BuildProperties"]["Binary"] == function;
        let resource = resources.values().find(is_function).unwrap_or_else(|| panic!("no {function} in the template"));
        let granted = allowed(&resource["Properties"]["Policies"]["Statement"]);
        let needed = with_all_keys(self.proxy.permissions());
        let differences = json!({
            "missing": needed.difference(&granted).collect::<Vec<_>>(),
            "superfluous": granted.difference(&needed).collect::<Vec<_>>(),
        });
        assert_eq!(granted, needed, "{function}: {differences:#}");
    }
}
