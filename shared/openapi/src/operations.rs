//! Operations of the interface.

use serde_json::{Map, Value, json};

use crate::{examples, responses, schemas::reference, values};
use api::{
    envelope::MAX_RESPONSE,
    error::{Error, FormFault, Limit},
    gzip,
    json::{MEDIA_TYPE, MERGE_PATCH},
    managed::FILTERS,
    multipart,
    page::MAX_PAGE,
    request::MAX_BODY,
    svg_response,
};
use domain::{
    decimal::grouped,
    error::Error as DomainError,
    poster::Rejection,
    search::{Sort, Ticketing},
    throttling,
};

/// Name of the security scheme of managers.
const MANAGER: &str = "manager";

/// Lists every operation by path and method.
pub fn paths() -> Value {
    json!({
        "/api/v1/members/join": { "post": join() },
        "/api/v1/members/login": { "post": login() },
        "/api/v1/members/{memberId}": { "patch": edit_member() },
        "/api/v1/members/{memberId}/withdrawal": { "post": withdraw() },
        "/api/v1/events": { "get": list(), "post": create() },
        "/api/v1/events/{eventId}": { "get": get(), "patch": edit(), "delete": delete() },
        "/api/v1/events/{eventId}/thumbnail": { "put": replace_thumbnail() },
        "/api/v1/events/{eventId}/detail": { "get": detail() },
        "/api/v1/events/{eventId}/restore": { "post": restore() },
        "/api/v1/events/{eventId}/seat-map.svg": { "get": seat_map() },
        "/api/v1/managers/me/events": { "get": own_events() },
    })
}

/// Lists the security schemes.
pub fn security_schemes() -> Value {
    json!({
        MANAGER: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "Token of the configured issuer with the manager role. Required only if managers are \
                            verified.",
        },
    })
}

/// Builds an operation from its slug, summary and description, its success and its failures.
fn operation([slug, summary, description]: [&str; 3], status: &str, success: Value, failures: Vec<Error>) -> Value {
    let mut responses = responses::failures(failures);
    responses.insert(status.to_owned(), success);
    json!({
        "operationId": slug,
        "tags": slug.split('-').take(1).collect::<Vec<_>>(),
        "summary": summary,
        "description": description,
        "responses": responses,
    })
}

fn join() -> Value {
    let mut created = responses::success(
        "The member is registered.",
        &["Location"],
        &reference("Joined"),
        &examples::join_response(),
    );
    created["links"] = json!({
        "login": {
            "operationId": "members-login",
            "requestBody": { "email": "$request.body#/email", "password": "$request.body#/password" },
        },
    });
    for (slug, link) in member_links().as_object().into_iter().flatten() {
        created["links"][slug] = link.clone();
    }
    let description = "The e-mail address and the nickname must be unique. A deployment may reject the 10,000 \
                       most common passwords.";
    let mut operation = operation(
        ["members-join", "Register a member", description],
        "201",
        created,
        json_failures(examples::invalid_join(), [DomainError::EmailTaken, DomainError::NicknameTaken]),
    );
    operation["requestBody"] = json_body("JoinRequest", &examples::join_request());
    operation
}

fn login() -> Value {
    let description = format!(
        "Returns the member; the response contains no token. Failed logins with one e-mail address are limited to {} \
         from one client and {} from all clients in {} minutes. Over the limit, logins are rejected (`AL_002`). Edits \
         and withdrawals with a wrong password count too.",
        throttling::MAX_FROM_ONE_CLIENT,
        throttling::MAX_FROM_ALL_CLIENTS,
        throttling::WINDOW.as_secs() / 60,
    );
    let mut found =
        responses::success("The credentials are correct.", &[], &reference("LoggedIn"), &examples::login_response());
    found["links"] = member_links();
    let mut operation = operation(
        ["members-login", "Log a member in", &description],
        "200",
        found,
        json_failures(examples::invalid_login(), wrong_password()),
    );
    operation["requestBody"] = json_body("LoginRequest", &examples::login_request());
    operation
}

fn edit_member() -> Value {
    let description = "Changes the fields that are sent; the password alone changes nothing. A field can be changed, \
                       but not removed. The old nickname is free at once. A deployment may reject the 10,000 most \
                       common passwords as new ones. An unknown id and a wrong password look alike.";
    let edited = responses::success(
        "The member, as a login returns it.",
        &[],
        &reference("LoggedIn"),
        &examples::edit_member_response(),
    );
    let mut failures = json_failures(examples::invalid_edit_member(), wrong_password());
    failures.push(DomainError::NicknameTaken.into());
    let mut operation = operation(["members-edit", "Change a member", description], "200", edited, failures);
    operation["parameters"] = json!([member_id()]);
    operation["requestBody"] = json_body("EditMemberRequest", &examples::edit_member_request());
    operation
}

fn withdraw() -> Value {
    let description = "Removes the member. The e-mail address and the nickname may be registered again at once. An \
                       unknown id and a wrong password look alike.";
    let withdrawn = responses::empty("`0`: The member is removed. HTTP sends no body with this status.", &[]);
    let failures = json_failures(examples::invalid_withdraw(), wrong_password());
    let mut operation = operation(["members-withdraw", "Withdraw a member", description], "204", withdrawn, failures);
    operation["parameters"] = json!([member_id()]);
    operation["requestBody"] = json_body("WithdrawRequest", &examples::withdraw_request());
    operation
}

fn wrong_password() -> [DomainError; 2] {
    [DomainError::WrongCredentials, DomainError::TooManyFailedLogins(throttling::WINDOW)]
}

fn create() -> Value {
    let detail = reference("EventDetail");
    let mut created = responses::success(
        "The event is registered.",
        &["Location", "Content-Encoding"],
        &detail,
        &examples::create_response(),
    );
    created["links"] = links(&[
        "events-get",
        "events-detail",
        "events-seat-map",
        "events-edit",
        "events-thumbnail",
        "events-delete",
        "events-restore",
    ]);
    let description = "Stores the event and its poster, and returns the event with the ids that the service \
                       assigned. Every field is required; only `seats` may be empty. An event whose response \
                       would be too large is rejected and not stored.";
    let failures = vec![
        examples::invalid_event(),
        examples::invalid_json(),
        Error::MediaType(multipart::MEDIA_TYPE),
        Error::TooLarge(Limit::Body(MAX_BODY)),
        Error::Form(FormFault::Missing("thumbnail")),
        DomainError::Poster(Rejection::NotAnImage).into(),
        examples::invalid_key(),
        Error::NoManager,
        DomainError::PermissionDenied.into(),
        DomainError::InProgress.into(),
        DomainError::KeyReused.into(),
        DomainError::AlreadyRegistered.into(),
        DomainError::PosterStorage("".into()).into(),
    ];
    let mut operation = operation(["events-create", "Register an event", description], "201", created, failures);
    operation["parameters"] = json!([
        manager_id("Id of the manager who registers the event."),
        {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "Idempotency key: makes a retry safe. For 24 hours, a request of the same manager with \
                            the same key and parts returns the first success and registers nothing.",
            "schema": values::idempotency_key(),
        },
    ]);
    operation["requestBody"] = form();
    for_managers(operation)
}

fn list() -> Value {
    let events = json!({ "type": "array", "items": reference("EventSummary"), "maxItems": MAX_PAGE });
    let page = responses::success("One page of events.", &["Link", "ETag"], &events, &examples::list_response());
    let description = "Returns events, newest first, without `totalMap` and `areas`. If there are more events, the \
                       header `Link` holds the path of the next page. With `q`, `from`, `to`, `ticketing` or `sort` it \
                       returns the events that match all of them. Text is compared after Unicode normalization (NFKC) \
                       and case folding.";
    let failures = vec![examples::invalid_page()];
    let parameters = page_parameters().into_iter().chain(criteria());
    read(["events-list", "List or search events", description], page, failures, parameters)
}

/// Returns the parameters of a search.
fn criteria() -> [Value; 5] {
    [
        json!({
            "name": "q",
            "in": "query",
            "description": "Words, separated by white space. Each one must occur in the title, the artist or the \
                            place. A word of Korean initial consonants, such as `ㅇㅇㅇ`, also matches those of \
                            consecutive syllables, such as `아이유`.",
            "schema": values::query(),
            "example": "아이유 ㅋㅅㅌ",
        }),
        json!({
            "name": "from",
            "in": "query",
            "description": "Selects events with a show at this time or later. It must be before `to`.",
            "schema": values::instant_in_query(),
            "example": "2026-12-01T00:00:00+09:00",
        }),
        json!({
            "name": "to",
            "in": "query",
            "description": "Selects events with a show before this time. With `from`, the same show counts for both.",
            "schema": values::instant_in_query(),
            "example": "2027-01-01T00:00:00+09:00",
        }),
        json!({
            "name": "ticketing",
            "in": "query",
            "description": "`upcoming`: ticketing opens in the future. `open`: it has opened, and a show is still to \
                            come.",
            "schema": { "type": "string", "enum": Ticketing::NAMES },
        }),
        json!({
            "name": "sort",
            "in": "query",
            "description": "`newest`: newest registration first. `show`: by the earliest show at `from` or later, or \
                            in the future without `from`; events without one are left out. `ticketing`: by \
                            `ticketingOpenTime`. The time of the first page counts for all pages.",
            "schema": { "type": "string", "enum": Sort::NAMES, "default": Sort::default().name() },
        }),
    ]
}

fn page_parameters() -> [Value; 2] {
    [
        json!({
            "name": "limit",
            "in": "query",
            "description": "Maximum number of events on the page.",
            "schema": { "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": MAX_PAGE },
            "example": 20,
        }),
        json!({
            "name": "cursor",
            "in": "query",
            "description": "Start of the page, as given in the header `Link`. It belongs to the other parameters \
                            except `limit`.",
            "schema": { "type": "string", "format": "cursor" },
        }),
    ]
}

fn own_events() -> Value {
    let events = json!({ "type": "array", "items": reference("ManagedEvent"), "maxItems": MAX_PAGE });
    let page =
        responses::success("One page of the manager's events.", &["Link"], &events, &examples::own_events_response());
    let description = "Returns the events of the manager who sends the request, newest registration first. A deleted \
                       event is listed for the 30 days in which it can be restored. If there are more events, the \
                       header `Link` holds the path of the next page. The response is not cached.";
    let failures =
        vec![examples::invalid_status(), Error::NoManager, DomainError::PermissionDenied.into(), Error::NoSuchRoute];
    let mut operation =
        operation(["managers-events", "List a manager's own events", description], "200", page, failures);
    let status = json!({
        "name": "status",
        "in": "query",
        "description": "Events to list, by their status.",
        "schema": { "type": "string", "enum": FILTERS, "default": FILTERS[0] },
    });
    let parameters = [manager_id("Id of the manager."), status].into_iter();
    operation["parameters"] = parameters.chain(page_parameters()).collect();
    for_managers(operation)
}

/// Returns the parameter with the id of the manager.
fn manager_id(description: &str) -> Value {
    json!({
        "name": "x-api-managerId",
        "in": "header",
        "required": true,
        "description": format!("{description} If managers are verified, it is optional, but must equal the subject of \
                                the token if present."),
        "schema": values::id(),
        "example": examples::MANAGER,
    })
}

fn get() -> Value {
    let description = "Returns the event with the same fields as in the list.";
    let found = responses::success("The event.", &["ETag"], &reference("EventSummary"), &examples::get_response());
    read(["events-get", "Get an event", description], found, no_such_event(), [event_id()])
}

fn detail() -> Value {
    let description = "Returns the event with its seats and drawings, as its registration and later edits made it.";
    let found = responses::success(
        "The event.",
        &["ETag", "Content-Encoding"],
        &reference("EventDetail"),
        &examples::detail_response(),
    );
    let mut failures = no_such_event();
    failures.push(Error::TooLarge(Limit::UncompressedResponse(MAX_RESPONSE)));
    let texts = ["events-detail", "Get an event with its seats", description];
    read(texts, found, failures, [event_id()])
}

fn seat_map() -> Value {
    let headers = ["ETag", "Content-Encoding", "Content-Security-Policy", "X-Content-Type-Options"];
    let mut picture =
        responses::empty("The picture as an SVG document. It runs no scripts and loads no resources.", &headers);
    let content = json!({ "schema": { "type": "string" }, "example": examples::seat_map_svg() });
    picture["content"] = json!({ svg_response::MEDIA_TYPE: content });
    let description = "Returns a picture of the whole hall: the drawings, every seat in the colour of its price \
                       and with a tooltip, and a legend of prices. Above 25,000 seats, only areas have tooltips.";
    let mut failures = no_such_event();
    failures.push(Error::TooLarge(Limit::UncompressedResponse(MAX_RESPONSE)));
    let texts = ["events-seat-map", "Get the seat map of an event", description];
    read(texts, picture, failures, [event_id()])
}

fn edit() -> Value {
    let description = "Replaces the fields that the body has, as at a registration; the other fields stay. A show at a \
                       time that it had just before keeps its id; any other show gets a new id. Areas and seats never \
                       change. If managers are verified, only the manager who registered the event may edit it.";
    let edited = responses::success(
        "The event as it is now.",
        &["ETag"],
        &reference("EventSummary"),
        &examples::edit_response(),
    );
    let rejected = [
        DomainError::NoSuchEvent,
        DomainError::NotAuthenticated,
        DomainError::PermissionDenied,
        DomainError::PreconditionFailed,
        DomainError::AlreadyRegistered,
    ];
    let mut failures = json_failures(examples::invalid_edit(), rejected);
    failures.extend([examples::invalid_if_match(), Error::NoSuchRoute]);
    let mut operation = operation(["events-edit", "Edit an event", description], "200", edited, failures);
    operation["parameters"] = json!([event_id(), if_match()]);
    let mut body = json_body("EditRequest", &examples::edit_request());
    body["content"][MERGE_PATCH] = body["content"][MEDIA_TYPE].clone();
    operation["requestBody"] = body;
    for_managers(operation)
}

fn replace_thumbnail() -> Value {
    let description = "Replaces the poster of the event. It gets a new file name; the old poster can be loaded for \
                       another day. If managers are verified, only the manager who registered the event may replace \
                       its poster.";
    let replaced = responses::success(
        "The event as it is now.",
        &["ETag"],
        &reference("EventSummary"),
        &examples::replace_thumbnail_response(),
    );
    let failures = vec![
        Error::Form(FormFault::Missing("thumbnail")),
        DomainError::Poster(Rejection::NotAnImage).into(),
        Error::MediaType(multipart::MEDIA_TYPE),
        Error::TooLarge(Limit::Body(MAX_BODY)),
        examples::invalid_if_match(),
        DomainError::NoSuchEvent.into(),
        Error::NoSuchRoute,
        DomainError::NotAuthenticated.into(),
        DomainError::PermissionDenied.into(),
        DomainError::PreconditionFailed.into(),
        DomainError::PosterStorage("".into()).into(),
    ];
    let texts = ["events-thumbnail", "Replace the poster of an event", description];
    let mut operation = operation(texts, "200", replaced, failures);
    operation["parameters"] = json!([event_id(), if_match()]);
    let form = json!({
        "schema": {
            "type": "object",
            "required": ["thumbnail"],
            "properties": { "thumbnail": values::poster() },
        },
        "encoding": { "thumbnail": { "contentType": POSTER_TYPES } },
    });
    operation["requestBody"] = json!({
        "required": true,
        "description": format!("A form with one part; others are ignored. At most {} bytes.", grouped(MAX_BODY)),
        "content": { multipart::MEDIA_TYPE: form },
    });
    for_managers(operation)
}

fn if_match() -> Value {
    json!({
        "name": "If-Match",
        "in": "header",
        "description": "Entity tags of the event, from `events-get` or an edit, or `*`. The event is edited only if \
                        one of them is current.",
        "schema": { "type": "string" },
        "example": "*",
    })
}

fn delete() -> Value {
    let description = "Deletes the event. Its title, place and show times may be registered again at once. A second \
                       deletion returns `E_002`. For 30 days the event can be restored. If managers are verified, \
                       only the manager who registered the event may delete it.";
    let deleted = responses::empty("`0`: The event is deleted. HTTP sends no body with this status.", &[]);
    let mut failures = no_such_event();
    failures.extend([DomainError::NotAuthenticated.into(), DomainError::PermissionDenied.into()]);
    let mut operation = operation(["events-delete", "Delete an event", description], "204", deleted, failures);
    operation["parameters"] = json!([event_id()]);
    for_managers(operation)
}

fn restore() -> Value {
    let description = "Restores a deleted event with its seats and its poster, in the 30 days after its deletion. An \
                       event that is live stays as it is. If managers are verified, only the manager who registered \
                       the event may restore it.";
    let restored =
        responses::success("The event is live.", &[], &reference("EventSummary"), &examples::restore_response());
    let rejected = [DomainError::NotAuthenticated, DomainError::PermissionDenied, DomainError::AlreadyRegistered];
    let mut failures = no_such_event();
    failures.extend(rejected.map(Error::from));
    let mut operation =
        operation(["events-restore", "Restore a deleted event", description], "200", restored, failures);
    operation["parameters"] = json!([event_id()]);
    for_managers(operation)
}

/// Builds an operation that reads, with `If-None-Match` and 304.
fn read(texts: [&str; 3], success: Value, failures: Vec<Error>, parameters: impl IntoIterator<Item = Value>) -> Value {
    let mut operation = operation(texts, "200", success, failures);
    let if_none_match = json!({
        "name": "If-None-Match",
        "in": "header",
        "description": "Entity tags of representations that the client has, or `*`. An invalid list is ignored.",
        "schema": { "type": "string" },
    });
    operation["parameters"] = parameters.into_iter().chain([if_none_match]).collect();
    let description = "The representation has not changed: `If-None-Match` contains its entity tag.";
    operation["responses"]["304"] = responses::empty(description, &["ETag"]);
    operation
}

fn no_such_event() -> Vec<Error> {
    vec![DomainError::NoSuchEvent.into(), Error::NoSuchRoute]
}

/// Adds the optional token of managers; it is optional since a deployment may not verify them.
fn for_managers(mut operation: Value) -> Value {
    operation["security"] = json!([{}, { MANAGER: [] }]);
    operation
}

fn json_failures<const N: usize>(fields: Error, others: [DomainError; N]) -> Vec<Error> {
    let too_large = Error::TooLarge(Limit::Body(MAX_BODY));
    let body = [fields, examples::invalid_json(), Error::MediaType(MEDIA_TYPE), too_large];
    body.into_iter().chain(others.map(Error::from)).collect()
}

fn json_body(schema: &str, example: &Value) -> Value {
    let content = json!({ "schema": reference(schema), "example": example });
    json!({ "required": true, "content": { MEDIA_TYPE: content } })
}

const POSTER_TYPES: &str = "image/jpeg, image/png, image/gif, image/webp";

fn form() -> Value {
    let description = format!(
        "A form with two parts, identified by name. The part `request` may be a gzip file of at most {} bytes after \
         inflating, if its header says `Content-Type: {}`; other media types are ignored. At most {} bytes and {} \
         parts, each with at most {} bytes of headers.",
        grouped(gzip::MAX_INFLATED),
        gzip::MEDIA_TYPE,
        grouped(MAX_BODY),
        multipart::MAX_PARTS,
        grouped(multipart::MAX_HEADERS),
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
                        "request": reference("CreateRequest"),
                        "thumbnail": values::poster(),
                    },
                },
                "encoding": {
                    "request": { "contentType": format!("{MEDIA_TYPE}, {}", gzip::MEDIA_TYPE) },
                    "thumbnail": { "contentType": POSTER_TYPES },
                },
            },
        },
    })
}

fn event_id() -> Value {
    json!({
        "name": "eventId",
        "in": "path",
        "required": true,
        "description": "Id of the event, in upper or lower case.",
        "schema": values::id(),
        "example": examples::EVENT,
    })
}

fn member_id() -> Value {
    json!({
        "name": "memberId",
        "in": "path",
        "required": true,
        "description": "Id of the member, in upper or lower case.",
        "schema": values::id(),
        "example": examples::MEMBER,
    })
}

/// Builds links from a member to operations on it.
fn member_links() -> Value {
    let link = |slug: &str| {
        json!({
            "operationId": slug,
            "parameters": { "memberId": "$response.body#/data/id" },
            "requestBody": { "password": "$request.body#/password" },
        })
    };
    json!({ "members-edit": link("members-edit"), "members-withdraw": link("members-withdraw") })
}

/// Builds links from a registered event to operations on it.
fn links(slugs: &[&str]) -> Value {
    let link = |slug: &&str| {
        let link = json!({ "operationId": slug, "parameters": { "eventId": "$response.body#/data/id" } });
        ((*slug).to_owned(), link)
    };
    Value::Object(slugs.iter().map(link).collect::<Map<_, _>>())
}
