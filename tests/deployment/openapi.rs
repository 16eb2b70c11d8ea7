//! `openapi.json` matches the service and adds nothing to the functions.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use serde_json::Value;

use crate::{
    names::routes,
    template::{read, slugs, template, text},
};

const UPDATE_COMMAND: &str = "cargo run -p openapi";

/// Codes of the interface by status.
const CODES: [(&str, &[&str]); 15] = [
    ("200", &["0"]),
    ("201", &["0"]),
    ("204", &["0"]),
    ("400", &["C_001", "C_002", "C_003", "C_006", "C_007"]),
    ("401", &["AL_001", "AM_001"]),
    ("403", &["AM_002"]),
    ("404", &["C_008", "E_002"]),
    ("409", &["C_010", "AJ_001", "AJ_002", "E_001"]),
    ("412", &["E_003"]),
    ("413", &["C_005"]),
    ("415", &["C_004"]),
    ("422", &["C_011"]),
    ("429", &["C_009", "AL_002"]),
    ("500", &["S_001"]),
    ("503", &["S_002", "S_003"]),
];

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

#[test]
fn document_is_current() {
    // Not `assert_eq!`, which would print both.
    assert!(document() == openapi::document("/"), "openapi.json is out of date; run\n{UPDATE_COMMAND}");
}

#[test]
fn reference_is_current() {
    let reference = openapi::reference::markdown(&document());
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
    assert_eq!(documented, routes());
}

#[test]
fn document_has_each_code() {
    let codes: BTreeSet<_> = CODES
        .iter()
        .flat_map(|(status, codes)| codes.iter().map(|code| ((*status).to_owned(), (*code).to_owned())))
        .collect();

    let document = document();
    let mut documented = BTreeSet::new();
    for (_, _, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let named = response["description"].as_str().unwrap().split('`').skip(1).step_by(2);
            let named = named.filter(|text| *text == "0" || text.contains("_0"));
            documented.extend(named.map(|code| (status.clone(), code.to_owned())));
        }
    }
    assert_eq!(documented, codes);
}

#[test]
fn document_has_gateway_responses() {
    let template = template();
    let document = document();
    let responses = &document["paths"]["/api/v1/events/{eventId}"]["get"]["responses"];
    for (response, status, code) in [("THROTTLED", "429", "C_009"), ("DEFAULT_4XX", "400", "C_003")] {
        let response = &template["Resources"]["Api"]["Properties"]["GatewayResponses"][response];
        let body: Value = serde_json::from_str(text(&response["ResponseTemplates"]["application/json"])).unwrap();
        let examples = &responses[status]["content"]["application/json"]["examples"];
        assert_eq!(examples[code]["value"], body);
    }
}

#[test]
fn every_response_has_an_example() {
    let document = document();
    for (path, method, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let Some(content) = response["content"].as_object() else {
                assert!(status == "204" || status == "304", "{method} {path}: {status} has no content");
                continue;
            };
            for content in content.values() {
                assert!(
                    content.get("example").is_some() || content.get("examples").is_some(),
                    "{method} {path}: {status} has no example"
                );
            }
        }
    }
}

#[test]
fn functions_exclude_utoipa() {
    for slug in slugs() {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--package", &slug])
            .output()
            .unwrap();
        let tree = String::from_utf8(tree.stdout).unwrap();
        assert!(tree.starts_with(&slug), "{tree}");
        assert!(!tree.contains("utoipa"), "{slug} depends on utoipa");
    }
}
