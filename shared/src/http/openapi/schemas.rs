//! The schemas that operations refer to, derived from the types on the wire.

use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::examples;
use crate::http::{
    envelope::{Envelope, FieldReason},
    event::{
        AreaDetail, AreaRequest, CreateRequest, EventDetail, EventSummary, HallDetail, SeatDetail,
        SeatRequest, Show,
    },
    fields::Errors,
    member::{JoinRequest, Joined, LoggedIn, LoginRequest},
    status,
};

/// Every schema, by its name.
pub fn components() -> Value {
    let mut all = Map::new();
    for (name, schema) in [
        named::<JoinRequest>(),
        named::<LoginRequest>(),
        (CreateRequest::name().into_owned(), create_request()),
        named::<AreaRequest>(),
        named::<SeatRequest>(),
        sealed::<Joined>(),
        sealed::<LoggedIn>(),
        sealed::<EventSummary>(),
        sealed::<Show>(),
        (EventDetail::name().into_owned(), seal(event_detail())),
        sealed::<AreaDetail>(),
        sealed::<SeatDetail>(),
        (FieldReason::name().into_owned(), seal(field_reason())),
        ("Failure".to_owned(), envelope(None, &json!({ "type": "string" }), false)),
        ("FieldFailure".to_owned(), envelope(None, &json!({ "type": "string" }), true)),
    ] {
        all.insert(name, schema);
    }
    Value::Object(all)
}

/// A reference to the schema of a type.
pub fn reference<T: ToSchema>() -> Value {
    json!({ "$ref": format!("#/components/schemas/{}", T::name()) })
}

/// The schema of the envelope around some data.
pub fn success(data: &Value) -> Value {
    envelope(Some(data), &json!({ "type": "string", "enum": [status::SUCCESS] }), false)
}

/// The schema of a failure with one of these codes, and `errors` or not.
pub fn failure(codes: &[&str], errors: bool) -> Value {
    let name = if errors { "FieldFailure" } else { "Failure" };
    json!({
        "allOf": [
            { "$ref": format!("#/components/schemas/{name}") },
            { "properties": { "code": { "enum": codes } } },
        ],
    })
}

/// A value of which only its schema is known.
struct Unknown;

impl PartialSchema for Unknown {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::Object::new().into()
    }
}

impl ToSchema for Unknown {}

fn envelope(data: Option<&Value>, code: &Value, errors: bool) -> Value {
    let mut schema = schema::<Envelope<Unknown>>();
    let properties = &mut schema["properties"];
    properties["code"] = code.clone();
    properties["message"]["description"] = json!("What happened, in Korean.");
    properties["errors"] = json!({
        "type": "array",
        "items": reference::<FieldReason>(),
        "minItems": 1,
        "maxItems": Errors::MAX,
    });
    properties["data"] = data.cloned().unwrap_or_default();
    if let Some(properties) = properties.as_object_mut() {
        properties.retain(|name, _| match name.as_str() {
            "data" => data.is_some(),
            "errors" => errors,
            _ => true,
        });
    }
    seal(schema)
}

fn create_request() -> Value {
    let mut schema = schema::<CreateRequest>();
    schema["examples"] = json!([examples::create_request()]);
    schema
}

fn field_reason() -> Value {
    let mut schema = schema::<FieldReason>();
    let properties = &mut schema["properties"];
    properties["field"]["description"] = json!("The path of the field, as in `areas[0].seats[3].row`.");
    properties["value"]["description"] =
        json!("What was sent: a text as it is, anything else as compact JSON.");
    properties["value"]["maxLength"] = json!(Errors::MAX_ECHO);
    properties["reason"]["description"] = json!("The rule that it breaks, in Korean.");
    schema
}

/// All fields that are flattened into an event with its seats, in one object: so that it can be sealed.
fn event_detail() -> Value {
    let mut whole = schema::<EventDetail>();
    let parts = whole["allOf"].take();
    let mut properties = Map::new();
    for part in parts.as_array().into_iter().flatten() {
        let part = [
            (reference::<EventSummary>(), schema::<EventSummary>()),
            (reference::<HallDetail>(), schema::<HallDetail>()),
        ]
        .into_iter()
        .find_map(|(reference, schema)| (part["$ref"] == reference["$ref"]).then_some(schema))
        .unwrap_or_else(|| part.clone());
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
    }
    json!({ "type": "object", "description": whole["description"], "properties": properties })
}

fn named<T: ToSchema>() -> (String, Value) {
    (T::name().into_owned(), schema::<T>())
}

fn sealed<T: ToSchema>() -> (String, Value) {
    (T::name().into_owned(), seal(schema::<T>()))
}

/// What is answered has every field that is named, and no other.
fn seal(mut schema: Value) -> Value {
    let fields = schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned();
    schema["required"] = fields.collect();
    schema["additionalProperties"] = json!(false);
    schema
}

fn schema<T: PartialSchema>() -> Value {
    serde_json::to_value(T::schema()).unwrap_or_default()
}
