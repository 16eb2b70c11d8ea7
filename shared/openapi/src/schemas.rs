//! Schemas of requests and responses, field by field.

use api::{fields::Errors, status};
use domain::{event::MAX_SHOWS, password};
use seating::seat_map::{MAX_AREAS, MAX_SEATS};
use serde_json::{Map, Value, json};

use crate::{examples, values};

/// Meanings of fields, by name. A field has the same meaning in every schema.
const MEANINGS: [(&str, &str); 27] = [
    ("areaId", "Id of the area."),
    ("areaMap", "Drawing of the area."),
    ("areas", "Seating areas."),
    ("artist", "Performer."),
    ("code", "Result of the request, for programs."),
    ("cx", "Horizontal position of the seat in the coordinates of `totalMap`."),
    ("cy", "Vertical position of the seat in the coordinates of `totalMap`."),
    ("datetime", "Time of the show."),
    ("description", "Text about the event."),
    ("email", "E-mail address."),
    (
        "errors",
        "Invalid fields, query parameters or headers. Only with `C_001` and `C_003`; with `C_003` it may be missing.",
    ),
    ("eventDatetimes", "Show dates."),
    ("eventId", "Id of the event."),
    ("eventOpenTime", "Time when the event opens."),
    ("id", "Id, assigned by the service."),
    ("label", "Name of the area."),
    ("message", "Outcome, as a Korean sentence."),
    ("name", "Name of the member."),
    ("nickname", "Nickname of the member."),
    ("number", "Number of the seat in its row."),
    ("place", "Venue."),
    ("price", "Price of a seat in the area."),
    ("row", "Row of the seat."),
    ("seats", "Seats of the area."),
    ("ticketingOpenTime", "Time when ticketing opens."),
    ("title", "Title of the event."),
    ("totalMap", "Drawing of the whole hall."),
];

/// Returns every schema that others refer to, by its name.
pub fn components() -> Value {
    let mut create_request = object("Event to register, as a JSON object.", create_request());
    create_request["examples"] = json!([examples::create_request()]);
    let detail = event_summary().into_iter().chain(hall()).collect();
    let any_code = || json!({ "type": "string" });
    let errors = array("FieldReason", 1, Errors::MAX, "");
    json!({
        "JoinRequest": object("Body of a registration.", join_request()),
        "LoginRequest": object("Body of a login.", login_request()),
        "CreateRequest": create_request,
        "AreaRequest": object("", area_request()),
        "SeatRequest": object("", seat_request()),
        "Joined": sealed("Member, as a registration returns it.", member()),
        "LoggedIn": sealed("Member, as a login returns it.", member()),
        "EventSummary": sealed("Event without its seats and drawings.", event_summary()),
        "Show": sealed("", vec![("id", values::id()), ("datetime", values::time())]),
        "EventDetail": sealed("Event with its seats and drawings.", detail),
        "AreaDetail": sealed("", area_detail()),
        "SeatDetail": sealed("", seat_detail()),
        "FieldReason": sealed("", field_reason()),
        "Failure": sealed("Body of a failure.", envelope(any_code(), vec![])),
        "FieldFailure": sealed("Body of a failure with `C_001` or `C_003`.", envelope(any_code(), vec![("errors", errors)])),
    })
}

/// Builds a reference to a schema.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Builds the schema of a success with data.
pub fn success(data: &Value) -> Value {
    let code = json!({ "type": "string", "enum": [status::SUCCESS] });
    sealed("", envelope(code, vec![("data", data.clone())]))
}

/// Builds the schema of a failure with one of these codes, and `errors` or not.
pub fn failure(codes: &[&str], errors: bool) -> Value {
    let name = if errors { "FieldFailure" } else { "Failure" };
    json!({ "allOf": [reference(name), { "properties": { "code": { "enum": codes } } }] })
}

type Fields = Vec<(&'static str, Value)>;

fn envelope(code: Value, more: Fields) -> Fields {
    let text = json!({ "type": "string" });
    [("message", text), ("code", code)].into_iter().chain(more).collect()
}

fn join_request() -> Fields {
    vec![
        ("email", values::email()),
        ("name", values::line(20)),
        ("nickname", values::nickname()),
        ("password", values::password(password::MAX_CHARS)),
    ]
}

fn login_request() -> Fields {
    vec![("email", values::email()), ("password", values::password(password::MAX_CHARS_AT_LOGIN))]
}

fn member() -> Fields {
    vec![
        ("id", values::id()),
        ("name", values::line(20)),
        ("nickname", values::nickname()),
        ("email", values::email()),
    ]
}

fn create_request() -> Fields {
    vec![
        ("title", values::line(100)),
        ("description", values::paragraph(5_000)),
        ("place", values::line(100)),
        ("artist", values::line(100)),
        ("eventOpenTime", values::instant()),
        ("ticketingOpenTime", values::instant()),
        ("totalMap", values::drawing()),
        ("areas", array("AreaRequest", 1, MAX_AREAS, "The labels must be distinct.")),
        ("eventDatetimes", values::shows()),
    ]
}

fn area_request() -> Fields {
    vec![
        ("label", values::line(50)),
        ("price", values::price()),
        ("areaMap", values::drawing()),
        ("seats", array("SeatRequest", 0, MAX_SEATS, &values::seats_rule())),
    ]
}

fn seat_request() -> Fields {
    vec![
        ("cx", values::coordinate()),
        ("cy", values::coordinate()),
        ("row", values::position()),
        ("number", values::position()),
    ]
}

fn event_summary() -> Fields {
    vec![
        ("id", values::id()),
        ("title", values::line(100)),
        ("description", values::paragraph(5_000)),
        ("place", values::line(100)),
        ("thumbnail", values::thumbnail()),
        ("artist", values::line(100)),
        ("eventDatetimes", array("Show", 1, MAX_SHOWS, IN_ORDER)),
        ("eventOpenTime", values::time()),
        ("ticketingOpenTime", values::time()),
    ]
}

fn hall() -> Fields {
    vec![("totalMap", values::drawing()), ("areas", array("AreaDetail", 1, MAX_AREAS, IN_ORDER))]
}

fn area_detail() -> Fields {
    vec![
        ("id", values::id()),
        ("eventId", values::id()),
        ("label", values::line(50)),
        ("price", values::price()),
        ("areaMap", values::drawing()),
        ("seats", array("SeatDetail", 0, MAX_SEATS, IN_ORDER)),
    ]
}

fn seat_detail() -> Fields {
    [("id", values::id()), ("areaId", values::id())].into_iter().chain(seat_request()).collect()
}

fn field_reason() -> Fields {
    let value = "Value as sent: a string unchanged, anything else as compact JSON. Empty if the value is missing or null.";
    vec![
        (
            "field",
            json!({ "type": "string", "description": "Path of the field, such as `areas[0].seats[3].row`." }),
        ),
        ("value", json!({ "type": "string", "maxLength": Errors::MAX_ECHO, "description": value })),
        (
            "reason",
            json!({ "type": "string", "description": "Rule that the value breaks, as a Korean sentence." }),
        ),
    ]
}

/// Rule of arrays in responses.
const IN_ORDER: &str = "In the order of the request.";

fn array(items: &str, min: usize, max: usize, description: &str) -> Value {
    let mut schema = json!({ "type": "array", "items": reference(items), "maxItems": max });
    if min > 0 {
        schema["minItems"] = json!(min);
    }
    if !description.is_empty() {
        schema["description"] = json!(description);
    }
    schema
}

/// Builds an object that requires these fields and ignores others.
fn object(description: &str, fields: Fields) -> Value {
    let required: Vec<_> = fields.iter().map(|(name, _)| *name).collect();
    let properties: Map<_, _> =
        fields.into_iter().map(|(name, schema)| (name.to_owned(), explained(name, schema))).collect();
    let mut schema = json!({ "type": "object", "required": required, "properties": properties });
    if !description.is_empty() {
        schema["description"] = json!(description);
    }
    schema
}

/// Builds an object that has these fields and no others, as responses do.
fn sealed(description: &str, fields: Fields) -> Value {
    let mut schema = object(description, fields);
    schema["additionalProperties"] = json!(false);
    schema
}

/// Adds the meaning of a field to its description.
fn explained(name: &str, mut schema: Value) -> Value {
    let meaning = MEANINGS.iter().find_map(|(field, meaning)| (*field == name).then_some(*meaning));
    if let Some(meaning) = meaning.filter(|_| schema["$ref"].is_null()) {
        let rules = schema["description"].as_str().unwrap_or_default();
        schema["description"] = json!(format!("{meaning} {rules}").trim_end());
    }
    schema
}
