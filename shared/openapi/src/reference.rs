//! The reference of the interface in Markdown, generated from its `OpenAPI` document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Code of every success.
const SUCCESS: &str = "0";

/// Writes the reference of the interface that the document describes.
#[must_use]
pub fn markdown(document: &Value) -> String {
    let reference = Reference { document };
    let mut blocks = vec![
        format!("# {}: reference", text(&document["info"]["title"])),
        "<!-- Generated from the OpenAPI document. Do not edit. -->".to_owned(),
        text(&document["info"]["description"]).to_owned(),
        "## Operations".to_owned(),
        reference.index(),
    ];
    for (route, operation) in reference.operations() {
        blocks.extend(reference.operation(&route, operation));
    }
    blocks.extend(["## Response headers".to_owned(), reference.headers()]);
    let failure = &document["components"]["schemas"]["FieldFailure"];
    blocks.extend(["## Codes".to_owned(), reference.codes()]);
    blocks.extend(["### Body of a failure".to_owned(), reference.field_table(failure)]);
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n") + "\n"
}

/// Writes a number with separated thousands.
#[must_use]
pub fn grouped(number: &impl ToString) -> String {
    let number = number.to_string();
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let mut text = String::new();
    for (index, digit) in whole.char_indices() {
        let is_separated = index > 0 && !text.ends_with('-') && (whole.len() - index).is_multiple_of(3);
        text.extend(is_separated.then_some(','));
        text.push(digit);
    }
    if matches!(fraction, "" | "0") { text } else { format!("{text}.{fraction}") }
}

/// Writes a table, or nothing if it has no rows.
#[must_use]
pub fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let escaped =
        |row: Vec<String>| row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    let rows: Vec<_> = rows.map(|row| line(escaped(row))).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = line(columns.iter().map(|&column| column.to_owned()).collect());
    format!("{head}\n|{}\n{}", "---|".repeat(columns.len()), rows.join("\n"))
}

struct Reference<'a> {
    document: &'a Value,
}

impl<'a> Reference<'a> {
    /// Each operation with its method and path.
    fn operations(&self) -> impl Iterator<Item = (String, &'a Value)> + use<'a> {
        entries(&self.document["paths"]).flat_map(|(path, methods)| {
            entries(methods)
                .map(move |(method, operation)| (format!("{} {path}", method.to_uppercase()), operation))
        })
    }

    fn index(&self) -> String {
        let row = |(route, operation): (String, &Value)| {
            let summary = text(&operation["summary"]);
            let anchor = summary.to_lowercase().replace(' ', "-");
            vec![format!("`{route}`"), format!("[{summary}](#{anchor})")]
        };
        table(&["Route", "Operation"], self.operations().map(row))
    }

    fn operation(&self, route: &str, operation: &'a Value) -> Vec<String> {
        let mut blocks = vec![
            format!("### {}", text(&operation["summary"])),
            format!("`{route}`"),
            text(&operation["description"]).to_owned(),
        ];
        let schemes = &self.document["components"]["securitySchemes"];
        let needed = items(&operation["security"]).flat_map(entries).map(|(name, _)| &schemes[name]);
        blocks.extend(needed.map(|scheme| format!("**Authentication:** {}", text(&scheme["description"]))));
        let parameters = table(
            &["Parameter", "In", "Required", "Type and limits", "Meaning"],
            items(&operation["parameters"]).map(|parameter| {
                let schema = &parameter["schema"];
                let meaning = sentences([parameter, schema]);
                let required = if parameter["required"] == true { "yes" } else { "no" };
                let [name, place] = ["name", "in"].map(|key| text(&parameter[key]));
                vec![format!("`{name}`"), place.to_owned(), required.to_owned(), self.limits(schema), meaning]
            }),
        );
        blocks.extend(titled("Parameters", parameters));
        blocks.extend(self.request_body(&operation["requestBody"]));
        blocks.extend(self.responses(&operation["responses"]));
        blocks
    }

    fn request_body(&self, body: &'a Value) -> Vec<String> {
        let mut blocks = Vec::new();
        for (media_type, content) in entries(&body["content"]) {
            blocks.push(format!("**Request body:** `{media_type}`"));
            blocks.push(text(&body["description"]).to_owned());
            let schema = self.resolve(&content["schema"]);
            if content["encoding"].is_null() {
                blocks.push(self.field_table(schema));
                continue;
            }
            let part = |(name, part): (&String, &'a Value)| {
                let media_types = text(&content["encoding"][name]["contentType"]);
                vec![format!("`{name}`"), media_types.to_owned(), self.meaning(part)]
            };
            blocks.push(table(&["Part", "Media type", "Meaning"], entries(&schema["properties"]).map(part)));
            for (name, part) in entries(&schema["properties"]) {
                blocks.extend(titled(&format!("Fields of `{name}`"), self.field_table(part)));
            }
        }
        blocks
    }

    fn field_table(&self, schema: &'a Value) -> String {
        let row = |(path, schema)| vec![format!("`{path}`"), self.limits(schema), self.meaning(schema)];
        table(&["Field", "Type and limits", "Meaning"], self.fields("", schema).into_iter().map(row))
    }

    fn responses(&self, responses: &'a Value) -> Vec<String> {
        let common = self.common_headers();
        let successes = || entries(responses).filter(|(status, _)| status.as_str() < "400");
        let rows = successes().map(|(status, response)| {
            let headers =
                entries(&response["headers"]).map(|(name, _)| name).filter(|name| !common.contains(*name));
            let headers: Vec<_> = headers.map(|name| format!("`{name}`")).collect();
            let media_types: Vec<_> =
                entries(&response["content"]).map(|(name, _)| format!("`{name}`")).collect();
            let body = if media_types.is_empty() { "none".to_owned() } else { media_types.join(", ") };
            vec![status.clone(), body, headers.join(", "), text(&response["description"]).to_owned()]
        });
        let mut blocks = titled("Responses", table(&["Status", "Body", "Headers", "Meaning"], rows));
        for (_, response) in successes() {
            let fields = self.field_table(&response["content"]["application/json"]["schema"]);
            blocks.extend(titled("Fields of the response", fields));
        }
        let failures = returned_codes(responses).filter(|(_, code, _)| *code != SUCCESS);
        let rows = failures
            .map(|(status, code, when)| vec![status.to_owned(), format!("`{code}`"), when.to_owned()]);
        blocks.extend(titled("Failures", table(&["Status", "Code", "When"], rows)));
        blocks
    }

    fn headers(&self) -> String {
        let common = self.common_headers();
        let row = |(name, header): (&String, &'a Value)| {
            let responses = if common.contains(name) { "all" } else { "as listed" };
            let mut row = vec![format!("`{name}`"), responses.to_owned()];
            row.extend([self.limits(&header["schema"]), text(&header["description"]).to_owned()]);
            row
        };
        let rows = entries(&self.document["components"]["headers"]).map(row);
        table(&["Header", "Responses", "Type and limits", "Meaning"], rows)
    }

    /// The headers that every response has.
    fn common_headers(&self) -> BTreeSet<&'a String> {
        let responses = self.operations().flat_map(|(_, operation)| entries(&operation["responses"]));
        let names =
            responses.map(|(_, response)| entries(&response["headers"]).map(|(name, _)| name).collect());
        names.reduce(|common: BTreeSet<_>, names| &common & &names).unwrap_or_default()
    }

    fn codes(&self) -> String {
        let mut codes: BTreeMap<_, (BTreeSet<_>, _)> = BTreeMap::new();
        for (status, code, when) in
            self.operations().flat_map(|(_, operation)| returned_codes(&operation["responses"]))
        {
            codes.entry(code).or_insert((BTreeSet::new(), when)).0.insert(status);
        }
        let rows = codes.into_iter().map(|(code, (statuses, when))| {
            let statuses: Vec<_> = statuses.into_iter().collect();
            vec![format!("`{code}`"), statuses.join(", "), when.to_owned()]
        });
        table(&["Code", "Status", "When"], rows)
    }

    /// Lists the fields of an object and of the objects in it by path, those that hold objects last.
    fn fields(&self, prefix: &str, schema: &'a Value) -> Vec<(String, &'a Value)> {
        let schema = self.resolve(schema);
        let position = |name| items(&schema["required"]).position(|required| text(required) == name);
        let mut fields: Vec<_> = entries(&schema["properties"])
            .map(|(name, property)| {
                let (path, property) = (format!("{prefix}{name}"), self.resolve(property));
                let nested = match &property["items"] {
                    Value::Null => self.fields(&format!("{path}."), property),
                    items => self.fields(&format!("{path}[]."), items),
                };
                (!nested.is_empty(), position(name.as_str()), path, property, nested)
            })
            .collect();
        fields.sort_by_key(|&(has_fields, position, ..)| (has_fields, position));
        let rows = fields.into_iter();
        rows.flat_map(|(_, _, path, property, nested)| [(path, property)].into_iter().chain(nested)).collect()
    }

    /// The type of a value with its limits.
    fn limits(&self, schema: &Value) -> String {
        let schema = self.resolve(schema);
        if schema["oneOf"].is_array() {
            let choices: Vec<_> = items(&schema["oneOf"]).map(|choice| self.limits(choice)).collect();
            return choices.join("; or ");
        }
        let kind = text(&schema["type"]);
        let format = schema["format"].as_str().map(|format| format!(" ({format})")).unwrap_or_default();
        let mut limits = vec![format!("{kind}{format}")];
        limits.extend(items(&schema["enum"]).map(|value| format!("`{}`", text(value))));
        for (min, max, unit) in [
            ("minLength", "maxLength", " characters"),
            ("minItems", "maxItems", " items"),
            ("minimum", "maximum", ""),
        ] {
            limits.extend(match (&schema[min], &schema[max]) {
                (Value::Null, Value::Null) => None,
                (min, Value::Null) => Some(format!("{} or more{unit}", grouped(min))),
                (Value::Null, max) => Some(format!("at most {}{unit}", grouped(max))),
                (min, max) => Some(format!("{} to {}{unit}", grouped(min), grouped(max))),
            });
        }
        for (name, prefix) in
            [("exclusiveMaximum", "below"), ("multipleOf", "a multiple of"), ("default", "by default")]
        {
            limits.extend(schema.get(name).map(|limit| format!("{prefix} {}", grouped(limit))));
        }
        if schema["items"]["oneOf"].is_array() {
            limits.push(format!("each a {}", self.limits(&schema["items"])));
        }
        limits.join(", ")
    }

    /// The description of a value, or of each kind of value that is allowed.
    fn meaning(&self, schema: &Value) -> String {
        let schema = self.resolve(schema);
        let choices = items(&schema["oneOf"]).chain(items(&schema["items"]["oneOf"]));
        sentences(std::iter::once(schema).chain(choices))
    }

    fn resolve<'b>(&self, schema: &'b Value) -> &'b Value
    where
        'a: 'b,
    {
        let reference =
            schema["$ref"].as_str().and_then(|path| self.document.pointer(path.strip_prefix('#')?));
        reference.unwrap_or(schema)
    }
}

/// Each code of an operation, with its status and when it is returned.
fn returned_codes(responses: &Value) -> impl Iterator<Item = (&str, &str, &str)> {
    entries(responses).flat_map(|(status, response)| {
        let success = status.starts_with('2').then_some((status.as_str(), SUCCESS, "The request succeeded."));
        let examples = entries(&response["content"]["application/json"]["examples"]);
        let failures =
            examples.map(|(code, example)| (status.as_str(), code.as_str(), text(&example["summary"])));
        success.into_iter().chain(failures)
    })
}

fn titled(title: &str, table: String) -> Vec<String> {
    if table.is_empty() { Vec::new() } else { vec![format!("**{title}**"), table] }
}

/// Joins the descriptions of values.
fn sentences<'a>(described: impl IntoIterator<Item = &'a Value>) -> String {
    let texts = described.into_iter().map(|value| text(&value["description"]));
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (number, expected) in
            [("100", "100"), ("-100", "-100"), ("-1000000", "-1,000,000"), ("0.01", "0.01")]
        {
            assert_eq!(grouped(&number), expected);
        }
    }
}
