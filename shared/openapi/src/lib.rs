//! The interface as an `OpenAPI` 3.1 document.
//!
//! `schemas.rs` lists the fields of requests and responses; tests compare them with the fields that the
//! code reads and writes. Limits are constants of the domain, and examples are responses of the code.
//! `cargo run -p openapi` writes the document to `openapi.json` and its reference to `docs/api.md`.

mod examples;
mod operations;
pub mod reference;
mod responses;
mod schemas;
mod values;

use serde_json::{Value, json};

use api::{envelope::MAX_RESPONSE, gzip::MAX_INFLATED, multipart, request::MAX_BODY};
use domain::{decimal::grouped, poster};
use seating::{seat_map::MAX_DRAWING_BYTES, svg};

/// Builds the document; its paths are relative to the base URL.
#[must_use]
pub fn document(base_url: &str) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Member and Event Service",
            "version": "1.0.0",
            "summary": "Members register and log in. Managers register events. Anyone lists and reads events.",
            "description": description(),
            "license": { "name": "Apache License 2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": base_url }],
        "tags": [
            { "name": "members", "description": "People who buy tickets." },
            { "name": "events", "description": "Performances for which tickets are sold." },
            { "name": "managers", "description": "People who register events." },
        ],
        "paths": operations::paths(),
        "components": {
            "schemas": schemas::components(),
            "headers": responses::headers(),
            "securitySchemes": operations::security_schemes(),
        },
    })
}

/// Describes the rules that all operations share.
fn description() -> String {
    let text = format!(
        include_str!("description.md"),
        body = grouped(MAX_BODY),
        inflated = grouped(MAX_INFLATED),
        poster = grouped(poster::MAX_BYTES),
        side = grouped(poster::MAX_SIDE),
        pixels = grouped(poster::MAX_PIXELS),
        parts = multipart::MAX_PARTS,
        part_headers = grouped(multipart::MAX_HEADERS),
        drawings = grouped(MAX_DRAWING_BYTES),
        drawn = grouped(svg::MAX_DRAWN_ELEMENTS),
        response = grouped(MAX_RESPONSE),
    );
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use api::{
        account::{EditRequest, LoginRequest, WithdrawRequest},
        error::Error,
        join::JoinRequest,
        json,
        registration::{CreateRequest, Draft},
    };
    use domain::{member::Credentials, password::Password};
    use serde_json::Map;

    use super::*;

    /// Returns the codes of all responses in the document.
    fn documented_codes() -> BTreeSet<String> {
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
        let table = include_str!("../../api/src/status.rs");
        let quoted = table.split('"').skip(1).step_by(2);
        let codes: BTreeSet<_> = quoted.filter(|text| *text == "0" || text.contains('_')).collect();
        assert!(codes.len() > 15, "{codes:?}");
        let documented = documented_codes();
        for code in codes {
            assert!(documented.contains(code), "{code} is not documented");
        }
    }

    #[test]
    fn every_reference_resolves() {
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

    /// Returns the names of the properties of a schema.
    fn properties(name: &str) -> BTreeSet<String> {
        let schemas = schemas::components();
        schemas[name]["properties"].as_object().unwrap().keys().cloned().collect()
    }

    /// Returns the fields that are reported as required if they are missing.
    fn required<T>(
        example: &Value,
        at: &str,
        parse: impl Fn(&Value) -> Result<T, api::error::Error>,
    ) -> BTreeSet<String> {
        let names = example.pointer(at).unwrap().as_object().unwrap().keys();
        names
            .filter(|name| {
                let mut without = example.clone();
                without.pointer_mut(at).unwrap().as_object_mut().unwrap().remove(*name);
                matches!(parse(&without), Err(api::error::Error::Fields(errors)) if errors[0].field.ends_with(*name))
            })
            .cloned()
            .collect()
    }

    fn read<'a, T: serde::Deserialize<'a>>(text: &'a str) -> T {
        api::json::object(text.as_bytes()).unwrap()
    }

    #[test]
    fn request_schemas_match_code() {
        let join = required(&examples::join_request(), "", |json| {
            read::<JoinRequest>(&json.to_string()).registration(Password::parse)
        });
        assert_eq!(join, properties("JoinRequest"));
        let login = required(&examples::login_request(), "", |json| {
            Credentials::try_from(read::<LoginRequest>(&json.to_string()))
        });
        assert_eq!(login, properties("LoginRequest"));
        let edit = |fields: Value| {
            let request = fields.to_string();
            json::object::<EditRequest>(request.as_bytes()).unwrap().edit(Password::parse)
        };
        let fields: Map<_, _> = properties("EditMemberRequest").into_iter().map(|name| (name, Value::Null)).collect();
        let Err(Error::Fields(errors)) = edit(fields.clone().into()) else { panic!("every null is required") };
        assert_eq!(errors.len(), fields.len());
        assert_eq!(
            required(&examples::edit_member_request(), "", |json| edit(json.clone())),
            ["password".into()].into()
        );
        let withdraw = required(&examples::withdraw_request(), "", |json| {
            Password::try_from(read::<WithdrawRequest>(&json.to_string()))
        });
        assert_eq!(withdraw, properties("WithdrawRequest"));
        let nulls = properties("EditRequest").into_iter().map(|name| (name, Value::Null)).collect();
        let edit = Value::Object(nulls).to_string();
        let Err(Error::Fields(errors)) = api::edit::change(&read(&edit)) else { panic!("nulls are valid") };
        assert!(errors.iter().all(|error| error.violation == domain::violation::Violation::Required));
        assert_eq!(errors.into_iter().map(|error| error.field).collect::<BTreeSet<_>>(), properties("EditRequest"));
        for (at, schema) in [("", "CreateRequest"), ("/areas/0", "AreaRequest"), ("/areas/0/seats/0", "SeatRequest")] {
            let create = required(&examples::create_request(), at, |json| {
                Draft::try_from(read::<CreateRequest>(&json.to_string()))
            });
            assert_eq!(create, properties(schema), "{schema}");
        }
    }

    #[test]
    fn response_schemas_match_code() {
        let fields = |example: &Value, at: &str| -> BTreeSet<String> {
            example["data"].pointer(at).unwrap().as_object().unwrap().keys().cloned().collect()
        };
        for (example, at, schema) in [
            (examples::join_response(), "", "Joined"),
            (examples::login_response(), "", "LoggedIn"),
            (examples::edit_member_response(), "", "LoggedIn"),
            (examples::get_response(), "", "EventSummary"),
            (examples::own_events_response(), "/1", "ManagedEvent"),
            (examples::create_response(), "", "EventDetail"),
            (examples::create_response(), "/eventDatetimes/0", "Show"),
            (examples::create_response(), "/areas/0", "AreaDetail"),
            (examples::create_response(), "/areas/0/seats/0", "SeatDetail"),
        ] {
            assert_eq!(fields(&example, at), properties(schema), "{schema}");
        }
    }
}
