//! The examples in `openapi.json` have the fields of their schemas.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::openapi::{document, failures, operations};

/// Collects the names and the required names of the fields of an object.
fn fields<'a>(schema: &'a Value, document: &'a Value) -> (BTreeMap<&'a str, &'a Value>, BTreeSet<&'a str>) {
    let schema = resolve(schema, document);
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut all: BTreeMap<_, _> = properties.map(|(name, property)| (name.as_str(), property)).collect();
    let mut required: BTreeSet<_> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for part in schema["oneOf"].as_array().into_iter().flatten() {
        all.extend(fields(part, document).0);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        let (more, more_required) = fields(part, document);
        all.extend(more);
        required.extend(more_required);
    }
    (all, required)
}

/// Returns the schema that a reference names; of a schema that also allows null, the other one.
fn resolve<'a>(value: &'a Value, document: &'a Value) -> &'a Value {
    let value = value["anyOf"].get(0).unwrap_or(value);
    value["$ref"].as_str().map_or(value, |reference| document.pointer(&reference[1..]).unwrap())
}

/// Checks that an example has all required fields of its schema, and no others than its fields, unless it is a map.
fn check(example: &Value, schema: &Value, document: &Value) {
    match example {
        Value::Object(values) => {
            let (all, required) = fields(schema, document);
            let of_map = resolve(schema, document).get("additionalProperties");
            for (name, value) in values {
                let schema = all.get(name.as_str()).copied().or(of_map);
                check(value, schema.unwrap_or_else(|| panic!("{name} is unknown")), document);
            }
            assert!(required.iter().all(|name| values.contains_key(*name)), "{required:?}: {example}");
        }
        Value::Array(items) => {
            let schema = &resolve(schema, document)["items"];
            for item in items {
                check(item, schema, document);
            }
        }
        _ => {}
    }
}

#[test]
fn examples_match_schemas() {
    let document = document();
    let mut checked = 0;
    for (_, _, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            for content in resolve(response, &document)["content"].as_object().into_iter().flat_map(|map| map.values())
            {
                if status.starts_with('2') {
                    check(&content["example"], &content["schema"], &document);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 0);
    for schema in document["components"]["schemas"].as_object().unwrap().values() {
        if let Some(example) = schema.pointer("/examples/0") {
            check(example, schema, &document);
        }
    }
    for failure in failures().as_object().unwrap().values() {
        check(&failure["value"], &document["components"]["schemas"]["Failure"], &document);
    }
}
