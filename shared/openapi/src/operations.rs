//! Operations of the interface.

use serde_json::{Map, Value, json};

use crate::{answers, examples, reference::grouped, schemas, values};
use api::{
    envelope::MAX_ANSWER,
    error::{Error, FormFault, Limit},
    json::MEDIA_TYPE,
    multipart,
    page::MAX_PAGE,
    request::MAX_BODY,
    svg_response,
};
use domain::{error::Error as DomainError, poster::Refusal, throttling};

/// Name of the security scheme of managers.
const MANAGER: &str = "manager";

/// Lists every operation by path and method.
pub fn paths() -> Value {
    json!({
        "/api/v1/members/join": { "post": join() },
        "/api/v1/members/login": { "post": login() },
        "/api/v1/events": { "get": list(), "post": create() },
        "/api/v1/events/{eventId}": { "get": get(), "delete": delete() },
        "/api/v1/events/{eventId}/detail": { "get": detail() },
        "/api/v1/events/{eventId}/seat-map.svg": { "get": seat_map() },
    })
}

/// Lists the security schemes.
pub fn security_schemes() -> Value {
    json!({
        MANAGER: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "Required only if managers are verified: a token of the configured issuer with the \
                            manager role.",
        },
    })
}

/// Description of an operation, without its parameters and its body.
struct Operation<'a> {
    slug: &'static str,
    summary: &'static str,
    description: &'a str,
    success: (&'static str, Value),
    failures: Vec<Error>,
}

impl From<Operation<'_>> for Value {
    fn from(operation: Operation) -> Self {
        let mut responses = answers::failures(operation.failures);
        let (status, success) = operation.success;
        responses.insert(status.to_owned(), success);
        json!({
            "operationId": operation.slug,
            "tags": operation.slug.split('-').take(1).collect::<Vec<_>>(),
            "summary": operation.summary,
            "description": operation.description,
            "responses": responses,
        })
    }
}

fn join() -> Value {
    let mut created = answers::success(
        "The member is registered.",
        &["Location"],
        &schemas::reference("Joined"),
        &examples::joined(),
    );
    created["links"] = json!({
        "login": {
            "operationId": "members-login",
            "requestBody": { "email": "$request.body#/email", "password": "$request.body#/password" },
        },
    });
    let mut operation = Value::from(Operation {
        slug: "members-join",
        summary: "Register a member",
        description: "The e-mail address and the nickname must be unique. A deployment may reject the 10,000 most common \
                      passwords.",
        success: ("201", created),
        failures: json_failures(
            examples::wrong_join(),
            [DomainError::EmailTaken, DomainError::NicknameTaken],
        ),
    });
    operation["requestBody"] = json_body(&schemas::reference("JoinRequest"), &examples::join_request());
    operation
}

fn login() -> Value {
    let found = answers::success(
        "The credentials are correct.",
        &[],
        &schemas::reference("LoggedIn"),
        &examples::logged_in(),
    );
    let description = format!(
        "Returns the member. The response contains no token. After {} failed logins with one e-mail address from one \
         client, or {} from anywhere, within {} minutes, further logins with it are rejected (`AL_002`).",
        throttling::MAX_FROM_ONE_CLIENT,
        throttling::MAX_FROM_ANYWHERE,
        throttling::WINDOW.as_secs() / 60,
    );
    let mut operation = Value::from(Operation {
        slug: "members-login",
        summary: "Log a member in",
        description: &description,
        success: ("200", found),
        failures: json_failures(
            examples::wrong_login(),
            [DomainError::WrongCredentials, DomainError::TooManyFailures(throttling::WINDOW)],
        ),
    });
    operation["requestBody"] = json_body(&schemas::reference("LoginRequest"), &examples::login_request());
    operation
}

fn create() -> Value {
    let mut created = answers::success(
        "The event is registered.",
        &["Location"],
        &schemas::reference("EventDetail"),
        &examples::created(),
    );
    created["links"] = links(&["events-get", "events-detail", "events-seat-map", "events-delete"]);
    let mut operation = Value::from(Operation {
        slug: "events-create",
        summary: "Register an event",
        description: "Stores the event and its poster, and returns the event with the ids that the service \
                      assigned. Every field is required; only `seats` may be empty. An event whose response would \
                      be too large is rejected and not stored.",
        success: ("201", created),
        failures: vec![
            examples::wrong_event(),
            Error::NotJson,
            Error::MediaType(multipart::MEDIA_TYPE),
            Error::TooLarge(Limit::Body(MAX_BODY)),
            Error::Form(FormFault::Missing("thumbnail")),
            DomainError::Poster(Refusal::NotAnImage).into(),
            examples::wrong_key(),
            Error::NoManager,
            DomainError::NotPermitted.into(),
            DomainError::InProgress.into(),
            DomainError::KeyReused.into(),
            DomainError::AlreadyRegistered.into(),
            DomainError::PosterStorage("".into()).into(),
        ],
    });
    operation["parameters"] = json!([
        {
            "name": "x-api-managerId",
            "in": "header",
            "required": true,
            "description": "Id of the manager who registers the event. Optional if managers are verified; it must then \
                            equal the subject of the token.",
            "schema": { "type": "string", "format": "uuid" },
            "example": examples::MANAGER,
        },
        {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "Key that makes a retry safe. For 24 hours, a request of the same manager with the same \
                            key and parts returns the first success and registers nothing.",
            "schema": values::idempotency_key(),
        },
    ]);
    operation["requestBody"] = form();
    for_managers(operation)
}

fn list() -> Value {
    let events =
        json!({ "type": "array", "items": schemas::reference("EventSummary"), "maxItems": MAX_PAGE });
    let page = answers::success("One page of events.", &["Link", "ETag"], &events, &examples::listed());
    let mut operation = Value::from(Operation {
        slug: "events-list",
        summary: "List events",
        description: "Returns events, newest first, without `totalMap` and `areas`. If there are more, the header `Link` \
                      holds the path of the next page.",
        success: ("200", page),
        failures: vec![examples::wrong_page()],
    });
    operation["parameters"] = json!([
        {
            "name": "limit",
            "in": "query",
            "description": "Maximum number of events on the page.",
            "schema": { "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": MAX_PAGE },
            "example": 20,
        },
        {
            "name": "cursor",
            "in": "query",
            "description": "Start of the page, as given in the header `Link`.",
            "schema": { "type": "string", "format": "cursor" },
        },
        if_none_match(),
    ]);
    conditional(operation)
}

fn get() -> Value {
    let found =
        answers::success("The event.", &["ETag"], &schemas::reference("EventSummary"), &examples::found());
    let mut operation = Value::from(Operation {
        slug: "events-get",
        summary: "Get an event",
        description: "Returns the event with the same fields as in the list.",
        success: ("200", found),
        failures: vec![DomainError::NoSuchEvent.into(), Error::NoSuchRoute],
    });
    operation["parameters"] = json!([event_id(), if_none_match()]);
    conditional(operation)
}

fn detail() -> Value {
    let schema = schemas::reference("EventDetail");
    let found = answers::success("The event.", &["ETag"], &schema, &examples::detailed());
    let mut operation = Value::from(Operation {
        slug: "events-detail",
        summary: "Get an event with its seats",
        description: "Returns the event as its registration did, with the same ids.",
        success: ("200", found),
        failures: vec![DomainError::NoSuchEvent.into(), Error::NoSuchRoute],
    });
    operation["parameters"] = json!([event_id(), if_none_match()]);
    conditional(operation)
}

fn seat_map() -> Value {
    let headers = ["ETag", "Content-Security-Policy", "X-Content-Type-Options"];
    let mut drawn =
        answers::empty("The picture as an SVG document. It runs no scripts and loads nothing.", &headers);
    let schema = json!({ "type": "string" });
    drawn["content"] =
        json!({ svg_response::MEDIA_TYPE: { "schema": schema, "example": examples::drawn() } });
    let mut operation = Value::from(Operation {
        slug: "events-seat-map",
        summary: "Get the seat map of an event",
        description: "Returns one picture of the whole hall: the drawings, every seat in the colour of its price \
                      and with a tooltip, and a legend of prices.",
        success: ("200", drawn),
        failures: vec![
            DomainError::NoSuchEvent.into(),
            Error::NoSuchRoute,
            Error::TooLarge(Limit::Response(MAX_ANSWER)),
        ],
    });
    operation["parameters"] = json!([event_id(), if_none_match()]);
    conditional(operation)
}

fn delete() -> Value {
    let mut operation = Value::from(Operation {
        slug: "events-delete",
        summary: "Delete an event",
        description: "Its title, place and dates may be registered again at once. A second deletion returns `E_002`. \
                      If managers are verified, only the manager who registered an event may delete it.",
        success: (
            "204",
            answers::empty("`0`: The event is deleted. HTTP sends no body with this status.", &[]),
        ),
        failures: vec![
            DomainError::NotAuthenticated.into(),
            DomainError::NotPermitted.into(),
            DomainError::NoSuchEvent.into(),
            Error::NoSuchRoute,
        ],
    });
    operation["parameters"] = json!([event_id()]);
    for_managers(operation)
}

/// Marks an operation of managers: the token is optional, since a deployment may not verify them.
fn for_managers(mut operation: Value) -> Value {
    operation["security"] = json!([{}, { MANAGER: [] }]);
    operation
}

fn json_failures<const N: usize>(fields: Error, others: [DomainError; N]) -> Vec<Error> {
    let body = [fields, Error::NotJson, Error::MediaType(MEDIA_TYPE), Error::TooLarge(Limit::Body(MAX_BODY))];
    body.into_iter().chain(others.map(Error::from)).collect()
}

fn json_body(schema: &Value, example: &Value) -> Value {
    json!({ "required": true, "content": { MEDIA_TYPE: { "schema": schema, "example": example } } })
}

fn form() -> Value {
    let description = format!(
        "A form with two parts, identified by name; their media types are ignored. At most {} bytes and {} parts, \
         each with at most {} bytes of headers.",
        grouped(&MAX_BODY),
        multipart::MAX_PARTS,
        grouped(&multipart::MAX_HEADERS),
    );
    json!({
        "required": true,
        "description": description,
        "content": {
            multipart::MEDIA_TYPE: {
                "schema": {
                    "type": "object",
                    "required": ["request", "thumbnail"],
                    "properties": {
                        "request": schemas::reference("CreateRequest"),
                        "thumbnail": values::poster(),
                    },
                },
                "encoding": {
                    "request": { "contentType": MEDIA_TYPE },
                    "thumbnail": { "contentType": "image/jpeg, image/png, image/gif, image/webp" },
                },
            },
        },
    })
}

/// Adds the response to a request whose `If-None-Match` matches.
fn conditional(mut operation: Value) -> Value {
    let description = "The entity tag of the representation is in `If-None-Match`.";
    operation["responses"]["304"] = answers::empty(description, &["ETag"]);
    operation
}

fn if_none_match() -> Value {
    json!({
        "name": "If-None-Match",
        "in": "header",
        "description": "Entity tags of known representations, or `*`. An invalid list is ignored.",
        "schema": { "type": "string" },
    })
}

fn event_id() -> Value {
    json!({
        "name": "eventId",
        "in": "path",
        "required": true,
        "description": "Id of the event, in upper or lower case.",
        "schema": { "type": "string", "format": "uuid" },
        "example": examples::EVENT,
    })
}

/// Links from a registered event to the operations on it.
fn links(slugs: &[&str]) -> Value {
    let link = |slug: &&str| {
        let link = json!({ "operationId": slug, "parameters": { "eventId": "$response.body#/data/id" } });
        ((*slug).to_owned(), link)
    };
    Value::Object(slugs.iter().map(link).collect::<Map<_, _>>())
}
