//! The interface as an `OpenAPI` 3.1 document.
//!
//! `utoipa` collects the descriptions of the operations, and `schemars` the types of their bodies. Codes, headers and
//! tokens follow from what an operation declares. `document.json.jinja` adds parameters, headers and other texts.
//! `cargo run -p openapi` writes the document to `openapi.json` and its reference to `docs/api.md`.

mod examples;
mod failures;
mod schemas;

use std::collections::BTreeMap;

use api::{
    envelope,
    fields::Errors,
    gzip, json, multipart, page, request,
    status::{C_001, FailureCode},
};
use domain::{
    decimal, gate, hold, idempotency, instant, notice, poster, search,
    seats::{admission, selling},
    show, text,
};
use functions::{Operations, caller::CallerKind, managers::managed_page_request, registry::Declaration, sales::list};
use minijinja::{Environment, context};
use seating::{drawing, seat_map, svg};
use serde_json::{Value, json};
use utoipa::OpenApi;

pub use examples::examples;

/// Codes of failures of every operation.
const COMMON_FAILURES: [&str; 4] = ["C_003", "C_009", "S_001", "S_003"];
/// Headers of every response.
const COMMON_HEADERS: [&str; 4] = ["Vary", "x-request-id", "Cache-Control", "Access-Control-Allow-Origin"];

/// Builds the document; its paths are relative to the base URL.
#[must_use]
pub fn document(base_url: &str) -> Value {
    let mut document = json!(Operations::openapi());
    normalize_references(&mut document);
    let examples = parse(&examples());
    let (mut schemas, mut responses) = (schemas::schemas(), BTreeMap::new());
    let declarations = functions::declarations();
    for declaration in &declarations {
        let operation = &mut document["paths"][&declaration.path][declaration.method.as_str().to_lowercase()];
        let by_status = failures::by_status(declaration, operation);
        let examples = &examples[declaration.slug];
        describe(operation, declaration, examples);
        for (_, content) in operation.get_mut("requestBody").into_iter().flat_map(|body| fields(body, "content")) {
            // The object in a form is its part `request`.
            let name = content["schema"]["$ref"].as_str().and_then(|name| name.rsplit('/').next());
            if let (Some(name), Some(request)) = (name, examples.get("request")) {
                schemas[name.replace("Form", "Request")]["examples"] = json!([request]);
            }
        }
        for (status, codes) in by_status {
            let name = codes.join(".");
            operation["responses"][&status] = reference_to("responses", &name);
            responses.insert(name, (status, codes));
        }
    }
    let operations: Vec<_> = declarations.iter().map(|Declaration { slug, path, .. }| json!([slug, path])).collect();
    let context = context! {
        base_url, operations, responses, failures => failures::failures(), COMMON_HEADERS,
        MAX_BODY => request::MAX_BODY, MAX_INFLATED => gzip::MAX_INFLATED, MAX_RESPONSE => envelope::MAX_RESPONSE,
        MAX_PARTS => multipart::MAX_PARTS, MAX_PART_HEADERS => multipart::MAX_HEADERS,
        MAX_ERRORS => Errors::MAX, MAX_ECHO => Errors::MAX_ECHO, MAX_KEY => idempotency::MAX_LENGTH,
        MAX_POSTER => poster::MAX_BYTES, MAX_SIDE => poster::MAX_SIDE, INSTANT => instant::PATTERN,
        VISIBLE => &*text::VISIBLE, MAX_DRAWING_BYTES => drawing::MAX_DRAWING_BYTES,
        MAX_NOTICES => show::MAX_NOTICES, MAX_DRAWN_ELEMENTS => svg::MAX_DRAWN_ELEMENTS,
        MAX_PAGE => page::MAX_PAGE, MAX_AREAS => seat_map::MAX_HALL_AREAS, MAX_SALES => list::MAX_SALES,
        MAX_OWN_HOLDS => hold::MAX_OWN_HOLDS, MAX_SOLD_SEATS => selling::MAX_SOLD_SEATS,
        MAX_LISTED_NOTICES => notice::MAX_LISTED, MAX_GATES => gate::MAX_GATES, MAX_SCANS => admission::MAX_SCANS,
        MAX_QUERY => search::MAX_QUERY, FILTERS => managed_page_request::FILTERS, TICKETING => search::Ticketing::NAMES,
        SORTS => search::Sort::NAMES,
    };
    document["components"]["schemas"] = schemas;
    merge(&mut document, &parse(&render(include_str!("document.json.jinja"), &context)));
    document
}

/// Writes the reference of a document.
///
/// # Panics
///
/// Panics if an example is invalid.
#[must_use]
pub fn reference(document: &Value) -> String {
    let in_order = |json: &str| serde_json::from_str::<minijinja::Value>(json).expect("JSON");
    let invalid = failures::bodies().into_iter().find(|(code, _)| *code == C_001).map(|(_, json)| in_order(&json));
    let codes = FailureCode::ALL.iter().map(|code| (code.name, code.status.as_str(), code.meaning));
    let context = context! {
        document, invalid, codes_of_failures => codes.collect::<Vec<_>>(), examples => in_order(&examples()), COMMON_FAILURES,
    };
    render(include_str!("api.md.jinja"), &context)
}

/// Adds to an operation what it declares, and what all operations have.
fn describe(operation: &mut Value, declaration: &Declaration, examples: &Value) {
    let Declaration { slug, path, caller, negotiates_encoding, .. } = declaration;
    operation["tags"] = json!([slug.split('-').next()]);
    operation["security"] = match caller {
        CallerKind::Anyone | CallerKind::Client => json!([]),
        CallerKind::Member => json!([{ "member": [] }]),
        CallerKind::Gate => json!([{ "gate": [] }]),
        // Without manager verification, no token is needed.
        CallerKind::Manager => json!([{}, { "manager": [] }]),
    };
    let own = parameters(operation);
    let has = |name: &str| own.iter().any(|parameter| parameter == name);
    let (is_conditional, is_change, is_paged) = (has("If-None-Match"), has("If-Match"), has("cursor"));
    let in_path = path.split(['{', '}']).skip(1).step_by(2).map(str::to_owned);
    operation["parameters"] = in_path.chain(own).map(|name| reference_to("parameters", &name)).collect();
    if let Some(body) = operation.get_mut("requestBody") {
        // A cancellation of an event may have no notice, so its body may be empty.
        body["required"] = json!(*slug != "events-cancel");
    }
    for (status, response) in fields(operation, "responses") {
        for (media_type, content) in fields(response, "content") {
            content["example"] = examples.get(media_type).unwrap_or(&examples["response"]).clone();
            let has_data = content["schema"] != reference_to("schemas", "Accepted");
            if media_type == json::MEDIA_TYPE && path.starts_with("/api/") && has_data {
                let data = json!({ "properties": { "data": content["schema"] } });
                content["schema"] = json!({ "allOf": [reference_to("schemas", "Success"), data] });
            }
        }
        let headers = [
            ("Location", status == "201"),
            ("ETag", is_conditional || is_change),
            ("Link", is_paged),
            ("Content-Encoding", *negotiates_encoding),
        ];
        let derived = headers.into_iter().filter(|(_, applies)| *applies).map(|(name, _)| name.to_owned());
        let own: Vec<_> = fields(response, "headers").map(|(name, _)| name.clone()).collect();
        let names = COMMON_HEADERS.into_iter().map(str::to_owned).chain(derived).chain(own);
        response["headers"] = names.map(|name| (name.clone(), reference_to("headers", &name))).collect();
    }
    if is_conditional {
        operation["responses"]["304"] = reference_to("responses", "NotModified");
    }
}

/// Returns the names of the headers and query parameters of an operation.
fn parameters(operation: &Value) -> Vec<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned)).collect()
}

/// Completes the names of schemas to references.
fn normalize_references(value: &mut Value) {
    if let Some(name) = value["$ref"].as_str().filter(|name| !name.starts_with('#')) {
        *value = reference_to("schemas", name);
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(normalize_references),
        Value::Array(items) => items.iter_mut().for_each(normalize_references),
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
}
