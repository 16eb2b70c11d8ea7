//! Schemas of requests and responses, field by field.

use api::{fields::Errors, status};
use domain::{
    event::{MAX_SHOWS, Status},
    password,
};
use seating::seat_map::{MAX_AREAS, MAX_SEATS};
use serde_json::{Map, Value, json};

use crate::{examples, values};

/// Rule of arrays in responses.
const IN_ORDER: &str = "In the order of the request.";

const MEMBER: [&str; 4] = ["id", "name", "nickname", "email"];
const SUMMARY: [&str; 9] = [
    "id",
    "title",
    "description",
    "place",
    "thumbnail",
    "artist",
    "eventDatetimes",
    "eventOpenTime",
    "ticketingOpenTime",
];

/// Returns the referenced schemas by name.
pub fn components() -> Value {
    let mut login = request("Body of a login.", &["email", "password"]);
    login["properties"]["password"] = values::password(password::MAX_CHARS_AT_LOGIN);
    let mut edit_member = request("Body of an edit of a member.", &["password", "name", "nickname", "newPassword"]);
    edit_member["required"] = json!(["password"]);
    edit_member["properties"]["password"] = values::password(password::MAX_CHARS_AT_LOGIN);
    let mut withdraw = request("Body of a withdrawal.", &["password"]);
    withdraw["properties"]["password"] = values::password(password::MAX_CHARS_AT_LOGIN);
    let create = ["title", "description", "place", "artist", "eventOpenTime", "ticketingOpenTime", "totalMap"];
    let create = [&create[..], &["areas", "eventDatetimes"]].concat();
    let mut create = request("Event to register, as a JSON object.", &create);
    create["examples"] = json!([examples::create_request()]);
    let edit = ["title", "description", "place", "artist", "eventOpenTime", "ticketingOpenTime", "eventDatetimes"];
    let mut edit = request(
        "Fields to change, as a JSON object. `id`, `thumbnail`, `totalMap` and `areas` cannot be changed.",
        &edit,
    );
    edit["required"] = json!([]);
    let detail = [&SUMMARY[..], &["totalMap", "areas"]].concat();
    let managed = [&SUMMARY[..], &["status", "registeredAt", "restorableUntil"]].concat();
    let mut managed = response("Event of a manager, with its status.", &managed);
    // The last field is only in deleted events.
    managed["required"].as_array_mut().and_then(Vec::pop);
    json!({
        "JoinRequest": request("Body of a registration.", &["email", "name", "nickname", "password"]),
        "LoginRequest": login,
        "EditMemberRequest": edit_member,
        "WithdrawRequest": withdraw,
        "CreateRequest": create,
        "EditRequest": edit,
        "AreaRequest": request("", &["label", "price", "areaMap", "seats"]),
        "SeatRequest": request("", &["cx", "cy", "row", "number"]),
        "Joined": response("Member, as a registration returns it.", &MEMBER),
        "LoggedIn": response("Member, as a login and an edit return it.", &MEMBER),
        "EventSummary": response("Event without its seats and drawings.", &SUMMARY),
        "ManagedEvent": managed,
        "Show": response("", &["id", "datetime"]),
        "EventDetail": response("Event with its seats and drawings.", &detail),
        "AreaDetail": response("", &["id", "eventId", "label", "price", "areaMap", "seats"]),
        "SeatDetail": response("", &["id", "areaId", "cx", "cy", "row", "number"]),
        "FieldReason": response("", &["field", "value", "reason"]),
        "Failure": response("Body of a failure.", &["message", "code"]),
        "FieldFailure": response("Body of a failure with `C_001` or `C_003`.", &["message", "code", "errors"]),
    })
}

/// Builds a reference to a schema.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Builds the schema of a success with data.
pub fn success(data: &Value) -> Value {
    let mut schema = response("", &["message", "code", "data"]);
    schema["properties"]["code"]["enum"] = json!([status::SUCCESS]);
    schema["properties"]["data"] = data.clone();
    schema
}

/// Builds the schema of a failure with one of these codes, with or without `errors`.
pub fn failure(codes: &[&str], errors: bool) -> Value {
    let name = if errors { "FieldFailure" } else { "Failure" };
    json!({ "allOf": [reference(name), { "properties": { "code": { "enum": codes } } }] })
}

/// Returns the meaning and the schema of a field; they are the same in every object.
fn field(name: &str, in_request: bool) -> (&'static str, Value) {
    let text = || json!({ "type": "string" });
    let time = || if in_request { values::instant() } else { values::time() };
    match name {
        "areaId" => ("Id of the area.", values::id()),
        "areaMap" => ("Drawing of the area.", values::drawing()),
        "areas" if in_request => ("Seating areas.", array("AreaRequest", 1, MAX_AREAS, "The labels must be distinct.")),
        "areas" => ("Seating areas.", array("AreaDetail", 1, MAX_AREAS, IN_ORDER)),
        "artist" => ("Performer.", values::line(100)),
        "code" => ("Stable code of the result, for programs.", text()),
        "cx" => ("Horizontal position of the seat in the coordinates of `totalMap`.", values::coordinate()),
        "cy" => ("Vertical position of the seat in the coordinates of `totalMap`.", values::coordinate()),
        "datetime" => ("Date and time of the show.", values::time()),
        "description" => ("Text about the event.", values::paragraph(5_000)),
        "email" => ("E-mail address.", values::email()),
        "errors" => (
            "Invalid fields, query parameters or headers. Only with `C_001` and `C_003`; with `C_003` it may be missing.",
            array("FieldReason", 1, Errors::MAX, ""),
        ),
        "eventDatetimes" if in_request => ("Dates and times of the shows.", values::shows()),
        "eventDatetimes" => ("Dates and times of the shows.", array("Show", 1, MAX_SHOWS, IN_ORDER)),
        "eventId" => ("Id of the event.", values::id()),
        "eventOpenTime" => {
            ("Time when the event opens. The service stores and returns it, and does not use it.", time())
        }
        "field" => ("Path of the field, such as `areas[0].seats[3].row`.", text()),
        "id" => ("Id, assigned by the service.", values::id()),
        "label" => ("Name of the area.", values::line(50)),
        "message" => ("Result, as a Korean sentence.", text()),
        "name" => ("Name of the member.", values::line(20)),
        "newPassword" => ("New password.", values::password(password::MAX_CHARS)),
        "nickname" => ("Nickname of the member.", values::nickname()),
        "number" => ("Number of the seat in its row.", values::position()),
        "password" => ("", values::password(password::MAX_CHARS)),
        "place" => ("Venue.", values::line(100)),
        "price" => ("Price of a seat in the area.", values::price()),
        "reason" => ("Rule that the value violates, as a Korean sentence.", text()),
        "registeredAt" => ("Time of the registration.", values::time()),
        "restorableUntil" => {
            ("Only if the event is deleted: time from which it can no longer be restored.", values::time())
        }
        "row" => ("Row of the seat.", values::position()),
        "seats" if in_request => ("Seats of the area.", array("SeatRequest", 0, MAX_SEATS, &values::seats_rule())),
        "seats" => ("Seats of the area.", array("SeatDetail", 0, MAX_SEATS, IN_ORDER)),
        "status" => {
            ("Status of the event.", json!({ "type": "string", "enum": [Status::Live.name(), Status::Deleted.name()] }))
        }
        "thumbnail" => ("", values::thumbnail()),
        "ticketingOpenTime" => ("Time when ticketing opens.", time()),
        "title" => ("Title of the event.", values::line(100)),
        "totalMap" => ("Drawing of the whole hall.", values::drawing()),
        "value" => (
            "Value as sent: a string unchanged, anything else as compact JSON. Empty if the value is missing or null.",
            json!({ "type": "string", "maxLength": Errors::MAX_ECHO }),
        ),
        // The operation defines the schema of `data`.
        _ => ("", Value::Null),
    }
}

fn array(items: &str, min: usize, max: usize, description: &str) -> Value {
    let mut schema = json!({ "type": "array", "items": reference(items), "maxItems": max });
    if min > 0 {
        schema["minItems"] = json!(min);
    }
    described(schema, description)
}

/// Builds the schema of an object that requires these fields and ignores others.
fn request(description: &str, fields: &[&str]) -> Value {
    object(description, fields, true)
}

/// Builds the schema of an object with exactly these fields.
fn response(description: &str, fields: &[&str]) -> Value {
    let mut schema = object(description, fields, false);
    schema["additionalProperties"] = json!(false);
    schema
}

fn object(description: &str, fields: &[&str], in_request: bool) -> Value {
    let property = |name: &&str| {
        let (meaning, schema) = field(name, in_request);
        ((*name).to_owned(), described(schema, meaning))
    };
    let properties: Map<_, _> = fields.iter().map(property).collect();
    described(json!({ "type": "object", "required": fields, "properties": properties }), description)
}

/// Prepends a text to the description of a schema.
fn described(mut schema: Value, text: &str) -> Value {
    if !text.is_empty() {
        let rules = schema["description"].as_str().unwrap_or_default();
        schema["description"] = json!(format!("{text} {rules}").trim_end());
    }
    schema
}
