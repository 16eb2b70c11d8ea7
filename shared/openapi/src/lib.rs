//! The interface as an `OpenAPI` 3.1 document.
//!
//! `utoipa` derives the operations from the attributes above the handlers, and the objects from `schemas.rs`.
//! `document.json.jinja` adds values, parameters and headers, `examples.json` the examples, and `failures.json` the
//! codes. `cargo run -p openapi` writes the document to `openapi.json` and its reference to `docs/api.md`.

mod schemas;

use std::collections::BTreeMap;

use api::{envelope, fields::Errors, gzip, json, multipart, page, request};
use domain::{coordinate, decimal, email, hold, idempotency, instant, member, password, poster, price, search, show};
use functions::{Operations, caller::CallerKind, managers::managed, sales::list};
use minijinja::{Environment, context};
use seating::{drawing, seat_map, svg};
use serde_json::{Value, json};
use utoipa::OpenApi;

/// Examples of requests and successful responses, by operation, with the operations that come before each for the tests.
pub const EXAMPLES: &str = include_str!("examples.json");
/// Status, meaning and example of each failure, by code.
pub const FAILURES: &str = include_str!("failures.json");
/// Failures of every operation.
const COMMON_FAILURES: [&str; 4] = ["C_003", "C_009", "S_001", "S_003"];
/// Headers of every response.
const COMMON_HEADERS: [&str; 4] = ["Vary", "x-request-id", "Cache-Control", "Access-Control-Allow-Origin"];

/// Builds the document; its paths are relative to the base URL.
#[must_use]
pub fn document(base_url: &str) -> Value {
    let mut document = json!(Operations::openapi().merge_from(schemas::Schemas::openapi()));
    normalize(&mut document);
    let (examples, failures) = (parse(EXAMPLES), parse(FAILURES));
    let mut responses = BTreeMap::new();
    let mut operations = Vec::new();
    for (path, methods) in fields(&mut document, "paths") {
        for (_, operation) in methods.as_object_mut().into_iter().flatten() {
            operations.push(json!({ "slug": operation["operationId"], "path": path }));
            secure(operation);
            complete(path, operation, &examples, &failures, &mut responses);
        }
    }
    let context = context! {
        base_url, operations, examples, failures, responses, COMMON_HEADERS, MAX_BODY => request::MAX_BODY,
        MAX_INFLATED => gzip::MAX_INFLATED, MAX_RESPONSE => envelope::MAX_RESPONSE, MAX_PARTS => multipart::MAX_PARTS,
        MAX_PART_HEADERS => multipart::MAX_HEADERS, MAX_ERRORS => Errors::MAX, MAX_ECHO => Errors::MAX_ECHO,
        MAX_KEY => idempotency::MAX_LENGTH, MAX_EMAIL => email::MAX_CHARS, MAX_NICKNAME => member::MAX_NICKNAME,
        MAX_PASSWORD => password::MAX_CHARS, MAX_PASSWORD_AT_LOGIN => password::MAX_CHARS_AT_LOGIN,
        MAX_POSTER => poster::MAX_BYTES, MAX_SIDE => poster::MAX_SIDE, LAST_SECOND => instant::LAST_SECOND,
        MAX_SHOWS => show::MAX_SHOWS, MAX_NOTICES => show::MAX_NOTICES, SHOW_STATUSES => show::ShowStatus::NAMES, MAX_PRICE => price::Price::MAX.hundredths() / 100,
        MAX_HALL_AREAS => seat_map::MAX_HALL_AREAS, MAX_HALL_SEATS => seat_map::MAX_HALL_SEATS, MAX_POSITION => seat_map::MAX_POSITION,
        MAX_HELD_SEATS => hold::MAX_SEATS, MAX_BEST_AREAS => hold::MAX_AREAS, MAX_BLOCKED_SEATS => hold::MAX_BLOCKED_SEATS,
        MAX_COORDINATE => coordinate::Coordinate::MAX, MAX_DRAWING_BYTES => drawing::MAX_DRAWING_BYTES,
        MAX_DRAWN_ELEMENTS => svg::MAX_DRAWN_ELEMENTS, MAX_PAGE => page::MAX_PAGE, MAX_SALES => list::MAX_SALES, MAX_OWN_HOLDS => hold::MAX_OWN_HOLDS, MAX_SOLD_SEATS => hold::MAX_SOLD_SEATS, MAX_QUERY => search::MAX_QUERY,
        FILTERS => managed::FILTERS, TICKETING => search::Ticketing::NAMES, SORTS => search::Sort::NAMES,
    };
    merge(&mut document, &parse(&render(include_str!("document.json.jinja"), &context)));
    document
}

/// Writes the reference of a document.
///
/// # Panics
///
/// Panics if `examples.json` or `failures.json` is not JSON.
#[must_use]
pub fn reference(document: &Value) -> String {
    let examples: minijinja::Value = serde_json::from_str(EXAMPLES).expect("examples");
    let failures: minijinja::Value = serde_json::from_str(FAILURES).expect("failures");
    render(include_str!("api.md.jinja"), &context! { document, examples, failures, COMMON_FAILURES, COMMON_HEADERS })
}

/// Adds the tokens that an operation needs, as it declares its callers.
fn secure(operation: &mut Value) {
    let slug = operation["operationId"].as_str().unwrap_or_default();
    let declarations = functions::declarations();
    let declaration = declarations.iter().find(|declaration| declaration.slug == slug);
    match declaration.map(|declaration| declaration.caller) {
        Some(CallerKind::Member) => operation["security"] = json!([{ "member": [] }]),
        // Without manager verification, no token is needed.
        Some(CallerKind::Manager) => operation["security"] = json!([{}, { "manager": [] }]),
        _ => {}
    }
}

/// Adds to a derived operation what all operations have: tag, envelope, examples, and common headers and failures.
///
/// Collects the codes of each response to a failure; they are its name.
fn complete(
    path: &str,
    operation: &mut Value,
    examples: &Value,
    failures: &Value,
    responses: &mut BTreeMap<String, Vec<String>>,
) {
    let slug = operation["operationId"].as_str().unwrap_or_default().to_owned();
    operation["tags"] = json!([slug.split('-').next()]);
    let mut is_conditional = false;
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        is_conditional |= parameter["name"] == "If-None-Match";
        *parameter = reference_to("parameters", parameter["name"].as_str().unwrap_or_default());
    }
    if let Some(body) = operation.get_mut("requestBody") {
        // A cancellation of an event may have no notice, so its body may be empty.
        body["required"] = json!(slug != "events-cancel");
    }
    for (status, response) in fields(operation, "responses") {
        for (media_type, content) in fields(response, "content") {
            let example = examples[&slug].get(media_type).unwrap_or(&examples[&slug]["response"]);
            content["example"] = example.clone();
            if media_type == json::MEDIA_TYPE && path.starts_with("/api/") && status != "202" {
                let data = json!({ "properties": { "data": content["schema"] } });
                content["schema"] = json!({ "allOf": [reference_to("schemas", "Success"), data] });
            }
        }
        let own: Vec<_> = fields(response, "headers").map(|(name, _)| name.clone()).collect();
        let names = COMMON_HEADERS.map(str::to_owned).into_iter().chain(own);
        response["headers"] = names.map(|name| (name.clone(), reference_to("headers", &name))).collect();
    }
    if is_conditional {
        operation["responses"]["304"] = reference_to("responses", "NotModified");
    }
    let own = operation["x-failures"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut by_status: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for code in own.chain(COMMON_FAILURES) {
        by_status.entry(failures[code]["status"].to_string()).or_default().push(code.to_owned());
    }
    for (status, mut codes) in by_status {
        codes.sort();
        let name = codes.join(".");
        operation["responses"][status] = reference_to("responses", &name);
        responses.insert(name, codes);
    }
}

/// Completes references to schemas. Removes null from optional fields, because they are missing instead.
fn normalize(value: &mut Value) {
    if let Some(name) = value["$ref"].as_str().filter(|name| !name.starts_with('#')) {
        *value = reference_to("schemas", name);
    }
    if value["oneOf"][1]["type"] == "null"
        && let Some(Value::Array(schemas)) = value.as_object_mut().and_then(|fields| fields.remove("oneOf"))
    {
        merge(value, &schemas[0]);
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(normalize),
        Value::Array(items) => items.iter_mut().for_each(normalize),
        _ => {}
    }
}

/// Adds the fields of another object, also within objects that both have.
fn merge(value: &mut Value, other: &Value) {
    match (value, other) {
        (Value::Object(fields), Value::Object(others)) => {
            for (name, other) in others {
                merge(fields.entry(name).or_insert(Value::Null), other);
            }
        }
        (value, other) => *value = other.clone(),
    }
}

fn reference_to(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

fn fields<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    value.get_mut(name).and_then(Value::as_object_mut).into_iter().flatten()
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("valid JSON")
}

fn render(template: &str, context: &minijinja::Value) -> String {
    let mut environment = Environment::new();
    environment.add_filter("grouped", |number: i64| decimal::grouped(number));
    environment.render_str(template, context).expect("a valid template")
}

#[cfg(test)]
mod tests {
    use domain::text::{is_control_in_paragraph, is_invisible};

    use super::*;

    #[test]
    fn every_reference_resolves() {
        fn check(value: &Value, document: &Value) {
            if let Some(reference) = value["$ref"].as_str() {
                assert!(document.pointer(&reference[1..]).is_some(), "{reference}");
            }
            match value {
                Value::Object(fields) => fields.values().for_each(|value| check(value, document)),
                Value::Array(items) => items.iter().for_each(|value| check(value, document)),
                _ => {}
            }
        }
        let document = document("/");
        check(&document, &document);
    }

    /// Lists the characters up to U+FFFF in a class of a pattern.
    fn listed(class: &str) -> Vec<char> {
        let code = |text: &str| u32::from_str_radix(text.trim_start_matches("\\u"), 16).unwrap();
        let mut all: Vec<_> = class
            .replace("-\\u", "-")
            .split("\\u")
            .filter(|range| !range.is_empty())
            .map(|range| range.split_once('-').unwrap_or((range, range)))
            .flat_map(|(first, last)| (code(first)..=code(last)).filter_map(char::from_u32))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn patterns_match_code() {
        let schemas = document("/")["components"]["schemas"].take();
        let matching =
            |is_listed: &dyn Fn(char) -> bool| ('\0'..='\u{ffff}').filter(|c| is_listed(*c)).collect::<Vec<_>>();
        for (name, is_forbidden) in
            [("Line", char::is_control as fn(char) -> bool), ("Paragraph", is_control_in_paragraph)]
        {
            let classes: Vec<_> = schemas[name]["pattern"].as_str().unwrap().split(['[', ']']).collect();
            let ["^", forbidden, "*", invisible, "", again, "*$"] = classes[..] else { panic!("{classes:?}") };
            assert_eq!(again, forbidden);
            assert_eq!(listed(&forbidden[1..]), matching(&is_forbidden));
            assert_eq!(listed(&invisible[1..]), matching(&|c| is_forbidden(c) || is_invisible(c)));
        }
    }
}
