//! The operations, in the words of the interface.

use serde_json::{Map, Value, json};

use super::{answers, examples, schemas, values};
use crate::{
    domain::{
        error::{Error, FormFault, Limit},
        poster::Refusal,
        throttling,
    },
    http::{
        envelope::MAX_ANSWER,
        event::{CreateRequest, EventDetail, EventSummary},
        json::MEDIA_TYPE,
        member::{JoinRequest, Joined, LoggedIn, LoginRequest},
        multipart, picture,
        request::{MAX_BODY, MAX_PAGE},
    },
};

/// The name of the scheme by which managers make themselves known.
const MANAGER: &str = "manager";

/// Every operation, by path and method.
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

/// By what callers make themselves known.
pub fn security_schemes() -> Value {
    json!({
        MANAGER: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "A token of the issuer that the deployment names, with the role of a manager. Nobody \
                            needs one where managers are not verified.",
        },
    })
}

/// What an operation is told by, but for its parameters and its body.
struct Operation {
    slug: &'static str,
    summary: &'static str,
    description: &'static str,
    success: (&'static str, Value),
    failures: Vec<Error>,
}

impl From<Operation> for Value {
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
    let mut created =
        answers::success("registered", &["Location"], &schemas::reference::<Joined>(), &examples::joined());
    created["links"] = json!({
        "login": {
            "operationId": "members-login",
            "requestBody": { "email": "$request.body#/email", "password": "$request.body#/password" },
        },
    });
    let mut operation = Value::from(Operation {
        slug: "members-join",
        summary: "Register a member",
        description: "E-mail addresses are unique without regard to case, nicknames also to width and composition.",
        success: ("201", created),
        failures: json_failures(examples::wrong_join(), [Error::EmailTaken, Error::NicknameTaken]),
    });
    operation["requestBody"] = json_body(&schemas::reference::<JoinRequest>(), &examples::join_request());
    operation
}

fn login() -> Value {
    let found = answers::success("logged in", &[], &schemas::reference::<LoggedIn>(), &examples::logged_in());
    let mut operation = Value::from(Operation {
        slug: "members-login",
        summary: "Log a member in",
        description: "Gives the member and no token.",
        success: ("200", found),
        failures: json_failures(
            examples::wrong_login(),
            [Error::WrongCredentials, Error::TooManyFailures(throttling::WINDOW)],
        ),
    });
    operation["requestBody"] = json_body(&schemas::reference::<LoginRequest>(), &examples::login_request());
    operation
}

fn create() -> Value {
    let mut created = answers::success(
        "registered",
        &["Location"],
        &schemas::reference::<EventDetail>(),
        &examples::created(),
    );
    created["links"] = links(&["events-get", "events-detail", "events-seat-map", "events-delete"]);
    let mut operation = Value::from(Operation {
        slug: "events-create",
        summary: "Register an event",
        description: "Every field is required, but `seats` may be `[]`. The answer holds every id that the \
                      service gave. What cannot be answered is not stored.",
        success: ("201", created),
        failures: vec![
            examples::wrong_event(),
            Error::NotJson,
            Error::MediaType(multipart::MEDIA_TYPE),
            Error::TooLarge(Limit::Body(MAX_BODY)),
            Error::Form(FormFault::Missing("thumbnail")),
            Error::Poster(Refusal::NotAnImage),
            examples::wrong_key(),
            Error::NoManager,
            Error::NotPermitted,
            Error::InProgress,
            Error::KeyReused,
            Error::AlreadyRegistered,
            Error::PosterStorage("".into()),
        ],
    });
    operation["parameters"] = json!([
        {
            "name": "x-api-managerId",
            "in": "header",
            "required": true,
            "description": "The manager who registers the event: taken as it comes where managers are not verified; \
                            where they are, it is that of the token, and may be left out.",
            "schema": { "type": "string", "format": "uuid" },
            "example": examples::MANAGER,
        },
        {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "For 24 hours the same parts under the same key of the same manager are answered as \
                            the first success was, and register nothing.",
            "schema": values::idempotency_key(),
        },
    ]);
    operation["requestBody"] = form();
    for_managers(operation)
}

fn list() -> Value {
    let events =
        json!({ "type": "array", "items": schemas::reference::<EventSummary>(), "maxItems": MAX_PAGE });
    let page = answers::success("a page of events", &["Link", "ETag"], &events, &examples::listed());
    let mut operation = Value::from(Operation {
        slug: "events-list",
        summary: "List events",
        description: "Newest first, without `totalMap` and `areas`. Where more follow, `Link` leads there.",
        success: ("200", page),
        failures: vec![examples::wrong_page()],
    });
    operation["parameters"] = json!([
        {
            "name": "limit",
            "in": "query",
            "description": "The most events on the page.",
            "schema": { "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": MAX_PAGE },
            "example": 20,
        },
        {
            "name": "cursor",
            "in": "query",
            "description": "Where the page begins: only what a `Link` holds.",
            "schema": { "type": "string", "format": "cursor" },
        },
        if_none_match(),
    ]);
    conditional(operation)
}

fn get() -> Value {
    let found =
        answers::success("the event", &["ETag"], &schemas::reference::<EventSummary>(), &examples::found());
    let mut operation = Value::from(Operation {
        slug: "events-get",
        summary: "Open an event",
        description: "The same as in the list.",
        success: ("200", found),
        failures: vec![Error::NoSuchEvent, Error::NoSuchRoute],
    });
    operation["parameters"] = json!([event_id(), if_none_match()]);
    conditional(operation)
}

fn detail() -> Value {
    let schema = schemas::reference::<EventDetail>();
    let found = answers::success("the event", &["ETag"], &schema, &examples::detailed());
    let mut operation = Value::from(Operation {
        slug: "events-detail",
        summary: "Read an event with its seats",
        description: "The event as its registration was answered, under the same ids.",
        success: ("200", found),
        failures: vec![Error::NoSuchEvent, Error::NoSuchRoute],
    });
    operation["parameters"] = json!([event_id(), if_none_match()]);
    conditional(operation)
}

fn seat_map() -> Value {
    let headers = ["ETag", "Content-Security-Policy", "X-Content-Type-Options"];
    let mut drawn =
        answers::empty("The picture, as an SVG document. It cannot run or fetch anything.", &headers);
    let schema = json!({ "type": "string" });
    drawn["content"] = json!({ picture::MEDIA_TYPE: { "schema": schema, "example": examples::drawn() } });
    let mut operation = Value::from(Operation {
        slug: "events-seat-map",
        summary: "See the seats of an event",
        description: "One picture of the whole hall: the drawings, every seat in the colour of its price, with a \
                      tooltip, and what the colours cost.",
        success: ("200", drawn),
        failures: vec![Error::NoSuchEvent, Error::NoSuchRoute, Error::TooLarge(Limit::Answer(MAX_ANSWER))],
    });
    operation["parameters"] = json!([event_id(), if_none_match()]);
    conditional(operation)
}

fn delete() -> Value {
    let mut operation = Value::from(Operation {
        slug: "events-delete",
        summary: "Delete an event",
        description: "Its name and dates are free again at once. A second deletion answers `E_002`. Where managers \
                      are verified, an event is deleted by the manager who registered it alone.",
        success: ("204", answers::empty("`0`: deleted. The envelope is dropped on the wire.", &[])),
        failures: vec![Error::NotAuthenticated, Error::NotPermitted, Error::NoSuchEvent, Error::NoSuchRoute],
    });
    operation["parameters"] = json!([event_id()]);
    for_managers(operation)
}

/// An operation of managers, who are verified or not.
fn for_managers(mut operation: Value) -> Value {
    operation["security"] = json!([{}, { MANAGER: [] }]);
    operation
}

fn json_failures<const N: usize>(fields: Error, others: [Error; N]) -> Vec<Error> {
    let body = [fields, Error::NotJson, Error::MediaType(MEDIA_TYPE), Error::TooLarge(Limit::Body(MAX_BODY))];
    body.into_iter().chain(others).collect()
}

fn json_body(schema: &Value, example: &Value) -> Value {
    json!({ "required": true, "content": { MEDIA_TYPE: { "schema": schema, "example": example } } })
}

fn form() -> Value {
    let description = format!(
        "A form of two parts, known by their names whatever their media types say; at most {MAX_BODY} bytes and \
         {} parts, each with at most {} bytes of headers.",
        multipart::MAX_PARTS,
        multipart::MAX_HEADERS,
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
                        "request": schemas::reference::<CreateRequest>(),
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

/// An operation that sends nobody what they have.
fn conditional(mut operation: Value) -> Value {
    let description = "The caller has what there is: its entity tag is among those in `If-None-Match`.";
    operation["responses"]["304"] = answers::empty(description, &["ETag"]);
    operation
}

fn if_none_match() -> Value {
    json!({
        "name": "If-None-Match",
        "in": "header",
        "description": "The entity tags of what the caller has, or `*`; what is no such list is passed over.",
        "schema": { "type": "string" },
    })
}

fn event_id() -> Value {
    json!({
        "name": "eventId",
        "in": "path",
        "required": true,
        "description": "The id of the event, in either case.",
        "schema": { "type": "string", "format": "uuid" },
        "example": examples::EVENT,
    })
}

/// Links from an event that was registered to what can be done with it.
fn links(slugs: &[&str]) -> Value {
    let link = |slug: &&str| {
        let link = json!({ "operationId": slug, "parameters": { "eventId": "$response.body#/data/id" } });
        ((*slug).to_owned(), link)
    };
    Value::Object(slugs.iter().map(link).collect::<Map<_, _>>())
}
