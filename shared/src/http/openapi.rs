//! The interface as an `OpenAPI` 3.1 document.
//!
//! The schemas are derived from the types that requests are read into and answers written
//! from, the limits are the domain's, and the examples are what the service makes of the
//! requests beside them. `openapi.json` at the top of the repository is a copy.

mod answers;
mod examples;
mod operations;
mod schemas;
pub(super) mod values;

use serde_json::{Value, json};

/// The document, whose paths are relative to the given base URL.
#[must_use]
pub fn document(base_url: &str) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Member and Event Service",
            "version": "1.0.0",
            "summary": "Members register and log in; managers register performances; anyone lists and opens them.",
            "description": DESCRIPTION,
            "license": { "name": "Apache License 2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": base_url }],
        "tags": [
            { "name": "members", "description": "Who buys tickets." },
            { "name": "events", "description": "What tickets are sold for." },
        ],
        "paths": operations::paths(),
        "components": {
            "schemas": schemas::components(),
            "headers": answers::headers(),
            "securitySchemes": operations::security_schemes(),
        },
    })
}

const DESCRIPTION: &str = "\
Every answer is an envelope: `{message, code, data}`, or `{message, code}` with `errors` where fields are \
wrong. `code` is `\"0\"` on success. Messages are in Korean; programs should look at `code`.

A login gives no token. Whether managers are verified is a choice of each deployment: where they are not, the \
id of a manager is taken as it comes, and anyone may delete an event; where they are, both need a bearer \
token, and a manager deletes their own events alone.

Fields that are not named here are ignored in requests, and never answered.";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The codes that some answer of the document has.
    fn documented() -> BTreeSet<String> {
        fn collect(value: &Value, codes: &mut BTreeSet<String>) {
            if let Some(allowed) = value.pointer("/properties/code/enum").and_then(Value::as_array) {
                codes.extend(allowed.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            match value {
                Value::Object(fields) => fields.values().for_each(|value| collect(value, codes)),
                Value::Array(items) => items.iter().for_each(|value| collect(value, codes)),
                _ => {}
            }
        }
        let mut codes = BTreeSet::new();
        collect(&document("/")["paths"], &mut codes);
        codes
    }

    #[test]
    fn every_code_is_documented() {
        let table = include_str!("status.rs");
        let quoted = table.split('"').skip(1).step_by(2);
        let codes: BTreeSet<_> = quoted.filter(|text| *text == "0" || text.contains('_')).collect();
        assert!(codes.len() > 15, "{codes:?}");
        let documented = documented();
        for code in codes {
            assert!(documented.contains(code), "{code} in no answer of the document");
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn check(value: &Value, document: &Value) {
            if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
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
