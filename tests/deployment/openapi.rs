//! `openapi.json` matches the service, and `docs/api.md` matches `openapi.json`.

use serde_json::Value;

use crate::template::{read, slugs, template, text};

const UPDATE_COMMAND: &str = "cargo run -p openapi";

pub fn document() -> Value {
    serde_json::from_str(&read("openapi.json")).expect("a document in JSON")
}

/// Returns the path, the method and the content of each operation.
pub fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().iter().map(move |(method, operation)| (&**path, &**method, operation))
        })
        .collect()
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
pub fn failures() -> Value {
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
