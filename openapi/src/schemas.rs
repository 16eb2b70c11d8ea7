//! Schemas of the objects and values in requests and responses.

use api::fields;
use domain::poster::Poster;
use functions::{
    admissions::{
        counts::Counts,
        remove::{RemovalRequest, RemovedResponse},
        scan_request::AdmissionRequest,
        scan_result::ScanResult,
    },
    auth::{
        configuration::Document,
        keys::KeySet,
        links::{ForgotRequest, ResetRequest, VerifyRequest},
        tokens::{RefreshRequest, TokenResponse},
    },
    events::{
        areas::ListedArea,
        cancel::CancelEventRequest,
        copy_request::CopyRequest,
        edit_request::EditEventRequest,
        event_response::{EventDetail, EventSummary, ManagedEvent},
        registration::CreateRequest,
    },
    gates::gate::{GateOfShow, GateRequest, GateResponse, NewGateResponse},
    holds::{
        cancel::CancellationRequest,
        confirm::ConfirmationRequest,
        hold::{HoldResponse, OwnHold},
        hold_request::HoldRequest,
    },
    members::{
        account::{EditMemberRequest, JoinRequest, LoginRequest, MemberResponse, ProfileResponse, WithdrawRequest},
        nickname::{NicknameRequest, NicknameResponse},
    },
    notices::notice::{AcceptedNotice, MessageRequest, NoticeResponse},
    sales::{
        count::Summary,
        sale::{SaleRequest, SaleResponse},
    },
    seats::{
        block::BlockedResponse,
        block_request::{BlockRequest, UnblockRequest},
        blocks::BlocksResponse,
        seat_state::{Availability, ListedSeat},
        unblock::FreedResponse,
    },
    shows::edit::EditShowRequest,
    tickets::ticket::TicketResponse,
};
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::merge;

/// Objects that operations name; those within them are found.
type Requests<'a> = (
    (JoinRequest<'a>, LoginRequest<'a>, EditMemberRequest<'a>, WithdrawRequest<'a>, NicknameRequest<'a>),
    (ForgotRequest<'a>, ResetRequest<'a>, VerifyRequest<'a>, RefreshRequest<'a>),
    (CreateRequest<'a>, EditEventRequest<'a>, CopyRequest<'a>, CancelEventRequest<'a>, EditShowRequest<'a>),
    (
        HoldRequest<'a>,
        BlockRequest<'a>,
        UnblockRequest<'a>,
        ConfirmationRequest<'a>,
        CancellationRequest<'a>,
        SaleRequest<'a>,
    ),
    (GateRequest<'a>, AdmissionRequest<'a>, RemovalRequest<'a>, MessageRequest<'a>),
);
type Responses<'a> = (
    (MemberResponse<'a>, ProfileResponse<'a>, NicknameResponse<'a>, TokenResponse, KeySet, Document<'a>),
    (
        EventSummary<'a>,
        EventDetail<'a>,
        ListedArea<'a>,
        ManagedEvent<EventSummary<'a>>,
        ManagedEvent<EventDetail<'a>>,
        Poster,
    ),
    (HoldResponse<'a>, OwnHold<'a>, SaleResponse<'a>, Summary<'a>, BlockedResponse, BlocksResponse<'a>, FreedResponse),
    (Availability, ListedSeat<'a>, AcceptedNotice, NoticeResponse<'a>),
    (
        TicketResponse<'a>,
        NewGateResponse<'a>,
        GateResponse<'a>,
        GateOfShow<'a>,
        ScanResult<'a>,
        RemovedResponse,
        Counts<'a>,
    ),
);

/// Returns the schemas of all objects and values, by name.
pub(crate) fn schemas() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.contract = Contract::Serialize;
    });
    let mut generator = settings.into_generator();
    generator.subschema_for::<(Requests, Responses)>();
    let mut schemas = generator.take_definitions(true);
    schemas.values_mut().for_each(normalize);
    inherit_descriptions(&mut schemas);
    schemas.into()
}

/// Removes optional fields from the required ones, null from those of responses, which are missing instead, and sizes
/// of integers, which JSON does not have.
fn normalize(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            if let Some(Value::String(text)) = keywords.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            if keywords.get("type").is_some_and(|name| name == "integer") {
                keywords.remove("format");
            }
            keywords.values_mut().for_each(normalize);
        }
        Value::Array(items) => items.iter_mut().for_each(normalize),
        _ => {}
    }
    let Some(mut properties) = schema.get_mut("properties").map(Value::take) else { return };
    let mut required: Vec<_> = schema["required"].as_array().into_iter().flatten().cloned().collect();
    for (name, property) in properties.as_object_mut().into_iter().flatten() {
        if property.as_object_mut().is_some_and(|keywords| keywords.remove(fields::OPTIONAL).is_some()) {
            required.retain(|required| required != name);
        } else if !required.iter().any(|required| required == name) {
            remove_null(property);
        }
    }
    schema["properties"] = properties;
    match schema.as_object_mut() {
        Some(keywords) if required.is_empty() => drop(keywords.remove("required")),
        _ => schema["required"] = required.into(),
    }
    split(schema);
}

/// Makes the alternatives of an object objects of their own: fields that one requires are not null, and those that it
/// excludes are.
///
/// Generators of clients then make a type of each.
fn split(schema: &mut Value) {
    let Some(mut alternatives) = schema.get("oneOf").and_then(Value::as_array).cloned() else { return };
    for alternative in &mut alternatives {
        let names = |keyword: &Value| keyword.to_string();
        let (required, excluded) = (names(&alternative["required"]), names(&alternative["not"]));
        alternative.as_object_mut().map(|keywords| keywords.remove("not"));
        let mut properties = schema["properties"].clone();
        for (name, property) in properties.as_object_mut().into_iter().flatten() {
            let name = format!("\"{name}\"");
            if required.contains(&name) {
                remove_null(property);
            } else if excluded.contains(&name) {
                *property = json!({ "type": "null" });
            }
        }
        merge(alternative, &json!({ "type": "object", "properties": properties }));
    }
    *schema = json!({ "description": schema["description"], "oneOf": alternatives });
}

/// Describes the fields of events as those of a registration, unless they are described otherwise.
fn inherit_descriptions(schemas: &mut Map<String, Value>) {
    let registered = schemas["CreateRequest"]["properties"].clone();
    for properties in schemas.values_mut().filter_map(|schema| schema.get_mut("properties")) {
        let is_event = properties.get("eventOpenTime").is_some();
        for (name, property) in properties.as_object_mut().filter(|_| is_event).into_iter().flatten() {
            let keywords = property.as_object_mut().into_iter();
            keywords.zip(registered[name].get("description")).for_each(|(keywords, description)| {
                keywords.entry("description").or_insert_with(|| description.clone());
            });
        }
    }
}

/// Removes null from the values of an `Option`.
fn remove_null(schema: &mut Value) {
    if let Some(types) = schema["type"].as_array() {
        schema["type"] = types[0].clone();
    }
    if let Some(Value::Array(choices)) = schema.as_object_mut().and_then(|keywords| keywords.remove("anyOf")) {
        merge(schema, &choices[0]);
    }
}
