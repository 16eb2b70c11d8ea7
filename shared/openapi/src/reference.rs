//! Reference of the interface in Markdown, generated from the `OpenAPI` document.

use std::collections::BTreeMap;

use domain::decimal::grouped;
use serde_json::Value;

use crate::responses::COMMON;

/// Schema keywords that limit a value, with their notation in tables.
const LIMITS: [(&str, &str); 9] = [
    ("minLength", "length ≥"),
    ("maxLength", "length ≤"),
    ("minItems", "items ≥"),
    ("maxItems", "items ≤"),
    ("minimum", "≥"),
    ("maximum", "≤"),
    ("exclusiveMaximum", "<"),
    ("multipleOf", "multiple of"),
    ("default", "default"),
];

/// Writes the reference of a document.
#[must_use]
pub fn markdown(document: &Value) -> String {
    let [info, components] = ["info", "components"].map(|part| &document[part]);
    let operations: Vec<_> = entries(&document["paths"])
        .flat_map(|(path, methods)| entries(methods).map(move |(method, operation)| (method, path, operation)))
        .map(|(method, path, operation)| (format!("`{} {path}`", method.to_uppercase()), operation))
        .collect();
    let index = operations.iter().map(|(route, operation)| [route.clone(), link(text(operation, "summary"))]);
    let mut blocks = vec![
        format!("# {}: reference", text(info, "title")),
        "<!-- Generated from the OpenAPI document. Do not edit. -->".to_owned(),
        "[api-guide.md](api-guide.md) explains the interface. [front-end.md](front-end.md) is for web pages."
            .to_owned(),
        text(info, "description").to_owned(),
        "## Operations".to_owned(),
        table(["Route", "Operation"], index),
    ];
    for (route, operation) in &operations {
        blocks.extend([format!("### {}", text(operation, "summary")), route.clone()]);
        blocks.extend(describe(operation, components));
    }
    blocks.push("## Objects".to_owned());
    for (name, schema) in entries(&components["schemas"]) {
        blocks.extend([format!("### {name}"), text(schema, "description").to_owned(), fields(schema)]);
    }
    let headers = entries(&components["headers"])
        .map(|(name, header)| [format!("`{name}`"), kind(&header["schema"]), text(header, "description").to_owned()]);
    blocks.extend(["## Response headers".to_owned(), table(["Header", "Type and limits", "Meaning"], headers)]);
    let responses = operations.iter().flat_map(|(_, operation)| entries(&operation["responses"]));
    let codes: BTreeMap<_, _> = responses
        .flat_map(|(status, response)| examples(response).map(move |(code, example)| (code, (status, example))))
        .map(|(code, (status, example))| {
            (code, [format!("`{code}`"), status.clone(), text(example, "summary").to_owned()])
        })
        .collect();
    blocks.extend(["## Codes".to_owned(), table(["Code", "Status", "Meaning"], codes.into_values())]);
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n") + "\n"
}

/// Describes an operation: its authentication, parameters, body and responses.
fn describe(operation: &Value, components: &Value) -> Vec<String> {
    let mut blocks = vec![text(operation, "description").to_owned()];
    let schemes = items(&operation["security"]).flat_map(entries);
    blocks.extend(
        schemes.map(|(name, _)| {
            format!("**Authentication:** {}", text(&components["securitySchemes"][name], "description"))
        }),
    );
    let parameters = items(&operation["parameters"]).map(|parameter| {
        let required = if parameter["required"] == true { "yes" } else { "no" };
        let [name, place, meaning] = ["name", "in", "description"].map(|key| text(parameter, key));
        let name = format!("`{name}`");
        [name, place.to_owned(), required.to_owned(), kind(&parameter["schema"]), meaning.to_owned()]
    });
    blocks.push(table(["Parameter", "In", "Required", "Type and limits", "Meaning"], parameters));
    let body = &operation["requestBody"];
    for (media_type, content) in entries(&body["content"]) {
        let schema = &content["schema"];
        blocks.push(format!("**Request body:** `{media_type}`, {}", kind(schema)));
        blocks.extend([text(body, "description").to_owned(), fields(schema)]);
    }
    let responses = entries(&operation["responses"]).map(|(status, response)| {
        let headers = entries(&response["headers"]).map(|(name, _)| &**name);
        let headers: Vec<_> = headers.filter(|name| !COMMON.contains(name)).map(|name| format!("`{name}`")).collect();
        let body =
            entries(&response["content"]).map(|(media_type, content)| match &content["schema"]["properties"]["data"] {
                Value::Null if content["example"].is_null() => link("Failure"),
                Value::Null => format!("`{media_type}`"),
                data => format!("`data`: {}", kind(data)),
            });
        [status.clone(), body.collect(), headers.join(", "), text(response, "description").to_owned()]
    });
    blocks.push(table(["Status", "Body", "Headers", "Meaning"], responses));
    blocks
}

/// Lists the fields of a schema.
fn fields(schema: &Value) -> String {
    let required: Vec<_> = items(&schema["required"]).filter_map(Value::as_str).collect();
    let optional =
        entries(&schema["properties"]).map(|(name, _)| name.as_str()).filter(|name| !required.contains(name));
    let rows = required.iter().copied().chain(optional).map(|name| {
        let field = &schema["properties"][name];
        [format!("`{name}`"), kind(field), text(field, "description").to_owned()]
    });
    table(["Field", "Type and limits", "Meaning"], rows)
}

/// Names the type of a value with its limits.
fn kind(schema: &Value) -> String {
    if let Some((_, name)) = text(schema, "$ref").rsplit_once('/') {
        return link(name);
    }
    if schema["oneOf"].is_array() {
        return items(&schema["oneOf"]).map(kind).collect::<Vec<_>>().join("; or ");
    }
    let items = schema.get("items").map(|items| format!(" of {}", kind(items)));
    let format = schema.get("format").map(|_| format!(" ({})", text(schema, "format")));
    let limits = LIMITS.iter().filter_map(|(name, sign)| Some((sign, schema.get(name)?)));
    let limits = limits.map(|(sign, limit)| match limit.as_str() {
        Some(text) => format!(", {sign} `{text}`"),
        None => format!(", {sign} {}", grouped(limit)),
    });
    let values: Vec<_> =
        self::items(&schema["enum"]).filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
    let values = (!values.is_empty()).then(|| format!(", one of {}", values.join(", ")));
    [text(schema, "type").to_owned()].into_iter().chain(items).chain(format).chain(values).chain(limits).collect()
}

/// Writes a link to the heading with this title.
fn link(title: &str) -> String {
    format!("[{title}](#{})", title.to_lowercase().replace('\'', "").replace(' ', "-"))
}

/// Writes a table, or nothing if it has no rows.
fn table<const N: usize>(columns: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: [String; N]| format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
    let rows: Vec<_> = rows.into_iter().map(line).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("{}\n|{}\n{}", line(columns.map(str::to_owned)), "---|".repeat(N), rows.join("\n"))
}

/// Returns the example failures of a response by code.
fn examples(response: &Value) -> impl Iterator<Item = (&String, &Value)> {
    entries(&response["content"]["application/json"]["examples"])
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
