//! `openapi.json` matches the service, and `docs/api.md` matches `openapi.json`.

use std::collections::{BTreeMap, BTreeSet};

use domain::throttling;
use serde_json::Value;

use crate::{
    names::routes,
    template::{read, slugs, template, text},
};

const UPDATE_COMMAND: &str = "cargo run -p openapi";

fn document() -> Value {
    serde_json::from_str(&read("openapi.json")).expect("a document in JSON")
}

/// Returns the path, the method and the content of each operation.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().iter().map(move |(method, operation)| (&**path, &**method, operation))
        })
        .collect()
}

/// Returns the operations that accept the token of a manager.
pub fn secured_operations() -> BTreeSet<String> {
    let document = document();
    let accepts_token = |operation: &Value| {
        let schemes = operation["security"].as_array().into_iter().flatten();
        schemes.filter_map(Value::as_object).any(|scheme| scheme.contains_key("manager"))
    };
    let secured = operations(&document).into_iter().filter(|(_, _, operation)| accepts_token(operation));
    secured.map(|(_, _, operation)| operation["operationId"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn document_is_current() {
    // Not `assert_eq!`, which would print both.
    assert!(document() == openapi::document("/"), "openapi.json is out of date; run\n{UPDATE_COMMAND}");
}

#[test]
fn reference_is_current() {
    let reference = openapi::reference(&document());
    assert!(read("docs/api.md") == reference, "docs/api.md is out of date; run\n{UPDATE_COMMAND}");
}

#[test]
fn document_has_each_function() {
    let document = document();
    let documented: BTreeMap<_, _> = operations(&document)
        .into_iter()
        .map(|(path, method, operation)| {
            (operation["operationId"].as_str().unwrap().to_owned(), (method.to_uppercase(), path.to_owned()))
        })
        .collect();
    let routes = routes();
    let missing: Vec<_> = routes.iter().filter(|(slug, route)| documented.get(*slug) != Some(route)).collect();
    assert!(
        missing.is_empty() && documented.len() == routes.len(),
        "not in openapi.json: {missing:?}; run\n{UPDATE_COMMAND}"
    );
}

#[test]
fn operations_have_parameters_of_their_path_and_examples() {
    let document = document();
    for (path, _, operation) in operations(&document) {
        let slug = &operation["operationId"];
        let named = operation["parameters"].as_array().into_iter().flatten().filter_map(|parameter| {
            let reference = parameter["$ref"].as_str().unwrap();
            let parameter = document.pointer(&reference[1..]).unwrap();
            (parameter["in"] == "path").then(|| parameter["name"].as_str().unwrap())
        });
        let in_path = path.split(['{', '}']).skip(1).step_by(2);
        assert_eq!(named.collect::<Vec<_>>(), in_path.collect::<Vec<_>>(), "parameters of {slug}");
        for (_, response) in operation["responses"].as_object().unwrap() {
            for (_, content) in response["content"].as_object().into_iter().flatten() {
                assert!(!content["example"].is_null(), "add the response of {slug} to openapi/src/examples.rs");
            }
        }
    }
}

/// The measurements send the sample events.
#[test]
fn sample_events_have_fields_of_examples() {
    let examples: Value = serde_json::from_str(&::openapi::examples()).unwrap();
    for slug in slugs() {
        let Some(request) = examples[&slug]["request"].as_object() else { continue };
        let event: Value = serde_json::from_str(&read(&format!("events/{slug}.json"))).unwrap();
        // The part of a form is not compared.
        let Ok(body) = serde_json::from_str::<Value>(event["body"].as_str().unwrap()) else { continue };
        let known = body.as_object().unwrap().keys().all(|name| request.contains_key(name));
        assert!(known, "events/{slug}.json has other fields than the example: {body}");
    }
}

/// Returns the failures of the interface by code.
fn failures() -> Value {
    document()["components"]["examples"].take()
}

#[test]
fn gateway_responses_match_template() {
    let template = template();
    for (response, code) in [("THROTTLED", "C_009"), ("DEFAULT_4XX", "C_003")] {
        let response = &template["Resources"]["Api"]["Properties"]["GatewayResponses"][response];
        let body: Value = serde_json::from_str(text(&response["ResponseTemplates"]["application/json"])).unwrap();
        let mut example = failures()[code]["value"].take();
        // The gateway gives no reasons.
        example.as_object_mut().unwrap().remove("errors");
        assert_eq!(example, body);
    }
}

#[test]
fn login_names_limits() {
    let document = document();
    let description = document["paths"]["/api/v1/members/login"]["post"]["description"].as_str().unwrap();
    let one = format!("{} from one client", throttling::MAX_FROM_ONE_CLIENT);
    let all = format!("{} from all clients in {}", throttling::MAX_FROM_ALL_CLIENTS, throttling::WINDOW.as_secs() / 60);
    let description = description.replace('\n', " ");
    assert!(description.contains(&one) && description.contains(&all), "{description}");
}

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

fn resolve<'a>(value: &'a Value, document: &'a Value) -> &'a Value {
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
